"""compare/S7: For floating-point element types, `EQ`: `compareQuietEqual`."""
import sys

import paddle

x, y = paddle.to_tensor([0.0], "float64"), paddle.to_tensor([1e-308], "float64")
actual = paddle.equal(x, y).item()
print(f"paddle.equal(0.0, 1e-308) in float64 is {actual}, for False")
sys.exit(actual)
