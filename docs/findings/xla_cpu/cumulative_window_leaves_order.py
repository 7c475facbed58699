"""reduce_window/S1: a window is reduced as by `reduce`, in order; the function is associative, 0 its identity."""
import sys

import jax
import numpy as np

first = lambda a, b: jax.numpy.where(a != 0, a, b)
actual = jax.lax.reduce_window(np.arange(1, 18), np.int32(0), first, (17,), (1,), [(16, 0)])[-1].item()
print(f"the last of jax.lax.reduce_window of 1 to 17, cumulative, by the first that is not 0, is {actual}, for 1")
sys.exit(actual != 1)
