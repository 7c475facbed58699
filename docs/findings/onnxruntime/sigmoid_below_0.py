"""logistic/S1: For floats: `division(1, addition(1, exp(-x)))` from IEEE-754."""
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (float[n] x) => (float[n] y) { y = Sigmoid(x) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual, less = session.run(None, {"x": np.float32([-18, -10])})[0].tolist()
print(f"Sigmoid(-18) is {actual}, for 1.5229979e-08; Sigmoid(-10) is {less:.8g}, for 4.5397868e-05")
sys.exit(actual < 1.5e-8)
