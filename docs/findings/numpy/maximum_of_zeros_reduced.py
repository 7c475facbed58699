"""reduce/S5: `exec(node) = body(exec(node.left), exec(node.right))`; by `maximum` from IEEE-754 +0 is above -0."""
import sys

import numpy as np

actual = [np.max(np.float16([0.0, -0.0])).item(), np.max(np.float16([-0.0, 0.0])).item()]
print(f"np.max of [0.0, -0.0] and of [-0.0, 0.0] of float16 is {actual}, for [0.0, 0.0]")
sys.exit(str(actual) != "[0.0, 0.0]")
