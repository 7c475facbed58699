"""floor/S1: Implements the `roundToIntegralTowardNegative` operation from IEEE-754, which of 1.25 is 1."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<f8E3M4> func.func @main() -> tensor<f32> { %x =
  stablehlo.constant dense<1.25> : !t %y = stablehlo.floor %x : !t %r = stablehlo.convert %y : (!t) -> tensor<f32>
  return %r : tensor<f32> }""", context), [])[0][0]
print(f"stablehlo.floor(1.25) of f8E3M4 is {actual}, for 1.0")
raise SystemExit(actual != 1)
