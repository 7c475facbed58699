"""compare/S16: the combination of `totalOrder` and `compareQuietEqual`; by `totalOrder` -0 is less than 0."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""func.func @main() -> tensor<i1> { %x = stablehlo.constant dense<-0.0>
  : tensor<f32> %y = stablehlo.constant dense<0.0> : tensor<f32> %r = stablehlo.compare LT, %x, %y, TOTALORDER :
  (tensor<f32>, tensor<f32>) -> tensor<i1> return %r : tensor<i1> }""", context), [])[0][0]
print(f"stablehlo.compare LT TOTALORDER of -0 and 0 is {actual}, for 1")
raise SystemExit(actual != 1)
