"""Calls XLA:CPU with each op as a StableHLO module, alone and fused with its neighbours.

Operands are arguments, so that no constant is folded. A call is made on its elements as they are, on many copies of
them (vector code), and with operands and result reversed in the same module (fused code).
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jaxlib  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402

VERSIONS = f"jaxlib {jaxlib.__version__}"
DTYPES = {"i1": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16,
          "complex<f32>": np.complex64, "complex<f64>": np.complex128,
          **{f"{u}i{w}": np.dtype(f"{u}int{w}").type for u in ("", "u") for w in (8, 16, 32, 64)},
          **{name: getattr(ml_dtypes, "float" + name[1:].lower().replace("e", "_e", 1)) for name in (
              "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ",
              "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU")}}
COPIES = 64
ENUMS = {"comparison_direction": "comparison_direction", "compare_type": "comparison_type"}


class Unsupported(Exception):
    """Is raised if the package does not have the call, with the call as text."""


class NoType(Unsupported):
    """Is raised if this version of the package does not have a type of the call."""


def array(name, bits):
    dtype = np.dtype(DTYPES[name])
    if name == "i1":
        return np.array(bits, bool)
    if dtype.kind == "c":
        part = dtype.itemsize * 4
        parts = [(b >> shift) % (1 << part) for b in bits for shift in (0, part)]
        return np.array(parts, f"u{part // 8}").view(dtype)
    return np.array(bits, f"u{dtype.itemsize}").view(dtype)


def bits_of(x):
    if x.dtype == bool:
        return x.astype(int).tolist()
    if x.dtype.kind == "c":
        parts = x.view(f"u{x.dtype.itemsize // 2}").tolist()
        return [a | b << 4 * x.dtype.itemsize for a, b in zip(parts[::2], parts[1::2])]
    return x.view(f"u{x.dtype.itemsize}").tolist()


def op_text(probe, operands, types, result):
    attributes = ", ".join(f"{name} = #stablehlo<{ENUMS[name]} {value}>" if name in ENUMS else f"{name} = {value} : i32"
                           for name, value in probe.attributes.items())
    return f'"stablehlo.{probe.op}"({", ".join(operands)}) {{{attributes}}} : ({", ".join(types)}) -> {result}'


def module(probe, n, is_fused):
    """Returns the text of a function of n elements."""
    types = [f"tensor<{n}x{name}>" for name in probe.types]
    result = f"tensor<{n}x4x{probe.result}>" if probe.op == "bitcast_convert" else f"tensor<{n}x{probe.result}>"
    lines, operands = [], [f"%a{k}" for k in range(len(types))]

    def reverse(name, value, type_text):
        lines.append(f'%{name} = "stablehlo.reverse"({value}) {{dimensions = array<i64: 0>}} : ({type_text}) -> '
                     f"{type_text}")
        return f"%{name}"
    if is_fused:
        operands = [reverse(f"r{k}", operand, types[k]) for k, operand in enumerate(operands)]
    if probe.op == "multiply_add":
        lines.append(f"%p = stablehlo.multiply {operands[1]}, {operands[2]} : {result}")
        lines.append(f"%v = stablehlo.add {operands[0]}, %p : {result}")
    else:
        lines.append("%v = " + op_text(probe, operands, types, result))
    value = reverse("w", "%v", result) if is_fused else "%v"
    arguments = ", ".join(f"%a{k}: {text}" for k, text in enumerate(types))
    body = "\n  ".join(lines)
    return (f"module {{ func.func public @main({arguments}) -> {result} {{\n  {body}\n  return {value} : {result}\n"
            f"}} }}")


_compiled = {}


def run(text, operands):
    client = jax.devices()[0].client
    if text not in _compiled:
        try:
            _compiled[text] = client.compile_and_load(
                text, executable_devices=xla_client.DeviceList(tuple(jax.devices())))
        except Exception as error:  # noqa: BLE001: XLA's errors have no class of their own
            text = str(error).splitlines()[0][:200]
            raise (NoType if "PrimitiveType" in text else Unsupported)(text) from error
    outputs = _compiled[text].execute_sharded([jax.device_put(x) for x in operands])
    return np.asarray(outputs.disassemble_into_single_device_arrays()[0][0])


def call(probe, copies=COPIES):
    """Returns every result that some way of calling gives, element by element, as a list of sets."""
    jax.config.update("jax_enable_x64", True)
    operands = [array(name, bits) for name, bits in zip(probe.types, probe.operands)]
    n = len(operands[0])
    seen = None
    for times, is_fused in ((1, False), (copies, False), (1, True), (copies, True)):
        result = run(module(probe, n * times, is_fused), [np.tile(x, times) for x in operands])
        bits = bits_of(result.reshape(-1))
        count = len(bits) // times
        seen = seen or [set() for _ in range(count)]
        for k, value in enumerate(bits):
            seen[k % count].add(value)
    return seen
