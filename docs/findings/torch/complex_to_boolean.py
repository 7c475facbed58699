"""convert/S9: complex to non-complex conversions ignore the imaginary part."""
import sys

import torch

actual = torch.tensor([5j]).to(torch.bool).item()
print(f"torch.tensor([5j]).to(torch.bool) is {actual}, for False")
sys.exit(actual)
