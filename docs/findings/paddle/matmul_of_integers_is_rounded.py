"""dot_general/S14: `dot_product` is a sum of products of integers, which are exact."""
import sys

import paddle

x = paddle.to_tensor([[2**24 + 1]])
actual = paddle.matmul(x, paddle.ones_like(x)).item()
print(f"paddle.matmul of [[{2**24 + 1}]] and [[1]] in int64 is {actual}")
sys.exit(actual != 2**24 + 1)
