"""rsqrt/S1: For floats: `rSqrt` from IEEE-754."""
import math
import sys

import paddle

more, less = (paddle.rsqrt(paddle.full([8], value, "float32")).numpy()[0] for value in (1e-39, -1e-39))
print(f"paddle.rsqrt of 8 times 1e-39 and -1e-39 in float32 is {more} and {less}, for 3.16e+19 and nan")
sys.exit(int(more == math.inf or less == -math.inf))
