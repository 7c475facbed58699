"""pointwise/PD-24: `INT_TO_FLOAT`, which PyTorch has for sqrt; FlagGems says COMPLEX_TO_FLOAT."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.sqrt(torch.tensor([2], device="cuda"))
print(f"flag_gems.sqrt(2) of int64 is {actual.tolist()} in {actual.dtype}, for [1.4142] in torch.float32")
sys.exit(actual.dtype != torch.float32)
