"""dynamic_slice/S3: `clamp(0, start_indices, shape(operand) - slice_sizes)`; 200 of ui8 is above 3."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<4xi32> !r = tensor<1xi32> func.func @main() -> !r { %x =
  stablehlo.iota dim = 0 : !t %i = stablehlo.constant dense<200> : tensor<ui8> %r = stablehlo.dynamic_slice %x, %i,
  sizes = [1] : (!t, tensor<ui8>) -> !r return %r : !r }""", context), [])[0][0]
print(f"stablehlo.dynamic_slice of [0, 1, 2, 3] at 200 of ui8 is {actual}, for 3")
raise SystemExit(actual != 3)
