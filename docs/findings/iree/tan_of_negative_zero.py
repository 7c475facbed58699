"""tan/S1: For floats: `tan` from IEEE-754, which is -0 of -0."""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xf32>
func.func @main(%a: !t) -> !t { %r = stablehlo.tan %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.float32([-0.0])).to_host()[0].item()
print(f"stablehlo.tan(-0.0) is {actual}, for -0.0")
sys.exit(math.copysign(1, actual) > 0)
