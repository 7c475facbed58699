"""convert/S3: if the source value can be exactly represented in the destination type, the result is that."""
import jax
import ml_dtypes
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
actual = jax.lax.convert_element_type(np.array([-2, -1, 0, 1], ml_dtypes.int2), ml_dtypes.int4).tolist()
actual = [int(x) for x in actual]
print(f"jax.lax.convert_element_type of [-2, -1, 0, 1] of int2 to int4 is {actual}, for [-2, -1, 0, 1]")
raise SystemExit(actual != [-2, -1, 0, 1])
