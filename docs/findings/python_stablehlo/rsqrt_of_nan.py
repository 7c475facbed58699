"""rsqrt/S1: For floats: `rSqrt` from IEEE-754, which is NaN of NaN."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<f8E8M0FNU> func.func @main() -> tensor<f32> { %x =
  stablehlo.constant dense<0xFF> : !t %y = stablehlo.rsqrt %x : !t %r = stablehlo.convert %y : (!t) -> tensor<f32>
  return %r : tensor<f32> }""", context), [])[0][0]
print(f"stablehlo.rsqrt of NaN of f8E8M0FNU is {actual}, for nan")
raise SystemExit(0 <= actual < float("inf"))
