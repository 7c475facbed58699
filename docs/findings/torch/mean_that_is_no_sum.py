"""batch_norm_training/S1: The mean is the sum of the elements, divided by their number; every order of this sum is exact."""
import sys

import torch

actual = torch.var_mean(torch.tensor([-1.0, 0.5, -0.5, 1.0, -0.5, 0.5]), correction=0)[1].item()
print(f"the mean of torch.var_mean([-1.0, 0.5, -0.5, 1.0, -0.5, 0.5]) is {actual}, for 0.0")
sys.exit(actual != 0)
