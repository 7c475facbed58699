"""divide/S2: For floats: `division` from IEEE-754, which is correctly rounded."""
import sys

import torch

if not torch.cuda.is_available():
    print("skipped: PyTorch sees no GPU")
    sys.exit(77)
import flag_gems

x, y = (torch.linspace(1, 3, 10000, device="cuda") * scale for scale in (1, 1 / 3))
actual, exact = flag_gems.true_divide(x, y.flip(0)), (x.double() / y.flip(0).double()).float()
wrong = (actual != exact).sum().item()
print(f"flag_gems.true_divide of float32 is not the nearest float32 in {wrong} of 10000 quotients")
sys.exit(wrong > 0)
