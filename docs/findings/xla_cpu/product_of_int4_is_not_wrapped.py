"""multiply/S6: where a product overflows, a value of the type is implementation-defined; 9 is none of i4."""
import sys

import jax
import ml_dtypes
import numpy as np

x = np.array([3], ml_dtypes.int4)
actual = jax.jit(lambda x: (x * x).astype(np.int8))(x)[0].item()
print(f"jax.jit(lambda x: (x * x).astype(int8))(3) of int4 is {actual}, for one of -8 to 7")
sys.exit(not -8 <= actual <= 7)
