"""power/S2: For floats: `pow` from IEEE-754."""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<2xf32>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.power %a, %b : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
four, one = main(np.float32([-2, math.nan]), np.float32([2, 0])).to_host().tolist()
print(f"stablehlo.power(-2, 2) of f32 is {four}, for 4.0; stablehlo.power(nan, 0) is {one}, for 1.0")
sys.exit((four, one) != (4, 1))
