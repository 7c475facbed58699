"""pointwise/PD-07: we first broadcast those shapes; `mul` for Hopper takes the shape of the first, and reads beyond the second."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = torch.tensor([[2], [3]], device="cuda"), torch.tensor([[10, 20, 30]] * 2, device="cuda")
actual = flag_gems.mul(x, y).tolist()
print(f"flag_gems.mul({x.tolist()}, {y.tolist()}) is {actual}, for [[20, 40, 60], [30, 60, 90]]")
sys.exit(actual != [[20, 40, 60], [30, 60, 90]])
