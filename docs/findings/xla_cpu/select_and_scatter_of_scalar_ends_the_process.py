"""select_and_scatter/S8: `result[result_index] = reduce([source_values], [init_value], [0], scatter)`, of any rank."""
import subprocess
import sys

call = """import jax, numpy as np; from jax._src.lax.windowed_reductions import _select_and_scatter
print(_select_and_scatter(np.int32(1), jax.lax.ge, (), (), (), np.int32(5), np.int32(0), jax.lax.add))"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"select_and_scatter of the scalar 5, by the element of a scalar, is {result}, for 5")
sys.exit(result != "5")
