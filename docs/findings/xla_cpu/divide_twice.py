"""divide/S2: For floats: `division` from IEEE-754; the first quotient is 1e10, and that divided by 1e20 is 1e-10."""
import sys

import jax
import numpy as np

actual = jax.jit(lambda a, b, c: a / b / c)(np.float32(1e30), np.float32(1e20), np.float32(1e20)).item()
print(f"jax.jit(lambda a, b, c: a / b / c)(1e30, 1e20, 1e20) of float32 is {actual}, for 1e-10")
sys.exit(not 0.9 < actual / 1e-10 < 1.1)
