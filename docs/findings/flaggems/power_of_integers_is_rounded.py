"""power/S1: For integers: integer exponentiation; FlagGems takes it from floats, and cuts the fraction off."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.tensor([value], device="cuda") for value in (128, 3))
actual = flag_gems.pow_tensor_tensor(x, y).item()
print(f"flag_gems.pow_tensor_tensor(128, 3) of int64 is {actual}, for 2097152")
sys.exit(actual != 2097152)
