"""constant/S1: Produces an `output` tensor from a constant `value`."""
import re
import sys

from iree import compiler

text = """func.func @main() -> tensor<complex<f64>> {
  %r = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>> return %r : tensor<complex<f64>> }"""
flags = ["--iree-input-demote-f64-to-f32=false"]
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"], extra_args=flags)
except compiler.CompilerToolError as error:
    result = re.search("error: .*", str(error))[0]
print(f"compiling a constant of complex<f64> gives {result}, for a program")
sys.exit(result != "a program")
