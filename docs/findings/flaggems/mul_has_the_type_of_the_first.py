"""pointwise/PD-12: int64 and float32 promote to float32; `mul` for Hopper has the type of the first operand."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = torch.tensor([3], device="cuda"), torch.tensor([0.5], device="cuda")
actual = flag_gems.mul(x, y)
print(f"flag_gems.mul of int64 [3] and float32 [0.5] is {actual.tolist()} in {actual.dtype}, for [1.5] in torch.float32")
sys.exit(actual.dtype != torch.float32)
