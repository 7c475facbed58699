"""minimum/S3: `minimum` from IEEE-754; of a NaN it is one."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.tensor([value], device="cuda") for value in (float("nan"), 1.0))
actual = [flag_gems.minimum(*operands).item() for operands in ((x, y), (y, x))]
print(f"flag_gems.minimum of NaN and 1 is {actual[0]}, of 1 and NaN {actual[1]}, for NaN")
sys.exit(any(value == value for value in actual))
