"""clamp/S1: `minimum(maximum(operand, min), max)`, which of false, from false to true, is false."""
import sys

import jax
import numpy as np

actual = jax.jit(lambda: jax.lax.clamp(np.False_, np.False_, np.True_))().item()
print(f"jax.jit(lambda: jax.lax.clamp(False, False, True)) is {actual}, for False")
sys.exit(actual)
