"""sign/S11: For complex numbers: `divide(x, convert(abs(x), type(x)))`."""
import sys

import numpy as np

actual = np.sign(2j)
print(f"np.sign(2j) is {actual}, for 1j")
sys.exit(actual != 1j)
