"""compare/C3: `compare_type` is `FLOAT` or `TOTALORDER` of a float type, and f6E2M3FN is one."""
import subprocess
import sys

call = """from jaxlib.xla_client import DeviceList, make_cpu_client; client = make_cpu_client()
client.compile_and_load('''!t = tensor<1xf6E2M3FN> func.func @main(%x: !t) -> tensor<1xi1> {
  %r = stablehlo.compare LT, %x, %x, TOTALORDER : (!t, !t) -> tensor<1xi1> return %r : tensor<1xi1> }''',
  DeviceList(tuple(client.local_devices()[:1]))); print("a program")"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else (done.stdout + done.stderr).strip().rpartition("\n")[2]
print(f"stablehlo.compare of f6E2M3FN in total order, compiled, is {result}, for a program")
sys.exit(result != "a program")
