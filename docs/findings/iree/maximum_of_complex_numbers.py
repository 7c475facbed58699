"""maximum/S4: For complex numbers: lexicographic maximum for the `(real, imaginary)` pair."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<1xcomplex<f32>>
func.func @main(%a: !t, %b: !t) -> !t { %r = stablehlo.maximum %a, %b : !t return %r : !t }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
results = [main(np.complex64([x]), np.complex64([y])).to_host()[0].item() for x, y in ((1 + 2j, 1 + 3j), (1 + 3j, 1 + 2j))]
print(f"stablehlo.maximum of 1+2j and 1+3j is {results[0]}, of 1+3j and 1+2j {results[1]}, for (1+3j)")
sys.exit(results != [1 + 3j] * 2)
