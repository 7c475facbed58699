"""divide/S1: For integers: integer division which produces the algebraic quotient, without its fraction."""
import sys
import jax
from jaxlib.xla_client import DeviceList

text = """!t = tensor<i32> func.func @main(%x: !t, %y: !t) -> !t {
  %p = stablehlo.power %x, %y : !t %r = stablehlo.divide %x, %p : !t return %r : !t }"""
program = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],)))
actual = program.execute([jax.numpy.int32(2), jax.numpy.int32(1)])[0].item()
print(f"stablehlo.divide(2, stablehlo.power(2, 1)) of i32 is {actual}, for 1")
sys.exit(actual != 1)
