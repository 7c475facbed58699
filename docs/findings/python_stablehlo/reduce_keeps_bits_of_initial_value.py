"""reduce/S4: `init_values_converted = to_destination_type(init_values..., ..)`, from f16 to bf16."""
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlir, _stablehlo as hlo, get_dialect_registry

_jax_mlir_ext.register_dialects(get_dialect_registry())
hlo.register_dialect(c := _mlir.ir.Context())
actual = hlo.eval_module(_mlir.ir.Module.parse("""!b = tensor<bf16> !f = tensor<f32> func.func @main() -> !f { %x =
stablehlo.constant dense<> : tensor<0xf16> %z = stablehlo.constant dense<1.0> : tensor<f16> %y = "stablehlo.reduce"(%x,
%z) ({ ^bb0(%a: !b, %c: !b): %s = stablehlo.multiply %a, %c : !b stablehlo.return %s : !b }) {dimensions = array<i64:
0>} : (tensor<0xf16>, tensor<f16>) -> !b %r = stablehlo.convert %y : (!b) -> !f return %r : !f }""", c), [])[0][0]
print(f"stablehlo.reduce of no f16 from 1, by a product in bf16, is {actual}, for 1.0")
raise SystemExit(actual != 1)
