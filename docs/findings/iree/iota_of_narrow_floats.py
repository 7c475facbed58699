"""iota/S1: `output[output_index] = constant(.. output_index[iota_dimension], element_type(output))`, for 128 = 2^7."""
import sys

from iree import compiler, runtime

text = """!f = tensor<129xf32> !n = tensor<129xf8E5M2FNUZ>
func.func @main() -> !f { %n = stablehlo.iota dim = 0 : !n %r = stablehlo.convert %n : (!n) -> !f return %r : !f }"""
code = compiler.compile_str(text, input_type="stablehlo", target_backends=["llvm-cpu"])
main = runtime.load_vm_flatbuffer(code, driver="local-sync").main
actual = main().to_host()[128].item()
print(f"element 128 of a stablehlo.iota of f8E5M2FNUZ is {actual}, for 128.0")
sys.exit(actual != 128)
