"""pointwise/PD-04: The inputs may mix tensor/non-tensor; `mul` for Hopper asks a number for its parts."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

try:
    actual = flag_gems.mul(torch.tensor([1 + 2j], device="cuda"), 2j).tolist()
except TypeError as error:
    actual = str(error).partition("\n")[0]
print(f"flag_gems.mul([1+2j], 2j) is {actual}, for [(-4+2j)]")
sys.exit(actual != [(-4 + 2j)])
