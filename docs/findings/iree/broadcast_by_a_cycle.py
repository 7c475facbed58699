"""broadcast_in_dim/S3: `operand_index[d] = result_index[broadcast_dimensions[d]]` otherwise."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<2x2x2xi32>
func.func @main(%a: !t) -> !t { %r = stablehlo.broadcast_in_dim %a, dims = [1, 2, 0] : (!t) -> !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.arange(8, dtype=np.int32).reshape(2, 2, 2)).to_host()[0, 0, 1].item()
print(f"stablehlo.broadcast_in_dim by [1, 2, 0] has {actual} at [0, 0, 1], for 2")
sys.exit(actual != 2)
