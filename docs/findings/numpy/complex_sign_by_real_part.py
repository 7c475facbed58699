"""sign/S11: For complex numbers: `divide(x, convert(abs(x), type(x)))`."""
import sys

import numpy as np

if np.__version__ > "2":
    print("skipped: it is of NumPy 1")
    sys.exit(77)
actual = np.sign(2j)
print(f"np.sign(2j) is {actual}, for 1j")
sys.exit(int(actual != 1j))
