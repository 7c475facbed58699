"""maximum/S3: For floats: `maximum` from IEEE-754, by which -0 is less than 0."""
import math
import sys

import paddle

x, y = paddle.to_tensor([0.0]), paddle.to_tensor([-0.0])
actual = paddle.maximum(x, y).numpy()[0]
print(f"paddle.maximum(0.0, -0.0) is {actual}, for 0.0")
sys.exit(math.copysign(1, actual) < 0)
