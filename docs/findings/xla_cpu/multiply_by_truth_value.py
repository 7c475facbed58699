"""multiply/S3: For floats: `multiplication` from IEEE-754; infinity times 0 is NaN."""
import sys

import jax
import numpy as np

actual = jax.jit(lambda p, x: x * p.astype(np.float32))(np.False_, np.float32(np.inf)).item()
print(f"jax.jit(lambda p, x: x * p.astype(float32))(False, inf) is {actual}, for nan")
sys.exit(actual == actual)
