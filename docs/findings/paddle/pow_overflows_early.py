"""power/S2: For floats: `pow` from IEEE-754."""
import sys

import paddle

x, y = (paddle.full([8], value, "float64") for value in (10.0, 308.2547155599167))
actual = paddle.pow(x, y).numpy()[0]
print(f"paddle.pow(10, 308.2547155599167) of 8 float64 is {actual}, for 1.797693134862092e+308")
sys.exit(int(actual == float("inf")))
