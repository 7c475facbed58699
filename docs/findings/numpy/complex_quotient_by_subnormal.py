"""divide/S3: For complex numbers: complex division; the numbers are finite, and the quotient is 1."""
import sys

import numpy as np

np.seterr(all="ignore")
x = np.complex64(1e-45j)
actual = x / x
print(f"np.complex64(1e-45j) / np.complex64(1e-45j) is {actual}, for (1+0j)")
sys.exit(int(actual != 1))
