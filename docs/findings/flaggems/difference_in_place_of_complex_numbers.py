"""pointwise/PD-32: We can implement inplace operations with it."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x = torch.tensor([1 + 2j], device="cuda")
try:
    actual = flag_gems.sub_(x, x).tolist()
except RuntimeError as error:
    actual = error
print(f"flag_gems.sub_(1+2j, 1+2j) is {actual}, for [0j]")
sys.exit(actual != [0j])
