"""dot_general/S11: `dot_product = reduce(.., init_values=[constant(0, element_type(result))], ..)`, which over no elements is 0."""
import re
import sys

from iree import compiler

text = """!a = tensor<2x0xf32> !b = tensor<0x3xf32> !r = tensor<2x3xf32>
func.func @main(%a: !a, %b: !b) -> !r {
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (!a, !b) -> !r return %r : !r }"""
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
except compiler.CompilerToolError as error:
    result = "signal " + re.search(r"Error code: -(\d+)", str(error))[1]
print(f"compiling stablehlo.dot_general of 2x0 and 0x3 elements gives {result}, for a program")
sys.exit(result != "a program")
