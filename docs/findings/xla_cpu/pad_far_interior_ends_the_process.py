"""pad/S1: `operand[operand_index]` if `result_index = edge_padding_low + operand_index * (interior_padding + 1)`."""
import subprocess
import sys

call = "import jax, numpy as np; print(jax.lax.pad(np.int32([1, 2]), np.int32(0), [(-2**62 - 1, 0, 2**62)]))"
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"jax.lax.pad of [1, 2] with 2^62 between them and without the first 2^62 + 1 is {result}, for [2]")
sys.exit(result != "[2]")
