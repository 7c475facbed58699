"""divide/S3: For complex numbers: complex division."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.divide %a, %b : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
x = np.complex64([3e38 + 3e38j])
actual = main(x, x).to_host()[0].item()
print(f"stablehlo.divide of 3e38+3e38j by itself in complex<f32> is {actual}, for 1")
sys.exit(actual != actual)
