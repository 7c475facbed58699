"""negate/S3: For floats: `negate` from IEEE-754; of columns of four NumPy reads the elements beside one another."""
import sys

import numpy as np

if np.__version__ < "2":
    print("skipped: it is of NumPy 2")
    sys.exit(77)
x, y = np.arange(16, dtype=np.float32).reshape(4, 4), np.zeros((4, 2), np.float32)
np.negative(x[:, 0], out=y[:, 0])
print(f"np.negative of the column {x[:, 0].tolist()} of 4 is {y[:, 0].tolist()}")
sys.exit(y[:, 0].tolist() != [-0.0, -4.0, -8.0, -12.0])
