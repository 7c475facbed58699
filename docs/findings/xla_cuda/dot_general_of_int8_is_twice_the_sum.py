"""dot_general/S11: `dot_product = reduce(..)` of as many products as there are elements; each of them is 1."""
import jax
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
dimensions = (((1,), (0,)), ((), ()))
ones = [np.ones((n, n), np.int8) for n in (2, 3, 5)]
actual = [jax.lax.dot_general(x, x, dimensions, preferred_element_type=np.int32)[0, 0].item() for x in ones]
print(f"jax.lax.dot_general of ones of int8, 2x2, 3x3 and 5x5, is {actual}, for [2, 3, 5]")
raise SystemExit(actual != [2, 3, 5])
