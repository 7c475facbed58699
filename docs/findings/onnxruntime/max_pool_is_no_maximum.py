"""reduce_window/S1: With maximum/S3. For floats: `maximum` from IEEE-754, with NaN of NaN, and -0 below 0."""
import math
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = """<ir_version: 10, opset_import: ["": 23]>
g (float[a, b, c] x) => (float[d, e, f] y) { y = MaxPool <kernel_shape = [2]> (x) }"""
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
nan = session.run(None, {"x": np.float32([[[1, math.nan]]])})[0].item()
zero = session.run(None, {"x": np.float32([[[-0.0, 0.0]]])})[0].item()
print(f"MaxPool of 1 and NaN is {nan}, for nan; of -0.0 and 0.0 it is {zero}, for 0.0")
sys.exit(not math.isnan(nan) or math.copysign(1, zero) < 0)
