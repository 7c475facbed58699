"""gather/S7: `full_start_index[d_operand] = clamp(start_index[d_start], 0, dim(operand, d_operand) - slice_sizes[d_operand])`"""
import sys

import numpy as np
from iree import compiler, runtime

text = """!a = tensor<4xi32> !i = tensor<2x1xi32> !r = tensor<2xi32>
func.func @main(%a: !a, %i: !i) -> !r { %r = "stablehlo.gather"(%a, %i) {slice_sizes = array<i64: 1>, dimension_numbers =
  #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (!a, !i) -> !r return %r : !r }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.int32([10, 11, 12, 13]), np.int32([[-1], [4]])).to_host().tolist()
print(f"stablehlo.gather of [10, 11, 12, 13] at -1 and 4 is {actual}, for [10, 13]")
sys.exit(actual != [10, 13])
