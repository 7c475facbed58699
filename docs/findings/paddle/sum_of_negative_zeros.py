"""reduce_window/S5: the sum of -0 and -0 is -0 by IEEE-754, whatever its order; an initial value is given beside."""
import math
import sys

import paddle

actual = paddle.sum(paddle.to_tensor([-0.0, -0.0])).item()
print(f"paddle.sum of [-0.0, -0.0] is {actual}, for -0.0")
sys.exit(math.copysign(1, actual) > 0)
