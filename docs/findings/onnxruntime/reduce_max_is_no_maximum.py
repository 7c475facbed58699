"""reduce/S5: With maximum/S3. For floats: `maximum` from IEEE-754, with NaN of NaN, and -0 below 0."""
import math
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = """<ir_version: 10, opset_import: ["": 23]>
g (float[a, b] x, int64[c] d) => (float[e] y) { y = ReduceMax <keepdims = 0> (x, d) }"""
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
rows = [[1, 1, 1, 1, math.nan, 1, 1, 1, 1], 8 * [-0.0] + [0.0]]
nan, zero = session.run(None, {"x": np.float32(rows), "d": np.int64([1])})[0].tolist()
print(f"ReduceMax of NaN among eight 1 is {nan}, for nan; of eight -0.0 and 0.0 it is {zero}, for 0.0")
sys.exit(not math.isnan(nan) or math.copysign(1, zero) < 0)
