"""dynamic_gather/S1: functionally identical to gather, by which 200 of ui8 is clamped to 3."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<4xui8> !i = tensor<1xui8> func.func @main() -> !i { %x =
  stablehlo.iota dim = 0 : !t %i = stablehlo.constant dense<200> : !i %s = stablehlo.constant dense<1> : !i %r =
  "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map =
  [0]>} : (!t, !i, !i) -> !i return %r : !i }""", context), [])[0][0]
print(f"stablehlo.dynamic_gather of [0, 1, 2, 3] at 200 of ui8 is {actual}, for 3")
raise SystemExit(actual != 3)
