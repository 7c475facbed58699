"""compare/S16: the combination of `totalOrder` and `compareQuietEqual`, element by element."""
import jax
from jaxlib.xla_client import DeviceList

text = """!t = tensor<2x2xf32> func.func @main(%x: !t) -> tensor<2x2xi1> { %t = stablehlo.transpose %x, dims = [1, 0] :
  (!t) -> !t %c = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : !t
  %r = stablehlo.compare EQ, %t, %c, TOTALORDER : (!t, !t) -> tensor<2x2xi1> return %r : tensor<2x2xi1> }"""
program = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],)))
actual = program.execute([jax.numpy.array([[0.0, 2.0], [1.0, 3.0]])])[0].all().item()
print(f"stablehlo.compare EQ TOTALORDER of a transposed tensor and a constant that equals it is {actual}, for True")
raise SystemExit(not actual)
