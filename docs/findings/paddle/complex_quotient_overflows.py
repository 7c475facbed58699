"""divide/S3: For complex numbers: complex division."""
import sys

import paddle

x = paddle.to_tensor([3e38 + 3e38j], dtype="complex64")
actual = paddle.divide(x, x).numpy()[0]
print(f"paddle.divide of 3e38+3e38j by itself in complex64 is {actual}, for 1")
sys.exit(not abs(actual - 1) < 1e-6)
