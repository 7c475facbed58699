"""sign/S13: `sign(x) = x` of a zero, which keeps its sign."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.sgn_(torch.tensor([-0.0], device="cuda")).item()
print(f"flag_gems.sgn_(-0.0) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
