"""popcnt/S1: element-wise count of the number of bits set in the `operand`; an i4 has four."""
import sys

import jax
import ml_dtypes
import numpy as np

actual = jax.lax.population_count(np.array([-1], ml_dtypes.int4))[0].item()
print(f"jax.lax.population_count(-1) of int4 is {actual}, for 4")
sys.exit(actual != 4)
