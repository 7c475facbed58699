"""sign/S11: For complex numbers: `divide(x, convert(abs(x), type(x)))`."""
import sys

import torch

actual = torch.sgn(torch.tensor([1e-45 + 0j])).item()
print(f"torch.sgn(1e-45+0j) is {actual}, for (1+0j)")
sys.exit(actual != 1)
