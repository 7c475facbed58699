"""dynamic_slice/S3: `adjusted_start_indices = clamp(0, start_indices, shape(operand) - slice_sizes)`."""
import sys

import jax
import numpy as np

actual = jax.lax.dynamic_slice(np.arange(300), (jax.numpy.int8(-1),), (2,)).tolist()
print(f"jax.lax.dynamic_slice of 0 to 299 at -1 of int8 is {actual}, for [0, 1], or [298, 299] by the documentation")
sys.exit(actual not in ([0, 1], [298, 299]))
