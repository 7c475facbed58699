"""pad/S1: `result[result_index] = operand[operand_index]` if there is one; an edge below 0 leaves elements out."""
import subprocess
import sys

import jax

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
call = "import jax, ml_dtypes, numpy as np; t = ml_dtypes.int4; print(jax.lax.pad(np.arange(3).astype(t), t(0), [(-1, 0, 0)]))"
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else (done.stdout + done.stderr).strip().rpartition("\n")[2]
print(f"jax.lax.pad of [0, 1, 2] of int4, one less in front, is {result}, for [1 2]")
raise SystemExit(result != "[1 2]")
