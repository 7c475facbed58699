"""abs/S3: For complex numbers: complex modulus."""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """func.func @main(%a: tensor<1xcomplex<f32>>) -> tensor<1xf32> {
  %r = stablehlo.abs %a : (tensor<1xcomplex<f32>>) -> tensor<1xf32> return %r : tensor<1xf32> }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.array([6e19 + 8e19j], np.complex64)).to_host()[0].item()
print(f"stablehlo.abs(6e19+8e19j) of complex<f32> is {actual}, for 1e20")
sys.exit(actual == math.inf)
