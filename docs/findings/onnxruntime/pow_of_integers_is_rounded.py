"""power/S1: For integers: integer exponentiation."""
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (int64[n] x, int64[n] z) => (int64[n] y) { y = Pow(x, z) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"x": np.int64([3]), "z": np.int64([39])})[0].item()
print(f"Pow(3, 39) of int64 is {actual}, for {3**39}")
sys.exit(actual != 3**39)
