"""divide/S2: For floats: `division` from IEEE-754, which is correctly rounded."""
import jax
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
x = np.linspace(1, 2, 4096, dtype=np.float32)
actual = int((np.asarray(jax.lax.div(x, x[::-1].copy())) != x / x[::-1]).sum())
print(f"the number of 4096 quotients by jax.lax.div that are not rounded to nearest is {actual}, for 0")
raise SystemExit(actual != 0)
