"""sign/S13: if compare(x, -0.0, EQ, FLOAT): return -0.0"""
import math
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (float[n] x) => (float[n] y) { y = Sign(x) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"x": np.float32([-0.0])})[0].item()
print(f"Sign(-0.0) is {actual}, for -0.0")
sys.exit(math.copysign(1, actual) > 0)
