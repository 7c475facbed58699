"""pad/S2: the result is `padding_value` where it is no element of the operand."""
import sys

import torch

value = 2**53 + 1
actual = torch.nn.functional.pad(torch.zeros(1, dtype=torch.int64), [1, 0], value=value)[0].item()
print(f"torch.nn.functional.pad of i64 by {value} is {actual}, for {value}")
sys.exit(actual != value)
