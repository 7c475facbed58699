"""power/S1: For integers: integer exponentiation."""
import sys

import paddle

actual = paddle.pow(paddle.to_tensor([3]), paddle.to_tensor([39])).item()
print(f"paddle.pow(3, 39) of int64 is {actual}, for {3**39}")
sys.exit(actual != 3**39)
