"""abs/S2: For floats: `abs` from IEEE-754, which clears the sign."""
import sys

import torch

zeros = torch.full((64,), 0x80, dtype=torch.uint8).view(torch.float8_e4m3fn)
actual = torch.abs(zeros).view(torch.uint8)[0].item()
print(f"torch.abs of 64 times -0 in float8_e4m3fn has the bits {actual:#x}, for 0x0")
sys.exit(actual != 0)
