"""dynamic_slice/S3: `adjusted_start_indices = clamp(0, start_indices, shape(operand) - slice_sizes)`."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!a = tensor<5xi32> !r = tensor<2xi32>
func.func @main(%a: !a, %i: tensor<i8>, %u: tensor<ui64>) -> (!r, !r) {
  %r = stablehlo.dynamic_slice %a, %i, sizes = [2] : (!a, tensor<i8>) -> !r
  %s = stablehlo.dynamic_slice %a, %u, sizes = [2] : (!a, tensor<ui64>) -> !r return %r, %s : !r, !r }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
results = main(np.arange(5, dtype=np.int32), np.array(-1, np.int8), np.array(2**64 - 1, np.uint64))
first, last = (result.to_host()[0].item() for result in results)
print(f"stablehlo.dynamic_slice at the i8 -1 begins at {first}, for 0; at the ui64 2^64 - 1 at {last}, for 3")
sys.exit((first, last) != (0, 3))
