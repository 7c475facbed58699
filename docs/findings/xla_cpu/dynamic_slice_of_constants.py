"""dynamic_slice/S3: `clamp(0, start_indices, shape(operand) - slice_sizes)`; 200 of ui8 is above 2."""
import sys
import jax
from jaxlib.xla_client import DeviceList

text = """!t = tensor<2xi32> func.func @main() -> !t { %x = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi32>
  %i = stablehlo.constant dense<200> : tensor<ui8>
  %r = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xi32>, tensor<ui8>) -> !t return %r : !t }"""
actual = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],))).execute([])[0].tolist()
print(f"stablehlo.dynamic_slice of the constants [10, 11, 12, 13] at 200 of ui8 is {actual}, for [12, 13]")
sys.exit(actual != [12, 13])
