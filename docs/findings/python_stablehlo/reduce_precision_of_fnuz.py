"""reduce_precision/S3: underflows to zero using the original sign, or is kept: no number becomes NaN."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<f8E4M3FNUZ> func.func @main() -> tensor<f32> { %x =
  stablehlo.constant dense<-0.0078125> : !t %y = stablehlo.reduce_precision %x, format = e2m3 : !t %r =
  stablehlo.convert %y : (!t) -> tensor<f32> return %r : tensor<f32> }""", context), [])[0][0]
print(f"stablehlo.reduce_precision(-2^-7, 2, 3) of f8E4M3FNUZ is {actual}, for a number")
raise SystemExit(actual != actual)
