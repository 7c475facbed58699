"""reduce_precision/S1: the nearest value with `mantissa_bits`, which of f8E3M4 in its own bits is the value."""
import sys

import jax
import ml_dtypes
import numpy as np

actual = jax.lax.reduce_precision(np.array([0.125], ml_dtypes.float8_e3m4), 3, 4)[0].item()
print(f"jax.lax.reduce_precision(0.125, 3, 4) of float8_e3m4 is {actual}, for 0.125")
sys.exit(actual != 0.125)
