"""convert/S3: if the source value can be exactly represented in the destination type, so is the result."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""func.func @main() -> tensor<f32> { %x = stablehlo.constant dense<0xFF>
  : tensor<f8E8M0FNU> %r = stablehlo.convert %x : (tensor<f8E8M0FNU>) -> tensor<f32> return %r : tensor<f32> }""",
  context), [])[0][0]
print(f"stablehlo.convert of NaN of f8E8M0FNU to f32 is {actual}, for nan")
raise SystemExit(actual == actual)
