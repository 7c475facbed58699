"""remainder/I1: `lhs` is a "tensor of integer, floating-point or complex type"; of complex numbers the value is TBD."""
import subprocess
import sys

call = """from jaxlib.xla_client import DeviceList, make_cpu_client; client = make_cpu_client()
client.compile_and_load('''!t = tensor<1xcomplex<f32>> func.func @main(%x: !t) -> !t {
  %r = stablehlo.remainder %x, %x : !t return %r : !t }''', DeviceList(tuple(client.local_devices()[:1]))); print("a program")"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else (done.stdout + done.stderr).strip().rpartition("\n")[2]
print(f"stablehlo.remainder of complex numbers, compiled, is {result}, for a program or an error")
sys.exit(done.returncode < 0)
