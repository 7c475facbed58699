"""dynamic_update_slice/S2: `adjusted_start_indices = clamp(0, start_indices, shape(operand) - shape(update))`."""
import sys

import jax
import numpy as np

actual = jax.lax.dynamic_update_slice(np.zeros(300), np.ones(1), (jax.numpy.int8(-2),)).argmax().item()
print(f"the index at which jax.lax.dynamic_update_slice at -2 of int8 updates 300 elements is {actual}, for 0, or 298 by the documentation")
sys.exit(actual not in (0, 298))
