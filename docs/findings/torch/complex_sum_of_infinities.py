"""add/S4: For complex numbers: complex addition, part by part."""
import sys

import torch

inf = float("inf")
actual = torch.add(torch.tensor([complex(inf, 1)]), torch.tensor([complex(-inf, 1)])).imag.item()
print(f"the imaginary part of torch.add(inf+1j, -inf+1j) is {actual}, for 2.0")
sys.exit(actual != 2)
