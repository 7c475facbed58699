"""clamp/S1: `minimum(maximum(operand, min), max)`, which is NaN where a bound is."""
import sys

import numpy as np

if np.__version__ > "2":
    print("skipped: it is of NumPy 1")
    sys.exit(77)
actual = np.clip(np.float32([1.0]), np.float32(np.nan), np.float32(3.0))[0]
print(f"np.clip([1.0], nan, 3.0) is {actual}, for nan")
sys.exit(int(actual == actual))
