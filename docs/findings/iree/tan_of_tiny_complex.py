"""tan/S2: For complex numbers: complex tangent."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t) -> !t { %r = stablehlo.tan %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.complex64([-1.4912593e-23 - 5.1686274e-26j])).to_host()[0].item()
print(f"stablehlo.tan(-1.49e-23-5.17e-26j) of complex<f32> has the real part {actual.real}, for -1.4912593e-23")
sys.exit(abs(actual) > 1e-20)
