"""convert/S3: if the source value can be exactly represented in the destination type, the result value is that exact representation."""
import math
import sys

import paddle

inf = paddle.to_tensor([math.inf]).cast("float8_e5m2").cast("float32").item()
nan = paddle.to_tensor([math.nan]).cast("float8_e4m3fn").cast("float32").item()
print(f"paddle.cast of inf to float8_e5m2 is {inf}, of nan to float8_e4m3fn {nan}; the types have both")
sys.exit(inf != math.inf or nan == nan)
