"""pointwise/PD-01: operands may be contiguous in memory but not in a row-major order; `mul` for Hopper reads them as if they were row-major."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x = torch.arange(6, device="cuda").reshape(2, 3).t()
actual = flag_gems.mul(x, torch.ones(3, 2, device="cuda", dtype=torch.int64)).tolist()
print(f"flag_gems.mul({x.tolist()} with strides (1, 3), 1) is {actual}")
sys.exit(actual != x.tolist())
