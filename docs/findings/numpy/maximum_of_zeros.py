"""maximum/S3: For floats: `maximum` from IEEE-754, by which -0 is less than +0."""
import sys

import numpy as np

actual = np.maximum([0.0, -0.0], [-0.0, 0.0]).tolist()
print(f"np.maximum([0.0, -0.0], [-0.0, 0.0]) is {actual}, for [0.0, 0.0]")
sys.exit(str(actual) != "[0.0, 0.0]")
