"""dynamic_update_slice/S3: `adjusted_start_indices = clamp(0, start_indices, shape(operand) - shape(update))`."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!a = tensor<5xi32> !b = tensor<2xi32>
func.func @main(%a: !a, %b: !b, %i: tensor<i8>) -> !a {
  %r = stablehlo.dynamic_update_slice %a, %b, %i : (!a, !b, tensor<i8>) -> !a return %r : !a }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.zeros(5, np.int32), np.ones(2, np.int32), np.array(-1, np.int8)).to_host().tolist()
print(f"stablehlo.dynamic_update_slice of five 0 by two 1 at the i8 -1 is {actual}, for [1, 1, 0, 0, 0]")
sys.exit(actual != [1, 1, 0, 0, 0])
