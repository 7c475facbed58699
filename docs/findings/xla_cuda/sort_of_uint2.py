"""sort/S1: Sorts 1-dimensional slices of `inputs`, whose elements the results have."""
import jax
import ml_dtypes
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
x = np.array([[2, 1], [1, 0]], ml_dtypes.uint2)
actual = np.asarray(jax.lax.sort(x, dimension=0)).astype(int).tolist()
print(f"jax.lax.sort of the columns of [[2, 1], [1, 0]] of uint2 is {actual}, for [[1, 0], [2, 1]]")
raise SystemExit(actual != [[1, 0], [2, 1]])
