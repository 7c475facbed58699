"""sign/S4: if is_nan(x): return NaN."""
import sys

import torch

actual = torch.sign(torch.tensor([float("nan")])).item()
print(f"torch.sign(nan) is {actual}, for nan")
sys.exit(actual == actual)
