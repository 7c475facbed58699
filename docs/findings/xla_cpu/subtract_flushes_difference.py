"""subtract/S2: For floats: `subtraction` from IEEE-754; the difference of two normal numbers may be subnormal."""
import sys

import jax
import numpy as np

actual = jax.lax.sub(np.float32(1.5 * 2**-126), np.float32(2**-126)).item()
print(f"jax.lax.sub(1.5 * 2^-126, 2^-126) of float32 is {actual}, for {2**-127}")
sys.exit(actual != 2**-127)
