"""reduce_window/S2: `padded_inputs = pad(inputs..., init_values..., ..)`; the last of each window is padding."""
import jax
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
last, x = lambda a, b: b, np.int32([7, 9])
actual = jax.lax.reduce_window(x, np.int32(1), last, (2,), (2,), [(0, 1)], base_dilation=(2,)).tolist()
print(f"jax.lax.reduce_window of [7, 1, 9, 1], of which each 1 is padding, by the last of two is {actual}, for [1, 1]")
raise SystemExit(actual != [1, 1])
