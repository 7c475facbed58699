"""convolution/S14: `reversed_lhs_window = reverse(lhs_window, ..)`; 1 * 5 + 2 * 3 + 4 * 1 is 15."""
import jax
from jaxlib.xla_client import DeviceList

text = """!x = tensor<1x3x2xf32> !k = tensor<3x1x2xf32> !r = tensor<1x1x2xf32> func.func @main(%x: !x, %k: !k) -> !r {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]}
  {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (!x, !k) -> !r return %r : !r }"""
run = jax.devices()[0].client.compile_and_load(text, DeviceList((jax.devices()[0],))).execute
x, k = jax.numpy.float32([[[1, 1], [2, 2], [4, 4]]]), jax.numpy.float32([[[1, 1]], [[3, 3]], [[5, 5]]])
print(f"stablehlo.convolution of 1, 2, 4 by 1, 3, 5, reversed, in two groups, is {run([x, k])[0].max()}, for 15.0")
raise SystemExit(int(run([x, k])[0].max() != 15))
