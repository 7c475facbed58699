"""logistic/S2: For complex numbers: complex logistic; within a few units of complex<f64>."""
import sys

import paddle

actual = paddle.nn.functional.sigmoid(paddle.to_tensor([1 + 0j], dtype="complex128")).numpy()[0].real
print(f"paddle.nn.functional.sigmoid(1) of complex128 is {actual:.16f}, for 0.7310585786300049")
sys.exit(int(abs(actual - 0.7310585786300049) > 1e-14))
