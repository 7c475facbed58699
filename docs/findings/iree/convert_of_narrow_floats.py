"""convert/S3: if the source value can be exactly represented in the destination type, the result value is that .."""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """!f = tensor<1xf32> !i = tensor<1xi8> !n = tensor<1xf8E4M3FN> !e = tensor<1xf8E8M0FNU>
func.func @main(%a: !i, %b: !i) -> (!f, !f) {
  %n = stablehlo.bitcast_convert %a : (!i) -> !n %nan = stablehlo.convert %n : (!n) -> !f
  %e = stablehlo.convert %b : (!i) -> !e %one = stablehlo.convert %e : (!e) -> !f return %nan, %one : !f, !f }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
nan, one = (result.to_host()[0].item() for result in main(np.int8([-1]), np.int8([1])))
print(f"stablehlo.convert of the NaN 0xFF of f8E4M3FN to f32 is {nan}, for nan; of the integer 1 to f8E8M0FNU it is {one}, for 1.0")
sys.exit(not math.isnan(nan) or one != 1)
