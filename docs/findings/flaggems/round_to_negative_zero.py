"""round_nearest_even/S1: `roundToIntegralTiesToEven` keeps the sign of a zero; FlagGems adds 1 to -1."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.round(torch.tensor([-0.3], device="cuda")).item()
print(f"flag_gems.round(-0.3) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
