"""sort/S2: Unlike similar inputs in other operations, `dimension` allows negative values"""
import re
import sys

from iree import compiler

text = """!t = tensor<i32> !v = tensor<2xi32> !b = tensor<i1> func.func @main(%a: !v) -> !v { %r = "stablehlo.sort"(%a) ({
  ^bb(%x: !t, %y: !t): %c = stablehlo.compare LT, %x, %y : (!t, !t) -> !b stablehlo.return %c : !b })
  {dimension = -1 : i64} : (!v) -> !v return %r : !v }"""
result = "a program"
try:
    compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
except compiler.CompilerToolError as error:
    result = re.search("error: .*", str(error))[0]
print(f"compiling stablehlo.sort of dimension -1 gives {result}, for a program")
sys.exit(result != "a program")
