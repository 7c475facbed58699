"""convert/S6: For conversions involving floating-point-to-integer, the fractional part is truncated; 6 has none."""
import sys

import jax
import ml_dtypes
import numpy as np

actual = jax.lax.convert_element_type(np.array([6], ml_dtypes.float4_e2m1fn), np.int32)[0].item()
print(f"jax.lax.convert_element_type of 6 from float4_e2m1fn to int32 is {actual}, for 6")
sys.exit(actual != 6)
