"""compare/S14: For complex element types, lexicographic comparison of `(real, imag)` pairs is performed .."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>> !b = tensor<1xi1>
func.func @main(%a: !t, %b: !t) -> !b { %r = stablehlo.compare LE, %a, %b : (!t, !t) -> !b return %r : !b }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = bool(main(np.complex64([1 + 3j]), np.complex64([1 + 2j])).to_host()[0])
print(f"stablehlo.compare LE of 1+3j and 1+2j is {actual}, for False")
sys.exit(actual)
