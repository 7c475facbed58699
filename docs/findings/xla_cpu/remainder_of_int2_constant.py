"""remainder/S2: The remainder is `lhs - d * rhs`, where `d` is `stablehlo.divide(lhs, rhs)`: that by 1 is 0."""
import sys

import jax
import ml_dtypes
import numpy as np

x = np.array([-1] * 3, ml_dtypes.int2)
actual = jax.jit(lambda y: jax.lax.rem(x, y))(np.ones(3, ml_dtypes.int2))[0].item()
print(f"jax.lax.rem of three constants -1 and three arguments 1 of int2 is {actual}, for 0")
sys.exit(actual != 0)
