"""sort/S1: Sorts 1-dimensional slices of `inputs`, whose elements the results have."""
import subprocess
import sys

call = "import jax, ml_dtypes, numpy as np; print(jax.lax.sort(np.array([3, 0, 1, 2], ml_dtypes.uint2)))"
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"jax.lax.sort of [3, 0, 1, 2] of uint2 is {result}, for [0 1 2 3]")
sys.exit(result != "[0 1 2 3]")
