"""pointwise/PD-01: operands may be contiguous in memory but not in a row-major order; `mul` for Hopper reads them as if they were row-major."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = torch.tensor([[1, 2], [3, 4]], device="cuda").t(), torch.tensor([[1, 10], [100, 1000]], device="cuda")
actual = flag_gems.mul(x, y).tolist()
print(f"flag_gems.mul({x.tolist()} with strides (1, 2), {y.tolist()}) is {actual}, for [[1, 30], [200, 4000]]")
sys.exit(actual != [[1, 30], [200, 4000]])
