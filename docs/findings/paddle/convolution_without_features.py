"""convolution/S1: the result has the features of the kernel, and 0 for sums of no terms."""
import sys

import paddle

conv1d = paddle.nn.functional.conv1d
actual = list(conv1d(paddle.zeros([3, 0, 8]), paddle.zeros([7, 0, 2])).shape)
print(f"paddle.nn.functional.conv1d of no features by a kernel of 7 has the shape {actual}, for [3, 7, 7]")
sys.exit(actual == [3, 0, 7])
