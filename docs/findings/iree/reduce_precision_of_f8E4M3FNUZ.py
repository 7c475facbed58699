"""reduce_precision/S3: underflows to zero using the original sign, or is kept: no number becomes NaN."""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """!f = tensor<1xf32> !n = tensor<1xf8E4M3FNUZ>
func.func @main(%a: !f) -> !f { %n = stablehlo.convert %a : (!f) -> !n
  %p = stablehlo.reduce_precision %n, format = e2m1 : !n %r = stablehlo.convert %p : (!n) -> !f return %r : !f }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.float32([-0.25])).to_host()[0].item()
print(f"stablehlo.reduce_precision(-0.25, 2, 1) of f8E4M3FNUZ is {actual}, for a number")
sys.exit(math.isnan(actual))
