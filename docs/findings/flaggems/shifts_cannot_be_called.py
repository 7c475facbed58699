"""pointwise/PD-33: an output may be given, and need not be: `bitwise_left_shift` hands None on as one."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x = torch.tensor([1, 2], device="cuda")
try:
    actual = flag_gems.bitwise_left_shift(x, x).tolist()
except AttributeError as error:
    actual = error
print(f"flag_gems.bitwise_left_shift([1, 2], [1, 2]) is {actual}, for [2, 8]")
sys.exit(actual != [2, 8])
