"""divide/S3: For complex numbers: complex division; a number divided by itself is 1."""
import sys

import torch

x = torch.tensor([complex(3e38, 3e38)])
actual = torch.div(x, x).item()
print(f"torch.div(3e38+3e38j, 3e38+3e38j) is {actual}, for (1+0j)")
sys.exit(actual != 1)
