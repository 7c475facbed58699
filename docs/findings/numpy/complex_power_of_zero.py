"""power/S3: For complex numbers: complex exponentiation; a power of 0 with a positive real part is 0."""
import sys

import numpy as np

if np.__version__ > "2":
    print("skipped: it is of NumPy 1")
    sys.exit(77)
np.seterr(all="ignore")
actual = np.power(0j, 1 + 1j)
print(f"np.power(0j, 1+1j) is {actual}, for 0j")
sys.exit(int(actual != 0))
