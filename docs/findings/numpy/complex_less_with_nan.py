"""compare/S14: lexicographic comparison of `(real, imag)` pairs; (0, NaN) is less than (1, 0) by its real part."""
import sys

import numpy as np

actual = np.less(complex(0, np.nan), 1 + 0j)
print(f"np.less(0+nanj, 1+0j) is {actual}, for True")
sys.exit(not actual)
