"""reduce/S2: The minimum of a row is that of its elements, by which -0 is less than +0."""
import sys

import torch

actual = torch.amin(torch.tensor([0.0] * 8 + [-0.0])).item()
print(f"torch.amin of eight times 0.0 and -0.0 is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
