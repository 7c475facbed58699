"""convert/S2: For any-supported-type-to-boolean conversions, a zero value is converted to `false`."""
import sys

import numpy as np
import onnx.parser
import onnxruntime

text = '<ir_version: 10, opset_import: ["": 23]> g (float[n] x) => (bool[n] y) { z = Cast <to = 19> (x) y = Cast <to = 9> (z) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
actual = session.run(None, {"x": np.float32([-0.0])})[0].item()
print(f"Cast of -0.0 from float8e5m2 to bool is {actual}, for False")
sys.exit(actual)
