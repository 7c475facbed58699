"""compare/S8: For floating-point element types, `NE`: `compareQuietNotEqual`."""
import sys

import paddle

x, y = paddle.to_tensor([0.0], "float64"), paddle.to_tensor([1e-308], "float64")
actual = paddle.not_equal(x, y).item()
print(f"paddle.not_equal(0.0, 1e-308) in float64 is {actual}, for True")
sys.exit(not actual)
