"""convolution/S11: `padded_lhs = pad(lhs, padding_value, ..)`, of which the first element, 0, meets infinity."""
import sys

import jax
import numpy as np

lhs, rhs = np.float32([[[1, 2]]]), np.float32([[[np.inf, 1, 1]]])
actual = jax.lax.conv_general_dilated(lhs, rhs, (1,), [(1, 1)])[0, 0, 0].item()
print(f"the first element of jax.lax.conv_general_dilated of [0, 1, 2, 0] and [inf, 1, 1] is {actual}, for nan")
sys.exit(actual == actual)
