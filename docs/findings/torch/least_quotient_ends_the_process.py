"""divide/S1: For integers: the quotient; where -2^31 / -1 overflows, a value is implementation-defined."""
import subprocess
import sys

call = "import torch; print(torch.div(torch.tensor([-2**31]).int(), torch.tensor([-1]).int(), rounding_mode='trunc').item())"
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"torch.div(-2147483648, -1, rounding_mode='trunc') of i32 is {result}, for a value")
sys.exit(done.returncode < 0)
