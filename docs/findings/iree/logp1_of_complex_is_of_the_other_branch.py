"""log_plus_one/S2: For complex numbers: complex logarithm plus one."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t) -> !t { %r = stablehlo.log_plus_one %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.complex64([-3.4028235e38 - 1j])).to_host()[0].item()
print(f"stablehlo.log_plus_one(-3.4e38-1j) of complex<f32> has the imaginary part {actual.imag}, for -3.1415927")
sys.exit(actual.imag > 0)
