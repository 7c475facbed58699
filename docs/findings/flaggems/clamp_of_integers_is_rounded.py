"""clamp/S1: `result = minimum(maximum(operand, min), max)`; FlagGems clamps in f32."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

value = 2**53 + 1
bounds = (torch.tensor([bound], device="cuda") for bound in (0, 2**60))
actual = flag_gems.clamp_tensor(torch.tensor([value], device="cuda"), *bounds).item()
print(f"flag_gems.clamp_tensor({value}, 0, 2**60) of int64 is {actual}, for {value}")
sys.exit(actual != value)
