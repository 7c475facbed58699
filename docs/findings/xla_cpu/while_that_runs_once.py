"""while/S1: `while cond(*internal_state): internal_state = body(*internal_state)`."""
import sys

import jax
import numpy as np

loop = lambda n: jax.lax.while_loop(lambda s: s[0] < 1, lambda s: (s[0] + 2, s[1] + n), (np.int32(0), np.int32(0)))
actual = [value.item() for value in jax.jit(loop)(np.int32(7))]
print(f"jax.lax.while_loop from [0, 0], below 1 in steps of [2, 7], is {actual}, for [2, 7]")
sys.exit(actual != [2, 7])
