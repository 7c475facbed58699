"""reduce/S3: `input_slices_converted = to_destination_type(input_slices..., ..)`, from i8 to i32."""
import subprocess, sys

call = """from jaxlib.mlir import _mlir_libs, ir; from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _stablehlo as hlo
_jax_mlir_ext.register_dialects(_mlir_libs.get_dialect_registry()); hlo.register_dialect(c := ir.Context())
print(*hlo.eval_module(ir.Module.parse('''!i = tensor<i32> !b = tensor<i8> func.func @main() -> !i { %x =
  stablehlo.constant dense<7> : !b %r = "stablehlo.reduce"(%x, %x) ({ ^bb0(%a: !i, %b: !i): %s = stablehlo.maximum %a,
  %b : !i stablehlo.return %s : !i }) {dimensions = array<i64>} : (!b, !b) -> !i return %r : !i }''', c), [])[0])"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
print(f"stablehlo.reduce of an i8 of 7 in i32 is {done.stdout.strip() or f'signal {-done.returncode}'}, for 7")
sys.exit(done.returncode < 0)
