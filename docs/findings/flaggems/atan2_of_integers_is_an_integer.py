"""pointwise/PD-24: `INT_TO_FLOAT`, which PyTorch has for atan2; the result is cut to the type of the operands."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x = torch.tensor([1], device="cuda")
actual = flag_gems.atan2(x, x)
print(f"flag_gems.atan2(1, 1) of int64 is {actual.tolist()} in {actual.dtype}, for [0.7854] in torch.float32")
sys.exit(actual.dtype != torch.float32)
