"""negate/S3: For floats: `negate` from IEEE-754; 0 is subtracted from, which has no sign."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.neg(torch.tensor([0.0], device="cuda", dtype=torch.float16)).item()
print(f"flag_gems.neg(0.0) of float16 is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
