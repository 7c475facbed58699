"""floor/S1: `roundToIntegralTowardNegative` operation from the IEEE-754 specification; of f64 FlagGems takes that of f32."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.floor_(torch.tensor([-1e-100], device="cuda", dtype=torch.float64)).item()
print(f"flag_gems.floor_(-1e-100) of float64 is {actual}, for -1.0")
sys.exit(actual != -1.0)
