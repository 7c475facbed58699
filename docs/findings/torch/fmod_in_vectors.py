"""remainder/S3: For floats: the remainder of the division that rounds toward zero, which is exact."""
import math
import sys

import torch

actual = torch.fmod(torch.full((16,), 1e38, dtype=torch.float64), torch.full((16,), 1e-300, dtype=torch.float64))[0].item()
expected = math.fmod(1e38, 1e-300)
print(f"torch.fmod(1e38, 1e-300) of f64, of 16 elements, is {actual}, for {expected}")
sys.exit(actual != expected)
