"""add/S1: For booleans: logical OR."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xi1>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.add %a, %b : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = bool(main(np.array([True]), np.array([True])).to_host()[0])
print(f"stablehlo.add of true and true is {actual}, for True")
sys.exit(not actual)
