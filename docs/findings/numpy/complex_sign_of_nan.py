"""sign/S9: if is_nan(real(x)) or is_nan(imag(x)): return (NaN, NaN)."""
import sys

import numpy as np

if np.__version__ > "2":
    print("skipped: it is of NumPy 1")
    sys.exit(77)
actual = np.sign(complex(0, np.nan))
print(f"np.sign(0+nanj) is {actual}, for (nan+nanj)")
sys.exit(int(actual.imag == actual.imag))
