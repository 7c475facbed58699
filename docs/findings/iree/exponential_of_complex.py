"""exponential/S2: For complex numbers: complex exponential."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t) -> !t { %r = stablehlo.exponential %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.complex64([1e10j])).to_host()[0].item()
print(f"stablehlo.exponential(1e10j) of complex<f32> is {actual}, for 0.87311983-0.48750603j")
sys.exit(not abs(actual.real - 0.87311983) < 0.1)
