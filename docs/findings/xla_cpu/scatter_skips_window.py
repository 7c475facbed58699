"""scatter/S16: If `result_index`, which each element of the updates has, is in bounds, then it is updated."""
import sys

import jax
import numpy as np

numbers = jax.lax.ScatterDimensionNumbers((0,), (), (0,))
actual = jax.lax.scatter_add(np.int32([1, 13, 0]), np.int32([-1]), np.int32([9, 11]), numbers).tolist()
print(f"jax.lax.scatter_add of the window [9, 11] at -1 to [1, 13, 0] is {actual}, for [12, 13, 0]")
sys.exit(actual != [12, 13, 0])
