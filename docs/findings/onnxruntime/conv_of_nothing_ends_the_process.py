"""convolution/C25: `num_windows = is_empty_window[lhs_dim] ? 0 : ..`, and over no elements the window is empty."""
import subprocess
import sys

call = """import numpy as np, onnx.parser, onnxruntime
text = '<ir_version: 10, opset_import: ["": 23]> g (float[a, b, c] x, float[d, b, e] w) => (float[a, d, f] y) { y = Conv(x, w) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
zeros = {"x": np.zeros((3, 4, 0), np.float32), "w": np.zeros((5, 4, 0), np.float32)}
print(session.run(None, zeros)[0].shape)"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip() or "refused"
print(f"Conv of (3, 4, 0) by a kernel of (5, 4, 0) is {result}, for the shape (3, 5, 0)")
sys.exit(done.returncode < 0)
