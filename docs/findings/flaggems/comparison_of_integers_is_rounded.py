"""compare/S3: integers are compared as integers; FlagGems converts both to f32."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.tensor([value], device="cuda") for value in (2**53, 2**53 + 1))
actual = flag_gems.ge(x, y).item()
print(f"flag_gems.ge(2**53, 2**53 + 1) of int64 is {actual}, for False")
sys.exit(actual)
