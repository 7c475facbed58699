"""dot_general/S11: `dot_product = reduce(..)` over no elements, which is its initial value, 0."""
import subprocess, sys

call = """from jaxlib.mlir import _mlir_libs, ir; from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _stablehlo as hlo
_jax_mlir_ext.register_dialects(_mlir_libs.get_dialect_registry()); hlo.register_dialect(c := ir.Context())
print(*hlo.eval_module(ir.Module.parse('''!x = tensor<1x0xi32> !y = tensor<0x1xi32> !r = tensor<1x1xi32> func.func
  @main() -> !r { %x = stablehlo.constant dense<> : !x %y = stablehlo.constant dense<> : !y %r = stablehlo.dot_general
  %x, %y, contracting_dims = [1] x [0] : (!x, !y) -> !r return %r : !r }''', c), [])[0])"""
done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
print(f"stablehlo.dot_general of 1x0 by 0x1 elements is {done.stdout.strip() or f'signal {-done.returncode}'}, for 0")
sys.exit(done.returncode < 0)
