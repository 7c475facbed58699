"""constant/S1: Produces an `output` tensor from a constant `value`."""
import sys

import jax
import numpy as np

actual = jax.jit(lambda: jax.numpy.array(np.array([-0.0, 1.0])))()[0].item()
print(f"the first element of jax.jit(lambda: jax.numpy.array([-0.0, 1.0])) is {actual}, for -0.0")
sys.exit(str(actual) != "-0.0")
