"""sqrt/S1: For floats: `squareRoot` from IEEE-754, which is correctly rounded."""
import jax
import numpy as np

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
x = np.linspace(1, 2, 4096, dtype=np.float32)
actual = int((np.asarray(jax.lax.sqrt(x)) != np.sqrt(x)).sum())
print(f"the number of 4096 results of jax.lax.sqrt that are not rounded to nearest is {actual}, for 0")
raise SystemExit(actual != 0)
