"""convert/S2: a zero value is converted to `false`, and non-zero values are converted to `true`."""
import jax
import ml_dtypes
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
actual = jax.lax.convert_element_type(np.array([2.0**-127], ml_dtypes.float8_e8m0fnu), bool)[0].item()
print(f"jax.lax.convert_element_type of 2^-127 from float8_e8m0fnu to bool is {actual}, for True")
raise SystemExit(not actual)
