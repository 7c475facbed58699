"""clamp/S1: `minimum(maximum(operand, min), max)`, by which -0 is less than +0."""
import sys

import torch

actual = torch.clamp(torch.tensor([-0.0]), torch.tensor([0.0]), torch.tensor([1.0])).item()
print(f"torch.clamp(-0.0, 0.0, 1.0) is {actual}, for 0.0")
sys.exit(str(actual) != "0.0")
