"""tanh/S1: For floats: `tanh` from IEEE-754; budget 3.5 units."""
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (double[n] x) => (double[n] y) { y = Tanh(x) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"x": np.float64([18, 18])})[0][0].item()
print(f"Tanh(18) of two float64 is {actual}, for 0.9999999999999996")
sys.exit(actual == 1)
