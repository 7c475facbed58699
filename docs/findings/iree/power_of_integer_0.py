"""power/S1: For integers: integer exponentiation."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xi32>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.power %a, %b : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.int32([0]), np.int32([64])).to_host()[0].item()
print(f"stablehlo.power(0, 64) of i32 is {actual}, for 0")
sys.exit(actual != 0)
