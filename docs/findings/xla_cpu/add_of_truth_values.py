"""add/S1: For booleans: logical OR."""
import sys
import jax
from jaxlib.xla_client import DeviceList

text = """func.func @main() -> tensor<i1> { %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.add %t, %t : tensor<i1> return %r : tensor<i1> }"""
actual = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],))).execute([])[0].item()
print(f"stablehlo.add(true, true) of constants is {actual}, for True")
sys.exit(not actual)
