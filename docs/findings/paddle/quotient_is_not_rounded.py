"""divide/S2: For floats: `division` from IEEE-754, which is correctly rounded."""
import sys

import numpy as np
import paddle

if "GenuineIntel" not in open("/proc/cpuinfo").read():
    print("skipped: it is of processors of Intel")
    sys.exit(77)
x, y = np.linspace(1, 2, 10000, dtype=np.float32), np.linspace(2, 1, 10000, dtype=np.float32)
actual = paddle.divide(paddle.to_tensor(x), paddle.to_tensor(y)).numpy()
wrong = int((actual != x / y).sum())
print(f"paddle.divide of float32 is not the nearest float32 in {wrong} of 10000 quotients, for 0")
sys.exit(int(wrong > 0))
