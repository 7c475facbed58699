"""sign/S13: if compare(x, -0.0, EQ, FLOAT): return -0.0."""
import math
import sys

import paddle

actual = paddle.sign(paddle.to_tensor([-0.0])).numpy()[0]
print(f"paddle.sign(-0.0) is {actual}, for -0.0")
sys.exit(math.copysign(1, actual) > 0)
