"""log_plus_one/S2: For complex numbers: complex logarithm plus one."""
import sys

import paddle

actual = paddle.log1p(paddle.to_tensor([2.0**-25 + 2.0**-12 * 1j], dtype="complex64")).numpy()[0]
print(f"paddle.log1p(2^-25 + 2^-12 j) of complex64 has the real part {actual.real}, for 5.96e-08")
sys.exit(int(abs(actual.real - 5.96e-8) > 1e-10))
