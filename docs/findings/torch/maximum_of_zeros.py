"""maximum/S3: For floats: `maximum` from IEEE-754, by which -0 is less than +0."""
import sys

import torch

actual = torch.maximum(torch.tensor([-0.0]), torch.tensor([0.0])).item()
print(f"torch.maximum(-0.0, 0.0) is {actual}, for 0.0")
sys.exit(str(actual) != "0.0")
