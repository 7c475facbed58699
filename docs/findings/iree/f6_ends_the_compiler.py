"""add/S3: For floats: `addition` from IEEE-754."""
import re
import sys

from iree import compiler

text = """!t = tensor<1xf6E2M3FN>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.add %a, %b : !t return %r : !t }"""
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
except compiler.CompilerToolError as error:
    result = "signal " + re.search(r"Error code: -(\d+)", str(error))[1]
print(f"compiling stablehlo.add of f6E2M3FN gives {result}, for a program")
sys.exit(result != "a program")
