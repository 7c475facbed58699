"""select_and_scatter/S4: return select(arg0, arg1) ? arg0 : arg1;"""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<i32> !a = tensor<2xi32> !s = tensor<1xi32> func.func @main(%a: !a, %s: !s, %z: !t) -> !a {
  %r = "stablehlo.select_and_scatter"(%a, %s, %z) ({ ^bb(%x: !t, %y: !t): %c = stablehlo.compare GT, %x, %y : (!t, !t) -> tensor<i1>
  stablehlo.return %c : tensor<i1> }, { ^bb(%x: !t, %y: !t): %c = stablehlo.add %x, %y : !t stablehlo.return %c : !t })
  {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (!a, !s, !t) -> !a return %r : !a }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.int32([7, 7]), np.int32([10]), np.array(0, np.int32)).to_host().tolist()
print(f"stablehlo.select_and_scatter of 10 to [7, 7] by GT is {actual}, for [0, 10]")
sys.exit(actual != [0, 10])
