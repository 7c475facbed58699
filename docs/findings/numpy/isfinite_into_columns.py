"""is_finite/S1: Performs element-wise check whether the value is finite; into a column NumPy writes each fourth element, or fewer."""
import sys

import numpy as np

if np.__version__ < "2":
    print("skipped: it is of NumPy 2")
    sys.exit(77)
y = np.zeros((16, 2), bool)
np.isfinite(np.zeros(16, np.float32), out=y[:, 0])
print(f"np.isfinite of 16 zeros, into a column of two, is true of {y[:, 0].sum()}")
sys.exit(not y[:, 0].all().item())
