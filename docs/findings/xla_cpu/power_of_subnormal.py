"""power/S2: For floats: `pow` from IEEE-754; 2^-128 to the power of -0.5 is 2^64."""
import sys

import jax
import numpy as np

actual = jax.lax.pow(np.float32(2**-128), np.float32(-0.5)).item()
print(f"jax.lax.pow(2^-128, -0.5) of float32 is {actual}, for {2.0**64}")
sys.exit(not 0.9 < actual / 2**64 < 1.1)
