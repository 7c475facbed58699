"""dynamic_update_slice/S2: `clamp(0, start_indices, shape(operand) - shape(update))`; 100 is inside of 299."""
import sys
import jax
from jaxlib.xla_client import DeviceList

text = """!t = tensor<300xi8> func.func @main(%x: !t, %u: tensor<1xi8>, %i: tensor<i8>) -> !t {
  %r = stablehlo.dynamic_update_slice %x, %u, %i : (!t, tensor<1xi8>, tensor<i8>) -> !t return %r : !t }"""
program = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],)))
actual = program.execute([jax.numpy.zeros(300, "int8"), jax.numpy.ones(1, "int8"), jax.numpy.int8(100)])[0].argmax()
print(f"the index at which stablehlo.dynamic_update_slice at 100, in i8, updates 300 elements is {actual}, for 100")
sys.exit(actual.item() != 100)
