"""ceil/S1: the `roundToIntegralTowardPositive` operation from IEEE-754; of a number between 0 and 1 it is 1."""
import sys

import jax
import numpy as np

actual = jax.lax.ceil(np.float32(1e-45)).item()
print(f"jax.lax.ceil(1e-45) of float32 is {actual}, for 1.0")
sys.exit(actual != 1)
