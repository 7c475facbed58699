"""minimum/S4: For complex numbers: lexicographic minimum for the `(real, imaginary)` pair."""
import sys
import jax
from jaxlib.xla_client import DeviceList

text = """!c = tensor<complex<f32>> func.func @main(%x: !c, %y: !c) -> !c {
  %r = stablehlo.minimum %x, %y : !c return %r : !c }"""
program = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],)))
actual = program.execute([jax.numpy.complex64(1 + 3j), jax.numpy.complex64(1 + 2j)])[0].item()
print(f"stablehlo.minimum of 1+3i and 1+2i is {actual}, for (1+2j)")
sys.exit(actual != 1 + 2j)
