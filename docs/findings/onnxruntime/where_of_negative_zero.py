"""select/S1: `result[result_index] = pred_element ? on_true[result_index] : on_false[result_index]`"""
import math
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (bool[n] p, float[n] x, float[n] z) => (float[n] y) { y = Where(p, x, z) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"p": np.array([True]), "x": np.float32([-0.0]), "z": np.float32([0.0])})[0].item()
print(f"Where(true, -0.0, 0.0) is {actual}, for -0.0")
sys.exit(math.copysign(1, actual) > 0)
