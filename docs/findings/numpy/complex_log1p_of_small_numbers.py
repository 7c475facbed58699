"""log_plus_one/S2: For complex numbers: complex logarithm plus one, which of a small x is x."""
import sys

import numpy as np

actual = np.log1p(np.complex128(1e-20)).real
print(f"np.log1p(1e-20+0j) is {actual}, for 1e-20")
sys.exit(not 0.9 < actual / 1e-20 < 1.1)
