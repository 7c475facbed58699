"""concatenate/S1: `result[i0, ..., id, ..., iR-1] = inputs[k][i0, ..., kd, ..., iR-1]`."""
import subprocess
import sys

call = "import jax, ml_dtypes, numpy as np; x = np.ones(3, ml_dtypes.int2); print(jax.lax.concatenate([x, x], 0))"
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"jax.lax.concatenate of [1, 1, 1] and [1, 1, 1] of int2 is {result}, for [1 1 1 1 1 1]")
sys.exit(result != "[1 1 1 1 1 1]")
