"""cosine/S1: For floats: `cos` from IEEE-754."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xf32>
func.func @main(%a: !t) -> !t { %r = stablehlo.cosine %a : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.float32([1e10])).to_host()[0].item()
print(f"stablehlo.cosine(1e10) of f32 is {actual}, for 0.87311983")
sys.exit(not abs(actual - 0.87311983) < 0.1)
