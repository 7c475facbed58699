"""sine/S1: For floats: `sin` from IEEE-754, which is -0 of -0."""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<2xf32>
func.func @main(%a: !t) -> !t { %r = stablehlo.sine %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
large, zero = main(np.float32([1e10, -0.0])).to_host().tolist()
print(f"stablehlo.sine(1e10) of f32 is {large}, for -0.48750603; stablehlo.sine(-0.0) is {zero}, for -0.0")
sys.exit(not abs(large + 0.48750603) < 0.1 or math.copysign(1, zero) > 0)
