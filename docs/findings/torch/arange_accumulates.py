"""iota/S2: the element is the index, converted to the element type."""
import sys

import torch

actual = torch.arange(70000, dtype=torch.bfloat16)[4113].item()
expected = torch.tensor(4113.0).to(torch.bfloat16).item()
print(f"torch.arange(70000, dtype=torch.bfloat16)[4113] is {actual}, for {expected}")
sys.exit(actual != expected)
