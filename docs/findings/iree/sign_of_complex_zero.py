"""sign/S10: if compare(x, (0.0, 0.0), EQ, FLOAT): return (0.0, 0.0)"""
import math
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t) -> !t { %r = stablehlo.sign %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.complex64([complex(-0.0, 0.0)])).to_host()[0].item()
print(f"stablehlo.sign(-0+0j) is {actual}, for 0j")
sys.exit(math.copysign(1, actual.real) < 0)
