"""subtract/S3: For complex numbers: complex subtraction, part by part; -0 - 0 is -0."""
import sys

import torch

actual = torch.sub(torch.tensor([complex(0.0, -0.0)]), torch.tensor([0j])).imag.item()
print(f"the imaginary part of torch.sub(0-0j, 0+0j) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
