"""dot_general/S25: `lhs_precision_type` and `rhs_precision_type`, the precisions that the operands are rounded to."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(c := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!f = tensor<f32> func.func @main() -> !f { %x = stablehlo.constant
dense<2049.0> : !f %r = stablehlo.dot_general %x, %x, contracting_dims = [] x [], algorithm = <lhs_precision_type = f16,
rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
num_primitive_operations = 1, allow_imprecise_accumulation = false> : (!f, !f) -> !f return %r : !f }""", c), [])[0][0]
print(f"stablehlo.dot_general of 2049 and 2049, which are rounded to f16, is {actual}, for 4194304.0")
raise SystemExit(actual != 2048**2)
