"""convert/S6: For conversions involving floating-point-to-integer, the fractional part is truncated; 6 has none."""
import jax
import ml_dtypes
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
actual = jax.lax.convert_element_type(np.array([6], ml_dtypes.float4_e2m1fn), np.int32)[0].item()
print(f"jax.lax.convert_element_type of 6 from float4_e2m1fn to int32 is {actual}, for 6")
raise SystemExit(actual != 6)
