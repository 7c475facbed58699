"""cbrt/S1: For floats: `rootn(x, 3)` from IEEE-754, which has the sign of x."""
import sys

import jax
import numpy as np

actual = jax.lax.cbrt(np.float32(2**-129)).item()
print(f"jax.lax.cbrt(2^-129) of float32 is {actual}, for {2**-43}")
sys.exit(not 0.9 < actual / 2**-43 < 1.1)
