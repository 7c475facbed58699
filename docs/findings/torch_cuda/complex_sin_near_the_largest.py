"""sine/S2: For complex numbers: complex sine; on a GPU it is lost next to the largest values."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)

x, expected = torch.tensor(complex(0.001, 89.0), dtype=torch.complex64), 2.2448062e+35+2.2448061e+38j
actual = torch.sin(x.to("cuda")).item()
print(f"torch.sin({x.item()}) of complex64 on a GPU is {actual}, for about {expected}")
sys.exit(not abs(actual - expected) <= 1e-5 * abs(expected))
