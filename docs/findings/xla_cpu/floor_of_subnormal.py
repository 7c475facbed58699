"""floor/S1: the `roundToIntegralTowardNegative` operation from IEEE-754; of a number between -1 and 0 it is -1."""
import sys

import jax
import numpy as np

actual = jax.lax.floor(np.float32(-1e-45)).item()
print(f"jax.lax.floor(-1e-45) of float32 is {actual}, for -1.0")
sys.exit(actual != -1)
