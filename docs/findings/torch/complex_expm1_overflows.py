"""exponential_minus_one/S2: For complex numbers: complex exponential minus one."""
import sys

import torch

x = torch.tensor([90 + 1e-5j])
actual, expected = torch.expm1(x).imag.item(), torch.exp(x).imag.item()
print(f"the imaginary part of torch.expm1(90+1e-05j) is {actual}, for {expected}, which is that of torch.exp")
sys.exit(actual != expected)
