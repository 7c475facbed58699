"""scatter/S18: `updated_values = update_computation(results...[result_index], updates_converted)`, of all inputs together."""
import jax
from jaxlib.xla_client import DeviceList

if jax.default_backend() != "gpu":
    raise SystemExit(print("skipped: no GPU") or 77)
text = """!z = tensor<3x7x1xf32> !u = tensor<3x1x1xf32> !f = tensor<f32> func.func @main(%z: !z, %i: tensor<1x1xui32>, %u: !u, %v: !u) -> !z {
  %r:3 = "stablehlo.scatter"(%z, %z, %z, %i, %u, %v, %v) <{unique_indices = true, scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [0], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%a: !f, %b: !f, %c: !f, %x: !f, %y: !f, %w: !f): %l = stablehlo.minimum %a, %x : !f
    stablehlo.return %l, %b, %c : !f, !f, !f }) : (!z, !z, !z, tensor<1x1xui32>, !u, !u, !u) -> (!z, !z, !z) return %r#0 : !z }"""
run = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],))).execute
zeros = jax.numpy.zeros
actual = run([zeros((3, 7, 1)), jax.numpy.ones((1, 1), "uint32"), zeros((3, 1, 1)) - 1, zeros((3, 1, 1))])[0][0, :, 0].tolist()
print(f"stablehlo.scatter of -1 by minimum, three at 1 of three zeros, is {actual}, for [0, -1, -1, -1, 0, 0, 0]")
raise SystemExit(actual != [0, -1, -1, -1, 0, 0, 0])
