"""divide/S1: For integers: the quotient; where -2^31 / -1 overflows, a value is implementation-defined."""
import subprocess
import sys


call = ("import paddle; x, y = (paddle.to_tensor([v], dtype='int32') for v in (-2**31, -1)); "
        "print(paddle.divide(x, y, rounding_mode='trunc').item())")
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"paddle.divide(-2147483648, -1, rounding_mode='trunc') of int32 is {result}, for a value")
sys.exit(done.returncode < 0)
