"""pointwise/PD-24: `INT_TO_FLOAT`, which PyTorch has for log; FlagGems says COMPLEX_TO_FLOAT."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.log(torch.tensor([2, 10], device="cuda"))
print(f"flag_gems.log([2, 10]) of int64 is {actual.tolist()} in {actual.dtype}, for [0.693, 2.303] in torch.float32")
sys.exit(actual.dtype != torch.float32)
