"""negate/S3: For floats: `negate` from IEEE-754, which changes the sign."""
import math
import sys

import paddle

actual = paddle.neg(paddle.to_tensor([0.0])).numpy()[0]
print(f"paddle.neg(0.0) is {actual}, for -0.0")
sys.exit(math.copysign(1, actual) > 0)
