"""sign/S11: return divide(x, convert(abs(x), type(x)))."""
import sys

import paddle

actual = paddle.sign(paddle.to_tensor([3e38 + 3e38j], dtype="complex64")).numpy()[0]
print(f"paddle.sign(3e38+3e38j) of complex64 is {actual}, for 0.70710677+0.70710677j")
sys.exit(int(abs(actual - (0.70710677 + 0.70710677j)) > 1e-6))
