"""reduce_precision/S1: the nearest value with `mantissa_bits`; 8 has an exponent of 3, which fits into 3 bits."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<f8E8M0FNU> func.func @main() -> tensor<f32> { %x =
  stablehlo.constant dense<8.0> : !t %y = stablehlo.reduce_precision %x, format = e3m0 : !t %r = stablehlo.convert %y :
  (!t) -> tensor<f32> return %r : tensor<f32> }""", context), [])[0][0]
print(f"stablehlo.reduce_precision(8, 3, 0) of f8E8M0FNU is {actual}, for 8.0")
raise SystemExit(actual != 8)
