"""clamp/S1: `result = minimum(maximum(operand, min), max)`; of a NaN it is the bound."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

actual = flag_gems.clamp(torch.tensor([float("nan")], device="cuda"), -1.0, 1.0).item()
print(f"flag_gems.clamp(NaN, -1, 1) is {actual}, for NaN")
sys.exit(actual == actual)
