"""batch_norm_inference/S9: `add(multiply(scale, normalized_operand), offset)`, and what is divided by infinity is 0."""
import math
import sys

import paddle

x, zero = paddle.ones([1, 8]), paddle.zeros([8])
result = paddle.nn.functional.batch_norm(x, zero, zero + math.inf, zero + 1, zero + 3, training=False)
actual = result.numpy()[0, 0]
print(f"paddle.nn.functional.batch_norm of 8 features with infinite variance and the offset 3 is {actual}, for 3")
sys.exit(int(actual != 3))
