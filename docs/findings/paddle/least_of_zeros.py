"""reduce/S5: With minimum/S3. For floats: `minimum` from IEEE-754, by which -0 is less than 0."""
import math
import sys

import paddle

actual = paddle.min(paddle.to_tensor([-0.0, 0.0])).item()
print(f"paddle.min of [-0.0, 0.0] is {actual}, for -0.0")
sys.exit(math.copysign(1, actual) > 0)
