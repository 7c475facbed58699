"""dynamic_update_slice/S3: `clamp(0, start_indices, shape(operand) - shape(update))`; 200 of ui8 is above 1."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<2xui8> !i = tensor<ui8> func.func @main() -> !t { %x =
  stablehlo.iota dim = 0 : !t %u = stablehlo.constant dense<9> : tensor<1xui8> %i = stablehlo.constant dense<200> : !i
  %r = stablehlo.dynamic_update_slice %x, %u, %i : (!t, tensor<1xui8>, !i) -> !t return %r : !t }""", context),
  [])[0][1]
print(f"the last of stablehlo.dynamic_update_slice of [0, 1] by [9] at 200 of ui8 is {actual}, for 9")
raise SystemExit(actual != 9)
