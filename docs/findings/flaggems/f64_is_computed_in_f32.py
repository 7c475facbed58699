"""sqrt/S1: For floats: `squareRoot` from IEEE-754; of f64 FlagGems computes sqrt, exp, log, sin, cos, ceil and others in f32."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.sqrt(torch.tensor([2.0], device="cuda", dtype=torch.float64)).item()
print(f"flag_gems.sqrt(2) of float64 is {actual}, for {2**0.5}")
sys.exit(actual != 2**0.5)
