"""batch_norm_training/S9: the operand is centered and divided by the deviation, also where a feature has one element."""
import sys

import paddle

x, scale = paddle.to_tensor([[3.0, -5.0]]), paddle.ones([2])
offset, mean, variance = paddle.to_tensor([1.0, 2.0]), paddle.zeros([2]), paddle.ones([2])
actual = paddle.nn.functional.batch_norm(x, mean, variance, scale, offset, training=True).tolist()
print(f"paddle.nn.functional.batch_norm in training of [[3, -5]] with the offset [1, 2] is {actual}, for [[1.0, 2.0]]")
sys.exit(actual == [[3.0, -5.0]])
