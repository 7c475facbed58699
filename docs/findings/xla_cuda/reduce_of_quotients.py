"""reduce/S5: `exec(node) = body(exec(node.left), exec(node.right))`; the body b / b is 1 for 1 and for -1."""
import jax
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
quotient = lambda a, b: jax.lax.div(b, b)
actual = jax.jit(lambda x: jax.lax.reduce(x, np.int32(-1), quotient, (0,)))(np.ones((2, 2), np.int32)).tolist()
print(f"jax.lax.reduce of two rows of ones by b / b is {actual}, for [1, 1]")
raise SystemExit(actual != [1, 1])
