"""abs/S2: For floats: `abs` from IEEE-754; f6E2M3FN is one of them, and a tensor may have no elements."""
import subprocess
import sys

call = """from jaxlib.xla_client import DeviceList, make_cpu_client; client = make_cpu_client()
client.compile_and_load('''!t = tensor<0xf6E2M3FN> func.func @main(%x: !t) -> !t {
  %r = stablehlo.abs %x : !t return %r : !t }''', DeviceList(tuple(client.local_devices()[:1]))); print("a program")"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
result = f"signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()
print(f"stablehlo.abs of no elements of f6E2M3FN, compiled, is {result}, for a program")
sys.exit(done.returncode < 0)
