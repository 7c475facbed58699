"""maximum/S2: For integers: integer maximum."""
import sys

import jax
import ml_dtypes
import numpy as np

x = np.array([-1] * 3, ml_dtypes.int2)
actual = jax.jit(lambda y: jax.lax.max(x, y))(np.ones(3, ml_dtypes.int2))[0].item()
print(f"jax.lax.max of three constants -1 and three arguments 1 of int2 is {actual}, for 1")
sys.exit(actual != 1)
