"""convolution/S15: `dot_product = dot_general(reversed_lhs_window, rhs, ..)`, which over no elements is 0."""
import sys
import threading

import numpy as np
import onnx.parser
import onnxruntime

text = """<ir_version: 10, opset_import: ["": 23]>
g (float[a, b, c] x, float[d, b, e] w) => (float[a, d, f] y) { y = Conv(x, w) }"""
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
zeros = {"x": np.zeros((3, 4, 8), np.float32), "w": np.zeros((5, 4, 0), np.float32)}
call = threading.Thread(target=session.run, args=(None, zeros), daemon=True)
call.start()
call.join(20)
result = "not answered in 20 s" if call.is_alive() else "answered"
print(f"Conv of (3, 4, 8) by a kernel of (5, 4, 0) is {result}, for zeros")
sys.exit(call.is_alive())
