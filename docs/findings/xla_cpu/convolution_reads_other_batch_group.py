"""convolution/S23: `results... = convolution(lhses..., rhses..., ..)`: each batch group has a kernel of its own."""
import sys

import jax
import numpy as np

lhs, rhs = np.float32([[1], [2], [3], [4], [5], [6]]), np.float32([[2], [3], [np.inf]])
actual = jax.lax.conv_general_dilated(lhs, rhs, (), (), batch_group_count=3)[0].tolist()
print(f"jax.lax.conv_general_dilated of 1, 3, 5 by 2, 3, inf in three batch groups is {actual}, for [2.0, 9.0, inf]")
sys.exit(actual != [2, 9, np.inf])
