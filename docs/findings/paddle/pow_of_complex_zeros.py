"""power/S3: For complex numbers: complex exponentiation."""
import sys

import paddle

zero = paddle.to_tensor([0j])
actual = paddle.pow(zero, zero).numpy()[0]
print(f"paddle.pow(0j, 0j) is {actual}, for 1")
sys.exit(int(actual != 1))
