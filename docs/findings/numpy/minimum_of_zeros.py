"""minimum/S3: For floats: `minimum` from IEEE-754, by which -0 is less than +0."""
import sys

import numpy as np

actual = np.minimum([0.0, -0.0], [-0.0, 0.0]).tolist()
print(f"np.minimum([0.0, -0.0], [-0.0, 0.0]) is {actual}, for [-0.0, -0.0]")
sys.exit(str(actual) != "[-0.0, -0.0]")
