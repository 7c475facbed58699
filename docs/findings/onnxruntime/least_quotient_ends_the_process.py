"""divide/S1: For integers: integer division which produces the algebraic quotient with any fractional part discarded."""
import subprocess
import sys

call = """import numpy as np, onnx.parser, onnxruntime
text = '<ir_version: 10, opset_import: ["": 23]> g (int32[n] x, int32[n] z) => (int32[n] y) { y = Div(x, z) }'
session = onnxruntime.InferenceSession(onnx.parser.parse_model(text).SerializeToString())
print(session.run(None, {"x": np.int32([-2**31]), "z": np.int32([-1])})[0][0])"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip() or "refused"
print(f"Div(-2147483648, -1) of int32 is {result}, for a value")
sys.exit(done.returncode < 0)
