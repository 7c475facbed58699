"""negate/S4: For complex numbers: complex negation, part by part."""
import sys

import torch

actual = torch.neg(torch.zeros(16, dtype=torch.complex64)).real[0].item()
print(f"the real part of torch.neg(0+0j), of 16 elements, is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
