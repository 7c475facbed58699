"""dot_general/S11: `dot_product = reduce(inputs=[multiply(..)], init_values=[constant(0, element_type(result))], ..)`: 0 over nothing."""
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (uint32[a, b] x, uint32[b, c] z) => (uint32[a, c] y) { y = MatMul(x, z) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
try:
    actual = session.run(None, {"x": np.ones((2, 0), np.uint32), "z": np.ones((0, 2), np.uint32)})[0].tolist()
except Exception as error:
    actual = type(error).__name__
print(f"MatMul of (2, 0) by (0, 2) of uint32 is {actual}, for [[0, 0], [0, 0]] as of int32")
sys.exit(actual != [[0, 0], [0, 0]])
