"""scatter/I1: `inputs`: variadic number of tensors or per-tensor quantized tensors; a scalar is one."""
import sys

import jax
import numpy as np

numbers = jax.lax.ScatterDimensionNumbers((), (), ())
try:
    actual = jax.lax.scatter_add(np.int32(0), np.zeros((3, 0), "int32"), np.int32([1, 2, 3]), numbers).item()
except jax.errors.JaxRuntimeError as error:
    actual = str(error).partition(":")[0] + " error"
print(f"jax.lax.scatter_add of 1, 2, and 3 to the scalar 0 is {actual}, for 6")
sys.exit(actual != 6)
