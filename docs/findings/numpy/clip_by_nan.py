"""clamp/S1: `minimum(maximum(operand, min), max)`, which is NaN where a bound is."""
import sys

import numpy as np

actual = np.clip(np.float32([1.0]), np.float32(np.nan), np.float32(3.0))[0]
print(f"np.clip([1.0], nan, 3.0) is {actual}, for nan")
sys.exit(actual == actual)
