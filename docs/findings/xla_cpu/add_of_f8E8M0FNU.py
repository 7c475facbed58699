"""add/S3: For floats: `addition` from IEEE-754; 2^-126 is a value of f8E8M0FNU."""
import sys

import jax
import ml_dtypes
import numpy as np

x = np.array([2.0**-127], ml_dtypes.float8_e8m0fnu)
actual = jax.lax.add(x, x)[0].item()
print(f"jax.lax.add(2^-127, 2^-127) of float8_e8m0fnu is {actual}, for {2**-126}")
sys.exit(actual != 2**-126)
