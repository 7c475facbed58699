"""sort/S3: If `is_stable` is true, then the sorting is stable, that is, relative order ..."""
import sys

import numpy as np
from iree import compiler, runtime

text = """!t = tensor<i32> !v = tensor<3xi32> !b = tensor<i1>
func.func @main(%a: !v, %b: !v) -> !v { %r:2 = "stablehlo.sort"(%a, %b) ({
  ^bb(%x: !t, %y: !t, %z: !t, %w: !t): %c = stablehlo.compare LT, %x, %y : (!t, !t) -> !b stablehlo.return %c : !b })
  {dimension = 0 : i64, is_stable = true} : (!v, !v) -> (!v, !v) return %r#1 : !v }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main(np.int32([1, 1, 0]), np.int32([0, 1, 2])).to_host().tolist()
print(f"a stable stablehlo.sort of [1, 1, 0] puts them in the order {actual}, for [2, 0, 1]")
sys.exit(actual != [2, 0, 1])
