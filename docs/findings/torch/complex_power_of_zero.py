"""power/S3: For complex numbers: complex exponentiation; the power 0 of a number is 1."""
import sys

import torch

actual = torch.pow(torch.tensor([0j]), torch.tensor([0j])).item()
print(f"torch.pow(0j, 0j) is {actual}, for (1+0j)")
sys.exit(actual != 1)
