"""power/S3: For complex numbers: complex exponentiation; a power of 0 with a positive real part is 0."""
import sys

import numpy as np

np.seterr(all="ignore")
actual = np.power(0j, 1 + 1j)
print(f"np.power(0j, 1+1j) is {actual}, for 0j")
sys.exit(actual != 0)
