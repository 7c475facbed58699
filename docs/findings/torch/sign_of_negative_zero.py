"""sign/S13: `sign` of -0.0 is -0.0."""
import sys

import torch

actual = torch.sign(torch.tensor([-0.0])).item()
print(f"torch.sign(-0.0) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
