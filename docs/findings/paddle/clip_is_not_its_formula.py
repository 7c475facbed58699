"""clamp/S1: `result = minimum(maximum(operand, min), max)`, which Paddle documents, too; -0 is less than 0."""
import math
import sys

import paddle

zero = paddle.clip(paddle.to_tensor([-0.0]), 0.0, 1.0).item()
try:
    two = paddle.clip(paddle.to_tensor([3.0]), 4.0, 2.0).item()
except ValueError:
    two = "refused"
print(f"paddle.clip(-0.0, 0, 1) is {zero}, for 0.0; paddle.clip(3, 4, 2) is {two}, for 2.0")
sys.exit(math.copysign(1, zero) < 0 or two == "refused")
