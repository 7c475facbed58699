"""reduce/S5: With maximum/S3. For floats: `maximum` from IEEE-754, by which -0 is less than 0."""
import math
import sys

import paddle

actual = paddle.max(paddle.to_tensor([0.0, -0.0])).item()
print(f"paddle.max of [0.0, -0.0] is {actual}, for 0.0")
sys.exit(math.copysign(1, actual) < 0)
