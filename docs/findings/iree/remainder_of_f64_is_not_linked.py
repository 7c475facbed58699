"""remainder/S3: For floats: `division(lhs, rhs)` from IEEE-754 with rounding attribute `roundTowardZero`."""
import re
import sys

from iree import compiler

text = """!t = tensor<1xf64>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.remainder %a, %b : !t return %r : !t }"""
flags = ["--iree-input-demote-f64-to-f32=false"]
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"], extra_args=flags)
except compiler.CompilerToolError as error:
    result = re.search("error: .*", str(error))[0]
print(f"compiling stablehlo.remainder of f64 gives {result}, for a program")
sys.exit(result != "a program")
