"""convert/S9: For complex-to-any-other-type conversions, the source imaginary value is ignored."""
import sys

import paddle

actual = paddle.to_tensor([5j]).cast("bool").item()
print(f"paddle.cast of 5j to bool is {actual}, for False")
sys.exit(actual)
