"""minimum/S3: For floats: `minimum` from IEEE-754, by which -0 is less than +0."""
import sys

import torch

actual = torch.minimum(torch.tensor([0.0]), torch.tensor([-0.0])).item()
print(f"torch.minimum(0.0, -0.0) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
