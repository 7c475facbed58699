"""batch_norm_training/S1: The mean is the sum of the elements, divided by their number."""
import sys

import torch

actual = torch.var_mean(torch.tensor([float("inf"), 1.0, 2.0]), correction=0)[1].item()
print(f"the mean of torch.var_mean([inf, 1.0, 2.0]) is {actual}, for inf")
sys.exit(actual != float("inf"))
