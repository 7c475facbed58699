"""log/S1: For floats: `log` from IEEE-754, which is NaN of negative numbers."""
import sys

import jax
import numpy as np

actual = jax.jit(lambda x, y: jax.lax.log(jax.lax.pow(x, y)))(np.float32(-2), np.float32(1)).item()
print(f"jax.jit(lambda x, y: log(pow(x, y)))(-2, 1) of float32 is {actual}, for nan")
sys.exit(actual == actual)
