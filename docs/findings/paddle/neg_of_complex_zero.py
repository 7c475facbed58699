"""negate/S4: For complex numbers: complex negation, of both parts."""
import math
import sys

import paddle

actual = paddle.neg(paddle.to_tensor([2.5 + 0j])).numpy()[0]
print(f"paddle.neg(2.5+0j) is {actual}, for -2.5-0j")
sys.exit(math.copysign(1, actual.imag) > 0)
