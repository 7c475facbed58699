"""sign/S13: if compare(x, -0.0, EQ, FLOAT): return -0.0."""
import sys

import numpy as np

actual = np.sign(-0.0)
print(f"np.sign(-0.0) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
