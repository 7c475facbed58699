"""remainder/S2: the remainder is `lhs - d * rhs`; -2^31 modulo -1 is 0, or implementation-defined."""
import subprocess
import sys


call = ("import paddle; x, y = (paddle.to_tensor([v], dtype='int32') for v in (-2**31, -1)); "
        "print(paddle.remainder(x, y).item())")
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"paddle.remainder(-2147483648, -1) of int32 is {result}, for a value")
sys.exit(done.returncode < 0)
