"""scatter/S1: More formally, for all `update_index` in `index_space(updates[0])`: .."""
import re
import sys

from iree import compiler

text = """!t = tensor<i32> !i = tensor<1x0xi32> !u = tensor<1xi32> func.func @main(%a: !t, %i: !i, %u: !u) -> !t {
  %r = "stablehlo.scatter"(%a, %i, %u) ({ ^bb(%x: !t, %y: !t): stablehlo.return %y : !t }) {scatter_dimension_numbers =
  #stablehlo.scatter<index_vector_dim = 1>} : (!t, !i, !u) -> !t return %r : !t }"""
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
except compiler.CompilerToolError as error:
    result = "signal " + re.search(r"Error code: -(\d+)", str(error))[1]
print(f"compiling stablehlo.scatter into a scalar gives {result}, for a program")
sys.exit(result != "a program")
