"""log_plus_one/S2: For complex numbers: complex logarithm plus one."""
import sys

import torch

x = torch.tensor([1e-39 + 1e-39j])
actual = torch.log1p(x).item()
print(f"torch.log1p(1e-39+1e-39j) is {actual}, for {x.item()}")
sys.exit(not abs(actual - x.item()) < 1e-43)
