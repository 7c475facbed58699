"""popcnt/S1: element-wise count of the number of bits set in the `operand`; an i4 has four."""
import jax
import ml_dtypes
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
actual = jax.lax.population_count(np.array([-1], ml_dtypes.int4))[0].item()
print(f"jax.lax.population_count(-1) of int4 is {actual}, for 4")
raise SystemExit(actual != 4)
