"""pad/S2: the result is `padding_value` where it is no element of the operand."""
import sys

import paddle

value = 2**53 + 1
actual = paddle.nn.functional.pad(paddle.to_tensor([0]), [1, 0], value=value)[0].item()
print(f"paddle.nn.functional.pad of int64 by {value} is {actual}, for {value}")
sys.exit(actual != value)
