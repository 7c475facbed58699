"""scatter/S12: `result_index = full_start_index + full_batching_index + full_window_index`."""
import re
import sys

from iree import compiler

text = """!t = tensor<i32> !a = tensor<7xi32> !i = tensor<1x1xi32> !u = tensor<1x3xi32> func.func @main(%a: !a, %i: !i, %u: !u) ->
  !a { %r = "stablehlo.scatter"(%a, %i, %u) ({ ^bb(%x: !t, %y: !t): stablehlo.return %y : !t }) {scatter_dimension_numbers =
  #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0]>} : (!a, !i, !u) -> !a return %r : !a }"""
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
except compiler.CompilerToolError as error:
    result = re.search("error: .*", str(error))[0]
print(f"compiling stablehlo.scatter of a slice of 3 elements gives {result}, for a program")
sys.exit(result != "a program")
