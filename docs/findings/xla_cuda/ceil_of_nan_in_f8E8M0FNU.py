"""ceil/S1: Implements the `roundToIntegralTowardPositive` operation from IEEE-754, which is NaN of a NaN."""
import jax
import ml_dtypes
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
actual = float(np.asarray(jax.lax.ceil(np.array([np.nan], ml_dtypes.float8_e8m0fnu)))[0])
print(f"jax.lax.ceil of NaN in float8_e8m0fnu is {actual}, for nan")
raise SystemExit(actual == actual)
