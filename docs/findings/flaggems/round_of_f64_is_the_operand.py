"""round_nearest_even/S1: `roundToIntegralTiesToEven`; of f64 FlagGems returns the operand."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.round(torch.tensor([0.3], device="cuda", dtype=torch.float64)).item()
print(f"flag_gems.round(0.3) of float64 is {actual}, for 0.0")
sys.exit(actual != 0.0)
