"""atan2/S1: For floats: `atan2` from IEEE-754, which of 0 and 0 is 0."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xf32>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.atan2 %a, %b : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.float32([0]), np.float32([0])).to_host()[0].item()
print(f"stablehlo.atan2(0, 0) is {actual}, for 0.0")
sys.exit(actual != 0)
