"""exponential/S2: For complex numbers: complex exponential; on a GPU it is lost next to the largest values."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)

x, expected = torch.tensor(complex(89.0, 0.8), dtype=torch.complex64), 3.1279434e+38+3.2206511e+38j
actual = torch.exp(x.to("cuda")).item()
print(f"torch.exp({x.item()}) of complex64 on a GPU is {actual}, for about {expected}")
sys.exit(not abs(actual - expected) <= 1e-5 * abs(expected))
