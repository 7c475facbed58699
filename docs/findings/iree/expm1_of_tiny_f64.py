"""exponential_minus_one/S1: For floats: `expm1` from IEEE-754."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xf64>
func.func @main(%a: !t) -> !t { %r = stablehlo.exponential_minus_one %a : !t return %r : !t }"""
flags = ["--iree-input-demote-f64-to-f32=false"]
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"], extra_args=flags)
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.float64([1e-30])).to_host()[0].item()
print(f"stablehlo.exponential_minus_one(1e-30) of f64 is {actual}, for 1e-30")
sys.exit(actual == 0)
