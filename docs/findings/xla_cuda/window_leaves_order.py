"""reduce_window/S1: a window is reduced as by `reduce`, in order; the function is associative, 0 its identity."""
import jax
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
first = lambda a, b: jax.numpy.where(a != 0, a, b)
x = np.int32([0, 99, 3, 2, 1])
actual = jax.jit(lambda x: jax.lax.reduce_window(x, np.int32(0), first, (5,), (1,), "VALID"))(x).item()
print(f"jax.lax.reduce_window of [0, 99, 3, 2, 1] by the first that is not 0 is {actual}, for 99")
raise SystemExit(actual != 99)
