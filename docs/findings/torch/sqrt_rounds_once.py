"""sqrt/S1: For floats: `squareRoot` from IEEE-754, which is correctly rounded."""
import os
import sys

os.environ.setdefault("MKL_CBWR", "COMPATIBLE")  # MKL computes so on processors that are not Intel's
import torch

actual = torch.sqrt(torch.tensor([0.99999994])).item()
expected = 0.9999999403953552
print(f"torch.sqrt(0.99999994) is {actual}, for {expected}")
sys.exit(actual != expected)
