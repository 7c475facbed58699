"""scatter/S1: More formally, for all `update_index` in `index_space(updates[0])`: each that is in bounds is made."""
import sys

import jax
import numpy as np

numbers = jax.lax.ScatterDimensionNumbers((), (0,), (0,))
actual = jax.lax.scatter_add(np.zeros(300), np.int8([[100]]), np.ones(1), numbers).sum().item()
print(f"the sum of jax.lax.scatter_add of 1 at 100 of int8 to 300 zeros is {actual}, for 1.0")
sys.exit(actual != 1.0)
