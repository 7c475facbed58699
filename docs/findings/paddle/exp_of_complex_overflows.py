"""exponential/S5: For complex numbers: complex exponential, of which a part may be finite where exp(real) is not."""
import sys

import paddle

actual = paddle.exp(paddle.to_tensor([89 + 1j], dtype="complex64")).numpy()[0]
print(f"paddle.exp(89+1j) of complex64 has the real part {actual.real}, for 2.4257e+38")
sys.exit(int(abs(actual.real / 2.4257482e38 - 1) > 1e-5))
