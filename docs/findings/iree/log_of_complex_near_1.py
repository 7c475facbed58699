"""log/S2: For complex numbers: complex logarithm; budget 4 units of its modulus."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t) -> !t { %r = stablehlo.log %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.complex64([1 + 2**-12 * 1j])).to_host()[0].item()
print(f"stablehlo.log(1+2^-12j) of complex<f32> is {actual}, for 2.98e-08+0.00024414062j")
sys.exit(actual.real == 0)
