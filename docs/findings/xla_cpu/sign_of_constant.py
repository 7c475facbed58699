"""sign/S13: if compare(x, -0.0, EQ, FLOAT): return -0.0."""
import sys

import jax
import numpy as np

actual = jax.jit(lambda: jax.lax.sign(np.float32(-0.0)))().item()
print(f"jax.jit(lambda: jax.lax.sign(-0.0)) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
