"""power/S1: For integers: integer exponentiation; no positive power of 0 is 1."""
import sys
import jax
from jaxlib.xla_client import DeviceList

text = """!t = tensor<i32> func.func @main(%x: !t, %y: !t) -> !t {
  %r = stablehlo.power %x, %y : !t return %r : !t }"""
program = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],)))
actual = program.execute([jax.numpy.int32(0), jax.numpy.int32(64)])[0].item()
print(f"stablehlo.power(0, 64) of i32 is {actual}, for 0")
sys.exit(actual != 0)
