"""multiply/S3: For floats: `multiplication` from IEEE-754."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!f = tensor<1xf32> !n = tensor<1xf8E8M0FNU>
func.func @main(%a: !f) -> !f { %n = stablehlo.convert %a : (!f) -> !n
  %p = stablehlo.multiply %n, %n : !n %r = stablehlo.convert %p : (!n) -> !f return %r : !f }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.float32([2])).to_host()[0].item()
print(f"stablehlo.multiply(2, 2) of f8E8M0FNU is {actual}, for 4.0")
sys.exit(actual != 4)
