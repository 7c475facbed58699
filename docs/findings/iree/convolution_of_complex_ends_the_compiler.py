"""convolution/S11: `padded_lhs = pad(lhs, padding_value, ..)`, of complex numbers as of others."""
import re
import sys

from iree import compiler

text = """!a = tensor<1x5x2xcomplex<f32>> !b = tensor<2x2x3xcomplex<f32>> !r = tensor<1x6x3xcomplex<f32>>
func.func @main(%a: !a, %b: !b) -> !r { %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (!a, !b) -> !r return %r : !r }"""
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
except compiler.CompilerToolError as error:
    result = "signal " + re.search(r"Error code: -(\d+)", str(error))[1]
print(f"compiling a padded stablehlo.convolution of complex<f32> gives {result}, for a program")
sys.exit(result != "a program")
