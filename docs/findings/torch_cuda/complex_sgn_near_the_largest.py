"""sign/S11: For complex numbers: `divide(x, convert(abs(x), type(x)))`; on a GPU it is lost next to the largest values."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)

x, expected = torch.tensor(complex(-1.7976931348623157e+308, 5e-324), dtype=torch.complex128), -1+0j
actual = torch.sgn(x.to("cuda")).item()
print(f"torch.sgn({x.item()}) of complex128 on a GPU is {actual}, for about {expected}")
sys.exit(not abs(actual - expected) <= 1e-5 * abs(expected))
