"""logistic/S1: For floats: `division(1, addition(1, exp(-x)))` from IEEE-754."""
import sys

import jax
import ml_dtypes
import numpy as np

actual = float(jax.lax.logistic(np.array(64, ml_dtypes.float8_e8m0fnu)))
print(f"jax.lax.logistic(64) of float8_e8m0fnu is {actual}, for 1.0")
sys.exit(actual != 1.0)
