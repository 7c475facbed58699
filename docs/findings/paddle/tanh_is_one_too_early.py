"""tanh/S1: For floats: `tanh` from IEEE-754; budget 3.5 units."""
import sys

import paddle

actual = paddle.tanh(paddle.full([8], -8.0)).numpy()[0]
print(f"paddle.tanh of 8 times -8 in float32 is {actual:.9f}, for -0.999999762")
sys.exit(int(actual == -1))
