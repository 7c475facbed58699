"""Calls PyTorch on the CPU, eagerly, one op at a time."""

import torch

VERSIONS = f"torch {torch.__version__.split('+')[0]}"
DTYPES = {"i1": torch.bool, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16,
          "complex<f32>": torch.complex64, "complex<f64>": torch.complex128,
          "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "ui8": torch.uint8,
          "ui16": torch.uint16, "ui32": torch.uint32, "ui64": torch.uint64, "f8E4M3FN": torch.float8_e4m3fn,
          "f8E4M3FNUZ": torch.float8_e4m3fnuz, "f8E5M2": torch.float8_e5m2, "f8E5M2FNUZ": torch.float8_e5m2fnuz,
          "f8E8M0FNU": torch.float8_e8m0fnu}
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
COPIES = 64


class Unsupported(Exception):
    """Is raised if the package does not have the call, with the call as text."""


class NoType(Unsupported):
    """Is raised if this version of the package does not have a type of the call."""


def divide(x, y):
    # The quotient of the least value and -1 raises SIGFPE, so no probe asks for it.
    return torch.div(x, y, rounding_mode=None if x.is_floating_point() else "trunc")


def multiply_add(x, y, z):
    return torch.add(x, y, alpha=z[0].item()) if len(set(z.tolist())) == 1 else x + y * z


FUNCTIONS = {
    "shift_left": torch.bitwise_left_shift, "shift_right_arithmetic": torch.bitwise_right_shift,
    "shift_right_logical": torch.bitwise_right_shift, "add": torch.add, "multiply": torch.mul, "negate": torch.neg,
    "abs": torch.abs, "divide": divide, "remainder": torch.fmod, "power": torch.pow, "sign": torch.sign,
    "maximum": torch.maximum, "minimum": torch.minimum, "sqrt": torch.sqrt, "log": torch.log,
    "logistic": torch.sigmoid, "exponential": torch.exp, "sine": torch.sin, "tanh": torch.tanh, "select": torch.where,
    "atan2": torch.atan2,
    "multiply_add": multiply_add,
}


def function(probe):
    if probe.op == "convert":
        return lambda x: x.to(DTYPES[probe.result])
    if probe.op == "bitcast_convert":
        return lambda x: x.view(DTYPES[probe.result])
    if probe.op == "compare":
        if probe.attributes["compare_type"] == "TOTALORDER":
            raise Unsupported("it has no total order")
        return {"GT": torch.gt}[probe.attributes["comparison_direction"]]
    if probe.op not in FUNCTIONS:
        raise Unsupported(f"it has no {probe.op}")
    return FUNCTIONS[probe.op]


def signed(value, size):
    return value - (1 << 8 * size) if size > 1 and value >> (8 * size - 1) else value


def tensor(name, bits):
    if name not in DTYPES:
        raise NoType(f"it has no {name}")
    dtype = DTYPES[name]
    if dtype.is_complex:
        size = dtype.itemsize // 2
        parts = [(b >> shift) % (1 << 8 * size) for b in bits for shift in (0, 8 * size)]
        return torch.tensor([signed(part, size) for part in parts], dtype=BITS[size]).view(dtype)
    return torch.tensor([signed(b, dtype.itemsize) for b in bits], dtype=BITS[dtype.itemsize]).view(dtype)


def bits_of(x):
    size = x.element_size() // (2 if x.is_complex() else 1)
    parts = [part % (1 << 8 * size) for part in x.contiguous().view(BITS[size]).flatten().tolist()]
    if not x.is_complex():
        return parts
    return [a | b << 8 * size for a, b in zip(parts[::2], parts[1::2])]


def call(probe, copies=COPIES):
    """Returns every result that some way of calling gives, element by element, as a list of sets."""
    operands = [tensor(name, bits) for name, bits in zip(probe.types, probe.operands)]
    if probe.result not in DTYPES:
        raise NoType(f"it has no {probe.result}")
    seen = None
    for times in (1, copies):
        try:
            result = function(probe)(*[x.repeat(times) for x in operands])
        except (RuntimeError, NotImplementedError, TypeError) as error:
            raise Unsupported(f"{type(error).__name__}: {error}".splitlines()[0][:200]) from error
        assert result.dtype == DTYPES[probe.result], (probe.op, result.dtype)
        bits = bits_of(result)
        count = len(bits) // times
        seen = seen or [set() for _ in range(count)]
        for k, value in enumerate(bits):
            seen[k % count].add(value)
    return seen
