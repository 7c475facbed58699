"""sign/S10: if compare(x, (0.0, 0.0), EQ, FLOAT): return (0.0, 0.0)."""
import sys

import jax
import numpy as np

actual = jax.lax.sign(np.complex64(complex(-0.0, 0.0))).real.item()
print(f"the real part of jax.lax.sign(-0+0j) is {actual}, for 0.0")
sys.exit(str(actual) != "0.0")
