"""cosine/S1: For floats: `cos` from IEEE-754."""
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (double[n] x) => (double[n] y) { y = Cos(x) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"x": np.float64([10.995574287564276] * 2)})[0][0].item()
print(f"Cos(10.995574287564276) of two float64 is {actual}, for -4.286263797015737e-16")
sys.exit(actual == 0)
