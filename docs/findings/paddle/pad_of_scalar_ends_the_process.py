"""pad/S2: the result is `padding_value` where it is no element of the operand; of rank 0, it is the operand."""
import subprocess
import sys


call = "import paddle; print(paddle.nn.functional.pad(paddle.to_tensor(3.0), [], value=9.0).item())"
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"paddle.nn.functional.pad of a scalar by nothing is {result}, for 3.0")
sys.exit(done.returncode < 0)
