"""sqrt/S2: For complex numbers: complex square root; on a GPU it is lost next to the largest values."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)

x, expected = torch.tensor(complex(-1.7976931348623157e+308, 5e-324), dtype=torch.complex128), 1.3407807929942596e+154j
actual = torch.sqrt(x.to("cuda")).item()
print(f"torch.sqrt({x.item()}) of complex128 on a GPU is {actual}, for about {expected}")
sys.exit(not abs(actual - expected) <= 1e-5 * abs(expected))
