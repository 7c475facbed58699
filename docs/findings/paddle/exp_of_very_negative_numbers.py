"""exponential/S1: For floats: `exp` from IEEE-754: 0 of minus infinity, and subnormal where that is nearest."""
import math
import sys

import paddle

x = [-math.inf] * 8
last = [paddle.exp(paddle.to_tensor(x, dtype=d)).numpy()[0] for d in ("float32", "float64")]
small = paddle.exp(paddle.full([8], -100.0)).numpy()[0]
print(f"paddle.exp of 8 times -inf is {last[0]} in float32 and {last[1]} in float64, for 0; of -100 {small}, for 3.8e-44")
sys.exit(any(last) or small > 4e-44)
