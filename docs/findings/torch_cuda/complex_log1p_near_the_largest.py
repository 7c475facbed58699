"""log_plus_one/S2: For complex numbers: complex logarithm plus one; on a GPU it is lost next to the largest values."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)

x, expected = torch.tensor(complex(-1.7976931348623157e+308, 5e-324), dtype=torch.complex128), 709.782712893384+3.141592653589793j
actual = torch.log1p(x.to("cuda")).item()
print(f"torch.log1p({x.item()}) of complex128 on a GPU is {actual}, for about {expected}")
sys.exit(not abs(actual - expected) <= 1e-5 * abs(expected))
