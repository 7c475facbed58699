"""exponential/S2: For complex numbers: complex exponential; within a few units of complex<f64>."""
import sys

import paddle

actual = paddle.exp(paddle.to_tensor([1 + 0j], dtype="complex128")).numpy()[0].real
print(f"paddle.exp(1) of complex128 is {actual:.16f}, for 2.7182818284590452")
sys.exit(int(abs(actual - 2.718281828459045) > 1e-14))
