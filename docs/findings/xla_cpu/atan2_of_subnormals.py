"""atan2/S1: For floats: `atan2` from IEEE-754, which is NaN of no numbers."""
import sys

import jax
import numpy as np

actual = jax.lax.atan2(np.float32(2**-129), np.float32(2**-129)).item()
print(f"jax.lax.atan2(2^-129, 2^-129) of float32 is {actual}, for 0.7853982")
sys.exit(not 0.78 < actual < 0.79)
