"""add/S4: For complex numbers: complex addition; 1 - 2^25 is rounded to -2^25, and the sum with 2^25 is 0."""
import sys

import jax
import numpy as np

actual = jax.jit(lambda a, b: (a - b) + b)(np.complex64(1), np.complex64(2**25)).item()
print(f"jax.jit(lambda a, b: (a - b) + b)(1, 2^25) of complex64 is {actual}, for 0j")
sys.exit(actual != 0)
