"""maximum/S3: For floats: `maximum` from IEEE-754, by which -0 is less than 0."""
import math
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (float[n] x, float[n] z) => (float[n] y) { y = Max(x, z) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"x": np.float32([0.0]), "z": np.float32([-0.0])})[0].item()
print(f"Max(0.0, -0.0) is {actual}, for 0.0")
sys.exit(math.copysign(1, actual) < 0)
