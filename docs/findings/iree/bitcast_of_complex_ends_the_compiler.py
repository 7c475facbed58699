"""bitcast_convert/S3: If `num_bits(E') = num_bits(E)`, `bits(result[i0, ..., iR-1]) = bits(operand[i0, ..., iR-1])`."""
import re
import sys

from iree import compiler

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t) -> !t { %r = stablehlo.bitcast_convert %a : (!t) -> !t return %r : !t }"""
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
except compiler.CompilerToolError as error:
    result = "signal " + re.search(r"Error code: -(\d+)", str(error))[1]
print(f"compiling stablehlo.bitcast_convert of complex<f32> to itself gives {result}, for a program")
sys.exit(result != "a program")
