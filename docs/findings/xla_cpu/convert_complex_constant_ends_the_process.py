"""convert/S9: For complex-to-any-other-type conversions, the source imaginary value is ignored."""
import subprocess
import sys

call = """from jaxlib.xla_client import DeviceList, make_cpu_client; client = make_cpu_client()
text = '''func.func @main() -> tensor<f32> { %x = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %r = stablehlo.convert %x : (tensor<complex<f32>>) -> tensor<f32> return %r : tensor<f32> }'''
print(client.compile_and_load(text, DeviceList(tuple(client.local_devices()[:1]))).execute([])[0])"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
print(f"stablehlo.convert of the constant 1+2i is {done.stdout.strip() or f'signal {-done.returncode}'}, for 1.0")
sys.exit(done.returncode < 0)
