"""compare/S14: For complex element types, lexicographic comparison of `(real, imag)` pairs is performed."""
import sys
import jax
from jaxlib.xla_client import DeviceList

text = """!c = tensor<complex<f32>> func.func @main(%x: !c, %y: !c) -> tensor<i1> {
  %r = stablehlo.compare GE, %x, %y, FLOAT : (!c, !c) -> tensor<i1> return %r : tensor<i1> }"""
program = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],)))
actual = program.execute([jax.numpy.complex64(1 + 2j), jax.numpy.complex64(1 + 3j)])[0].item()
print(f"stablehlo.compare GE of 1+2i and 1+3i is {actual}, for False")
sys.exit(actual)
