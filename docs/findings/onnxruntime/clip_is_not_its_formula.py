"""clamp/S1: `minimum(maximum(operand[result_index], min_element), max_element)`, which ONNX has as well; maximum(0, NaN) is NaN."""
import math
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (float[n] x, float low, float high) => (float[n] y) { y = Clip(x, low, high) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
nan = session.run(None, {"x": np.float32([0]), "low": np.array(math.nan, np.float32), "high": np.array(1, np.float32)})[0].item()
zero = session.run(None, {"x": np.float32([-0.0]), "low": np.array(0, np.float32), "high": np.array(1, np.float32)})[0].item()
print(f"Clip(0, min=nan, max=1) is {nan}, for nan; Clip(-0.0, min=0.0, max=1.0) is {zero}, for 0.0")
sys.exit(not math.isnan(nan) or math.copysign(1, zero) < 0)
