"""convert/S9: complex to non-complex conversions ignore the imaginary part."""
import sys

import numpy as np

actual = np.array([5j]).astype(bool)[0]
print(f"np.array([5j]).astype(bool) is {actual}, for False")
sys.exit(bool(actual))
