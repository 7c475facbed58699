"""scatter/S16: If `result_index` is in bounds, then it is updated; 200 of ui8 is inside of 300 elements."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(c := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<300xui8> !i = tensor<1xui8> !u = tensor<ui8> func.func
@main() -> !t { %x = stablehlo.constant dense<0> : !t %i = stablehlo.constant dense<200> : !i %r = "stablehlo.scatter"(
%x, %i, %i) ({ ^bb0(%a: !u, %b: !u): stablehlo.return %b : !u }) {scatter_dimension_numbers = #stablehlo.scatter<
update_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (!t, !i, !i) -> !t return %r : !t }""", c), [])[0][200]
print(f"the element 200 of stablehlo.scatter of 200 to 300 zeros at 200 of ui8 is {actual}, for 200")
raise SystemExit(actual != 200)
