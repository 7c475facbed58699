"""sign/S11: return divide(x, convert(abs(x), type(x)))."""
import sys

import jax
import numpy as np

actual = jax.lax.sign(np.complex64(1e-38)).real.item()
print(f"the real part of jax.lax.sign(1e-38+0j) of complex64 is {actual}, for 1.0, or 0.0 if it is flushed")
sys.exit(actual not in (0.0, 1.0))
