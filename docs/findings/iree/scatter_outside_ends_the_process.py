"""scatter/S20: Otherwise `updated_results = results`, where `result_index` is out of bounds."""
import subprocess
import sys

call = '''import numpy as np; from iree import compiler, runtime
text = """!t = tensor<i32> !a = tensor<4xi32> !i = tensor<1x1xi32> !u = tensor<1xi32> func.func @main(%a: !a, %i: !i, %u: !u) -> !a
  { %r = "stablehlo.scatter"(%a, %i, %u) ({ ^bb(%x: !t, %y: !t): stablehlo.return %y : !t }) {scatter_dimension_numbers =
  #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (!a, !i, !u) -> !a return %r : !a }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
print(main(np.zeros(4, np.int32), np.int32([[2000000000]]), np.int32([5])).to_host())'''
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
print(f"stablehlo.scatter at 2000000000 of 4 elements is {done.stdout.strip() or f'signal {-done.returncode}'}, for [0 0 0 0]")
sys.exit(done.returncode < 0)
