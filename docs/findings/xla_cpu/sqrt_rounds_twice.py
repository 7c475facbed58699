"""sqrt/S1: For floats: `squareRoot` from IEEE-754; that of 15.5 is 3.937, nearer to 3.875 than to 4."""
import sys

import jax
import ml_dtypes
import numpy as np

actual = jax.lax.sqrt(np.array([15.5], ml_dtypes.float8_e3m4))[0].item()
print(f"jax.lax.sqrt(15.5) of float8_e3m4 is {actual}, for 3.875")
sys.exit(actual != 3.875)
