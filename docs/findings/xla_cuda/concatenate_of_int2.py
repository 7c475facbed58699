"""concatenate/S1: `result[i0, ..., id, ..., iR-1] = inputs[k][i0, ..., kd, ..., iR-1]`."""
import jax
import ml_dtypes
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
x = np.array([[0, 1], [2, 3]] * 2, ml_dtypes.uint2)
actual = np.asarray(jax.lax.concatenate([x, x], 1)).astype(int).tolist()
print(f"jax.lax.concatenate of four rows of uint2 is {actual}, for {[[0, 1, 0, 1], [2, 3, 2, 3]] * 2}")
raise SystemExit(actual != [[0, 1, 0, 1], [2, 3, 2, 3]] * 2)
