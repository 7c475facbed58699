"""gather/S1: `result[result_index] = operand[operand_index]`; a slice whose dimension is collapsed may have size 0."""
import subprocess, sys

call = """import jax; from jaxlib.xla_client import DeviceList; jax.devices()[0].client.compile_and_load('''!i =
  tensor<1xi32> !x = tensor<2x1xi32> func.func @main(%x: !x, %i: !i) -> !i { %r = "stablehlo.gather"(%x, %i)
  {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>,
  slice_sizes = array<i64: 0, 1>} : (!x, !i) -> !i return %r : !i }''', DeviceList((jax.devices()[0],)))"""
code = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True).returncode
print(f"the exit code of the compilation of stablehlo.gather of slices of size [0, 1] is {code}, for 0")
sys.exit(code < 0)
