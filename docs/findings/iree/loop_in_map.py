"""map/S1: More formally, `result[result_index] = computation(inputs...[result_index])`."""
import re
import sys

from iree import compiler

text = """!t = tensor<i32> !v = tensor<2xi32>
func.func @main(%a: !v) -> !v { %r = "stablehlo.map"(%a) ({ ^bb(%x: !t): %w = stablehlo.while(%y = %x) : !t
  cond { %c = stablehlo.convert %y : (!t) -> tensor<i1> stablehlo.return %c : tensor<i1> } do { %n = stablehlo.negate %y : !t
  stablehlo.return %n : !t } stablehlo.return %w : !t }) {dimensions = array<i64: 0>} : (!v) -> !v return %r : !v }"""
try:
    result = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"]) and "a program"
except compiler.CompilerToolError as error:
    result = re.search("error: .*", str(error))[0]
print(f"compiling a stablehlo.while in a stablehlo.map gives {result}, for a program")
sys.exit(result != "a program")
