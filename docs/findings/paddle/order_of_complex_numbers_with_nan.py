"""compare/S14: For complex element types, lexicographic comparison of `(real, imag)` pairs."""
import sys

import paddle

nan = float("nan")
x, y = paddle.to_tensor([complex(2, nan)]), paddle.to_tensor([complex(1, nan)])
actual = paddle.greater_equal(x, y).item()
print(f"paddle.greater_equal(2+nanj, 1+nanj) is {actual}, for True: 2 > 1 decides")
sys.exit(not actual)
