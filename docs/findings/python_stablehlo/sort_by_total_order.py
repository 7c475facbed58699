"""sort/S6: `sort` in non-descending order by the comparator; by TOTALORDER -0 is less than 0."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(context := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!t = tensor<2xf32> !f = tensor<f32> func.func @main() -> !t { %x =
  stablehlo.constant dense<[0.0, -0.0]> : !t %r = "stablehlo.sort"(%x) ({ ^bb0(%a: !f, %b: !f): %p = stablehlo.compare
  LT, %a, %b, TOTALORDER : (!f, !f) -> tensor<i1> stablehlo.return %p : tensor<i1> }) : (!t) -> !t return %r : !t }""",
  context), [])[0][0]
print(f"the first of stablehlo.sort of [0, -0] by TOTALORDER is {actual}, for -0.0")
raise SystemExit(str(actual) != "-0.0")
