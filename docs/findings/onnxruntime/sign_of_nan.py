"""sign/S4: if is_nan(x): return NaN"""
import math
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (float16[n] x) => (float16[n] y) { y = Sign(x) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"x": np.float16([math.nan])})[0].item()
print(f"Sign(nan) in float16 is {actual}, for nan")
sys.exit(not math.isnan(actual))
