"""clamp/S2: `min_element = rank(min) = 0 ? min[] : min[result_index]`; Paddle takes bounds of one element, and says nothing of others."""
import sys

import paddle

x, least, most = (paddle.to_tensor(v, dtype="int32") for v in ([1, 5, 9], [0, 6, 0], [3, 7, 4]))
try:
    actual = paddle.clip(x, least, most).tolist()
except ValueError:
    actual = "refused"
print(f"paddle.clip([1, 5, 9], [0, 6, 0], [3, 7, 4]) is {actual}, for [1, 6, 4] or a refusal")
sys.exit(actual == [1, 3, 3])
