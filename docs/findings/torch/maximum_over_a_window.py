"""reduce_window/S1: The maximum of a window is that of its elements, by which -0 is less than +0."""
import sys

import torch

actual = torch.nn.functional.max_pool1d(torch.tensor([[[-0.0, 0.0]]]), 2).item()
print(f"torch.nn.functional.max_pool1d([-0.0, 0.0], 2) is {actual}, for 0.0")
sys.exit(str(actual) != "0.0")
