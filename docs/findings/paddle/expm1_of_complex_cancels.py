"""exponential_minus_one/S2: For complex numbers: complex exponential minus one."""
import sys

import paddle

actual = paddle.expm1(paddle.to_tensor([2.0**-12 * 1j], dtype="complex64")).numpy()[0]
print(f"paddle.expm1(2^-12 j) of complex64 has the real part {actual.real}, for -2.98e-08")
sys.exit(int(abs(actual.real + 2.98e-8) > 1e-10))
