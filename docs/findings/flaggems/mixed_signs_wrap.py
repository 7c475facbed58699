"""pointwise/PD-12: i8 and ui8 promote to i16; Triton computes in ui8."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.tensor([value], device="cuda", dtype=dtype) for value, dtype in ((-31, torch.int8), (17, torch.uint8)))
actual = flag_gems.mul(x, y).item()
print(f"flag_gems.mul of int8 -31 and uint8 17 is {actual}, for -527")
sys.exit(actual != -527)
