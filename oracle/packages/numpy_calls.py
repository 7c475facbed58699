"""Calls NumPy, with ml_dtypes for the formats that NumPy does not have, if it is installed."""

import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

VERSIONS = f"NumPy {np.__version__}" + (f", ml_dtypes {ml_dtypes.__version__}" if ml_dtypes else ", no ml_dtypes")
DTYPES = {"i1": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64,
          "complex<f32>": np.complex64, "complex<f64>": np.complex128,
          **{f"{u}i{w}": np.dtype(f"{u}int{w}").type for u in ("", "u") for w in (8, 16, 32, 64)}}
SMALL = ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ",
         "f8E8M0FNU")
if ml_dtypes:
    DTYPES["bf16"] = ml_dtypes.bfloat16
    for small in SMALL:
        dtype = getattr(ml_dtypes, "float" + small[1:].lower().replace("e", "_e", 1), None)
        if dtype is not None:
            DTYPES[small] = dtype
COPIES = 64


class Unsupported(Exception):
    """Is raised if the package does not have the call, with the call as text."""


class NoType(Unsupported):
    """Is raised if this version of the package does not have a type of the call."""


def logistic(x):
    one = x.dtype.type(1)
    return one / (one + np.exp(-x))


FUNCTIONS = {
    "shift_left": np.left_shift, "shift_right_arithmetic": np.right_shift, "shift_right_logical": np.right_shift,
    "add": np.add, "multiply": np.multiply, "negate": np.negative, "abs": np.absolute, "divide": np.divide,
    "remainder": np.fmod, "power": np.power, "sign": np.sign, "maximum": np.maximum, "minimum": np.minimum,
    "sqrt": np.sqrt, "log": np.log, "logistic": logistic, "exponential": np.exp, "sine": np.sin, "tanh": np.tanh,
    "atan2": np.arctan2,
    "select": np.where, "multiply_add": lambda x, y, z: x + y * z,
}


def function(probe):
    if probe.op == "convert":
        return lambda x: x.astype(DTYPES[probe.result])
    if probe.op == "bitcast_convert":
        return lambda x: x.view(DTYPES[probe.result])
    if probe.op == "compare":
        if probe.attributes["compare_type"] == "TOTALORDER":
            raise Unsupported("it has no total order")
        return {"GT": np.greater}[probe.attributes["comparison_direction"]]
    if probe.op == "divide" and DTYPES[probe.result]().dtype.kind in "iu":
        return np.floor_divide
    if probe.op not in FUNCTIONS:
        raise Unsupported(f"it has no {probe.op}")
    return FUNCTIONS[probe.op]


def array(name, bits):
    if name not in DTYPES:
        raise NoType(f"it has no {name}")
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


def call(probe, copies=COPIES):
    """Returns every result that some way of calling gives, element by element, as a list of sets."""
    operands = [array(name, bits) for name, bits in zip(probe.types, probe.operands)]
    if probe.result not in DTYPES:
        raise NoType(f"it has no {probe.result}")
    seen = None
    for times in (1, copies):
        with np.errstate(all="ignore"):
            try:
                result = function(probe)(*[np.tile(x, times) for x in operands])
            except (TypeError, ValueError) as error:
                raise Unsupported(f"{type(error).__name__}: {error}".splitlines()[0][:200]) from error
        assert result.dtype == np.dtype(DTYPES[probe.result]), (probe.op, result.dtype)
        bits = bits_of(result)
        count = len(bits) // times
        seen = seen or [set() for _ in range(count)]
        for k, value in enumerate(bits):
            seen[k % count].add(value)
    return seen
