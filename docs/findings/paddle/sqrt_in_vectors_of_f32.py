"""sqrt/S1: For floats: `squareRoot` from IEEE-754."""
import math
import sys

import paddle

values = (-0.0, math.inf, 1e-39, -1e-39)
roots = [paddle.sqrt(paddle.full([8], value)).numpy()[0] for value in values]
print(f"paddle.sqrt of 8 times {values} in float32 is {tuple(map(float, roots))}, for (-0.0, inf, 3.16e-20, nan)")
sys.exit(int(roots[1] != math.inf or roots[2] == 0))
