"""reduce/S5: `schedule` is a binary tree of the elements in order; affine maps modulo 2^32 compose in one way."""
import jax
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
compose = lambda f, g: (f[0] * g[0], f[1] * g[0] + g[1])
maps, identity = (np.full(16, 3, np.uint32), np.arange(16, dtype=np.uint32)), (np.uint32(1), np.uint32(0))
actual = [value.item() for value in jax.jit(lambda x: jax.lax.reduce(x, identity, compose, (0,)))(maps)]
print(f"jax.lax.reduce of the maps 3x to 3x + 15 by their composition is {actual}, for [43046721, 10761672]")
raise SystemExit(actual != [43046721, 10761672])
