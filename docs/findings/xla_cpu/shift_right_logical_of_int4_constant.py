"""shift_right_logical/S1: logical right-shift operation, which by 1 leaves three of the four bits of -1."""
import sys

import jax
import ml_dtypes
import numpy as np

x = np.array([-1] * 3, ml_dtypes.int4)
actual = jax.jit(lambda y: jax.lax.shift_right_logical(x, y))(np.ones(3, ml_dtypes.int4))[0].item()
print(f"jax.lax.shift_right_logical of three constants -1 by three arguments 1 of int4 is {actual}, for 7")
sys.exit(actual != 7)
