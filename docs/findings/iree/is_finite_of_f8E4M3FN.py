"""is_finite/S1: Implements the `isFinite` operation from the IEEE-754 specification."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!f = tensor<1xf32> !n = tensor<1xf8E4M3FN> !b = tensor<1xi1>
func.func @main(%a: !f) -> !b {
  %n = stablehlo.convert %a : (!f) -> !n %r = stablehlo.is_finite %n : (!n) -> !b return %r : !b }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = bool(main(np.float32([1])).to_host()[0])
print(f"stablehlo.is_finite(1) of f8E4M3FN is {actual}, for True")
sys.exit(not actual)
