"""broadcast_in_dim/S3: `operand_index[d] = result_index[broadcast_dimensions[d]]` otherwise."""
import sys

import jax
import numpy as np

actual = jax.lax.broadcast_in_dim(np.int32([[1, 2], [3, 4]]), (2, 2), (1, 0)).tolist()
print(f"jax.lax.broadcast_in_dim([[1, 2], [3, 4]], (2, 2), (1, 0)) is {actual}, for [[1, 3], [2, 4]]")
sys.exit(actual != [[1, 3], [2, 4]])
