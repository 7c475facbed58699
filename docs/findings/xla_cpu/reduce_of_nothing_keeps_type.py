"""reduce/C8: `element_type(results...) = element_type(output_types(body)...)`, which is i32."""
import jax
from jaxlib.xla_client import DeviceList

text = """func.func @main(%x: tensor<0xi8>, %z: tensor<i8>) -> tensor<i32> { %r = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>): %s = stablehlo.add %a, %b : tensor<i32> stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<0xi8>, tensor<i8>) -> tensor<i32> return %r : tensor<i32> }"""
program = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],)))
actual = jax.device_get(program.execute([jax.numpy.zeros(0, "int8"), jax.numpy.int8(1)])[0]).dtype
print(f"the type of stablehlo.reduce of no i8 by a body on i32 is {actual}, for int32")
raise SystemExit(actual != "int32")
