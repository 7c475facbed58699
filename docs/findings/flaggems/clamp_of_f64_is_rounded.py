"""clamp/S1: `result = minimum(maximum(operand, min), max)`; of f64 it is rounded to f32."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, least, most = (torch.tensor([value], device="cuda", dtype=torch.float64) for value in (0.1, -1.0, 1.0))
actual = flag_gems.clamp_tensor(x, least, most).item()
print(f"flag_gems.clamp_tensor(0.1, -1, 1) of float64 is {actual}, for 0.1")
sys.exit(actual != 0.1)
