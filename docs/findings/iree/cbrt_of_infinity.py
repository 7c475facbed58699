"""cbrt/S1: For floats: `rootn(x, 3)` from IEEE-754, which of infinities is the same."""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xf32>
func.func @main(%a: !t) -> !t { %r = stablehlo.cbrt %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.float32([-math.inf])).to_host()[0].item()
print(f"stablehlo.cbrt(-inf) is {actual}, for -inf")
sys.exit(actual != -math.inf)
