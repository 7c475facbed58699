"""Probes tell the values of a policy key apart: they are calls of ops, with what each value allows them to give.

A Probe is a call on a few elements, operands and results as bits. A Key has probes, and for each value of the key a
model: whether the value allows the result that a probe gave for an element. The models are written from
policy.schema.json, and share nothing with the oracle. A key that no package can show says why instead.
"""

import dataclasses
import math
import struct
from typing import Callable, NamedTuple


class Probe(NamedTuple):
    op: str
    types: tuple  # of the operands
    operands: tuple  # a list of bits for each
    result: str
    attributes: dict = {}
    expect: dict = {}  # by value of the key, where a model has nothing to compute: a list of bits


@dataclasses.dataclass(frozen=True)
class Key:
    how: str  # for docs/packages.md
    probes: tuple = ()
    # A value of the key maps to model(probe, element, bits). Narrow values come before those that allow more.
    models: dict = dataclasses.field(default_factory=dict)
    wider: dict = dataclasses.field(default_factory=dict)  # value -> those that it allows as well
    not_shown: str = ""


# ------------------------------------------------------------------------------------------------------------ numbers

WIDTHS = {"i1": 8, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "complex<f32>": 64, "complex<f64>": 128}


def width(name):
    if name in WIDTHS:
        return WIDTHS[name]
    return int("".join(c for c in name.split("E")[0] if c.isdigit()))


def wrap(name, value):
    return value % (1 << width(name))


def number(name, bits):
    """Returns the integer of these bits."""
    top = 1 << (width(name) - 1)
    return bits - 2 * top if not name.startswith("u") and bits >= top else bits


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f64(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def floats(name, values):
    pack = f32 if name == "f32" else f64
    return [pack(value) for value in values]


def integers(name, values):
    return [wrap(name, value) for value in values]


def pairs(x, y):
    """Returns every pair of two lists, as two lists."""
    return [a for a in x for _ in y], [b for _ in x for b in y]


NANS = {"f4E2M1FN": (), "f6E2M3FN": (), "f6E3M2FN": (), "f8E8M0FNU": (0xFF,), "f8E4M3FN": (0x7F, 0xFF),
        "f8E4M3FNUZ": (0x80,), "f8E5M2FNUZ": (0x80,), "f8E4M3B11FNUZ": (0x80,)}
IEEE = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52), "f8E5M2": (5, 2)}
FNUZ = ("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ")
LARGEST = {"f4E2M1FN": (0x7, 6.0), "f6E2M3FN": (0x1F, 7.5), "f6E3M2FN": (0x1F, 28.0), "f8E4M3FN": (0x7E, 448.0),
           "f8E4M3FNUZ": (0x7F, 240.0), "f8E5M2FNUZ": (0x7F, 57344.0), "f8E4M3B11FNUZ": (0x7F, 30.0)}
MINUS_ZERO = {"f4E2M1FN": 0x8, "f6E2M3FN": 0x20, "f6E3M2FN": 0x20}


def is_nan(name, bits):
    if name in NANS:
        return bits in NANS[name]
    exponent, fraction = IEEE[name]
    magnitude = bits & ((1 << (exponent + fraction)) - 1)
    return magnitude > ((1 << exponent) - 1) << fraction


def any_value(probe, element, bits):
    return True


def as_expected(value):
    return lambda probe, element, bits: bits == probe.expect[value][element]


def operand(probe, place, element):
    return number(probe.types[place], probe.operands[place][element])


# ----------------------------------------------------------------------------------------------------------- integers

INTEGERS = ("i8", "ui8", "i32", "i64")


def shift(op, name, x, count, fill_is_sign):
    bits, w = wrap(name, x), width(name)
    if op == "shift_left":
        return wrap(name, bits << count) if count < w else 0
    if op == "shift_right_logical":
        return bits >> count if count < w else 0
    signed = bits - (1 << w) if fill_is_sign and bits >> (w - 1) else bits
    return wrap(name, signed >> min(count, w))


def shifted(count_of, sign=lambda name: True):
    def model(probe, element, bits):
        name = probe.types[0]
        x, count = operand(probe, 0, element), operand(probe, 1, element)
        count = count_of(count, width(name))
        return bits == shift(probe.op, name, x, count, sign(name))
    return model


def saturated(count, w):
    return count if 0 <= count < w else w


def shift_probes(names, ops, counts):
    for op in ops:
        for name in names:
            w = width(name)
            # NumPy and PyTorch have one right shift for each type: arithmetic for signed types, logical for unsigned ones.
            if (op == "shift_right_logical" and name[0] != "u") or (op == "shift_right_arithmetic" and name[0] == "u"):
                continue
            x, y = pairs(integers(name, [-100, 1, 3]), integers(name, counts(w)))
            yield Probe(op, (name, name), (x, y), name)


def arithmetic(probe, element, bits):
    name = probe.result
    x = operand(probe, 0, element)
    y = operand(probe, 1, element) if len(probe.types) == 2 else 0
    value = {"add": x + y, "multiply": x * y, "negate": -x, "abs": abs(x), "convert": x, "power": x**max(y, 0)}
    return bits == wrap(name, value[probe.op])


def overflows():
    for name in ("i8", "i32", "i64"):
        top = (1 << (width(name) - 1)) - 1
        yield Probe("add", (name, name), (integers(name, [top, -top]), integers(name, [1, -3])), name)
        yield Probe("multiply", (name, name), (integers(name, [top, -top - 1]), integers(name, [3, -1])), name)
        yield Probe("negate", (name,), (integers(name, [-top - 1]),), name)
        yield Probe("abs", (name,), (integers(name, [-top - 1]),), name)
    yield Probe("convert", ("i32",), (integers("i32", [300, -129, 70000]),), "i8")
    yield Probe("convert", ("i64",), (integers("i64", [2**32 + 5, -(2**40)]),), "i32")


def by_zero(quotient, remainder):
    def model(probe, element, bits):
        x = operand(probe, 0, element)
        return bits == wrap(probe.result, quotient(x) if probe.op == "divide" else remainder(x))
    return model


def divisions():
    for op in ("divide", "remainder"):
        for name in INTEGERS:
            yield Probe(op, (name, name), (integers(name, [5, 0, -7]), [0, 0, 0]), name)


def negative_powers():
    for name in ("i8", "i32", "i64"):
        x, y = pairs(integers(name, [0, 1, 2, -1, -2]), integers(name, [-1, -2, -3, -100]))
        yield Probe("power", (name, name), (x, y), name)


def negative_power(of_zero):
    def model(probe, element, bits):
        x, y = operand(probe, 0, element), operand(probe, 1, element)
        if x == 0:
            return of_zero(bits)
        return bits == wrap(probe.result, {1: 1, -1: -1 if y % 2 else 1}.get(x, 0))
    return model


def powers():
    for name in INTEGERS:
        x, y = pairs([2, 3, 10], [33, 63, 64, 65, 100, 127])
        kept = [(a, b) for a, b in zip(x, y) if a**b >> (width(name) - (name[0] != "u"))]
        yield Probe("power", (name, name), tuple(map(list, zip(*kept))), name)


def float_to_integer(probe, element, bits):
    x = {"f32": lambda b: struct.unpack("<f", struct.pack("<I", b))[0],
         "f64": lambda b: struct.unpack("<d", struct.pack("<Q", b))[0]}[probe.types[0]](probe.operands[0][element])
    name, w = probe.result, width(probe.result)
    least, most = (0, (1 << w) - 1) if name[0] == "u" else (-(1 << (w - 1)), (1 << (w - 1)) - 1)
    return bits == wrap(name, 0 if math.isnan(x) else least if x < least else most)


def out_of_range():
    for source in ("f32", "f64"):
        for name in ("i8", "ui8", "i32", "ui32", "i64", "ui64"):
            values = [math.nan, math.inf, -math.inf, 1e30, -1e30]
            values += [300.5, -300.5] if width(name) == 8 else []
            values += [-1.0] if name[0] == "u" else []
            yield Probe("convert", (source,), (floats(source, values),), name)


# ------------------------------------------------------------------------------------------------------------- floats


def rounded_twice():
    """Has sources just above a tie that f32 does not have: one rounding goes upwards, two go to the even neighbour below."""
    once_or_twice = (
        ("f64", "bf16", f64(1 + 2.0**-8 + 2.0**-40), 0x3F81, 0x3F80),
        ("f64", "f16", f64(1 + 2.0**-11 + 2.0**-40), 0x3C01, 0x3C00),
        ("f64", "f8E5M2", f64(1 + 2.0**-3 + 2.0**-40), 0x3D, 0x3C),
        ("f64", "f8E4M3FN", f64(1 + 2.0**-4 + 2.0**-40), 0x39, 0x38),
        ("f64", "f4E2M1FN", f64(1.25 + 2.0**-40), 0x3, 0x2),
        ("i64", "bf16", 2**40 + 2**32 + 1, 0x5381, 0x5380),
        ("i32", "bf16", 2**30 + 2**22 + 1, 0x4E81, 0x4E80),
        ("f32", "f8E8M0FNU", f32(1.25 * 2.0**-127), 0x0, 0x1),
    )
    for source, to, x, once, twice in once_or_twice:
        yield Probe("convert", (source,), ([x],), to, expect={"once": [once], "twice": [twice]})


def once_or_twice(probe, element, bits):
    return bits in (probe.expect["once"][element], probe.expect["twice"][element])


def remainders():
    for name in ("f32", "f64"):
        x, y = [5.5, -5.5, 5.5, -5.5, 1e20, 6.0, -6.0], [2.0, 2.0, -2.0, -2.0, 3.0, 3.0, 3.0]
        expect = floats(name, [math.fmod(struct.unpack("<f", struct.pack("<f", a))[0] if name == "f32" else a, b)
                               for a, b in zip(x, y)])
        yield Probe("remainder", (name, name), (floats(name, x), floats(name, y)), name, expect={"fmod": expect})


def zeros():
    for name in ("f32", "f64"):
        yield Probe("sign", (name,), (floats(name, [0.0]),), name,
                    expect={"by_example": floats(name, [0.0]), "literal": floats(name, [-0.0])})


def compare(name, x, y, direction, compare_type="TOTALORDER", expect=None):
    return Probe("compare", (name, name), (x, y), "i1",
                 {"comparison_direction": direction, "compare_type": compare_type}, expect or {})


def total_orders():
    x = [0x0, 0x80000000, 0x7FC00000, 0x7FC00000]
    y = [0x80000000, 0x0, 0x7FC00001, 0xFFC00000]
    yield compare("f32", x, y, "EQ", expect={"bitwise": [0, 0, 0, 0]})
    yield compare("f32", x, y, "NE", expect={"bitwise": [1, 1, 1, 1]})


def single_nans():
    for name in FNUZ + ("f8E8M0FNU",):
        nan = NANS[name][0]
        numbers = [0x01, 0x7F, 0x81, 0xFE]
        below = [int(name in FNUZ)] * 4
        yield compare(name, [nan] * 4, numbers, "LT", expect={"greatest": [0] * 4, "by_sign_bit": below})
        yield compare(name, numbers, [nan] * 4, "GT", expect={"greatest": [0] * 4, "by_sign_bit": below})


def overflowing():
    for name, (_, largest) in LARGEST.items():
        yield Probe("convert", ("f32",), (floats("f32", [2 * largest, -2 * largest, math.inf, -math.inf]),), name)


def overflow_model(nan, zero=()):
    """Gives NaN in the formats of `nan`, zero of its sign in those of `zero`, else the largest value of its sign."""
    def model(probe, element, bits):
        name = probe.result
        if name in nan:
            return is_nan(name, bits)
        sign = element % 2 << (width(name) - 1)
        return bits == sign | (0 if name in zero else LARGEST[name][0])
    return model


def nans_without():
    for name in MINUS_ZERO:
        yield Probe("convert", ("f32",), ([0x7FC00000, 0xFFC00000],), name)


def scales(values, expect, source="f32"):
    return Probe("convert", (source,), (floats(source, values),), "f8E8M0FNU", expect=expect)


def tiny_scales():
    # The format has no sign, so -0.0 is not among the zeros.
    yield scales([0.0], {"smallest": [0x00], "nan": [0xFF], "exact": [0xFF]})
    yield scales([2.0**-149, 2.0**-130], {"smallest": [0x00] * 2, "nan": [0xFF] * 2, "exact": [0x00] * 2})
    yield scales([2.0**-300, 2.0**-130], {"smallest": [0x00] * 2, "nan": [0xFF] * 2, "exact": [0xFF] * 2}, "f64")


def exact_zero(probe, element, bits):
    if probe.operands[0][element] == 0:
        return bits == 0xFF
    return bits in (0x00, 0xFF)


def subnormals():
    for name in ("f32", "f64"):
        tiny = floats(name, [1e-40 if name == "f32" else 1e-310])
        one, zero, least = floats(name, [1.0]), floats(name, [0.0]), [1]
        yield Probe("multiply", (name, name), (tiny, one), name, expect={"preserve": tiny})
        yield Probe("add", (name, name), (tiny, zero), name, expect={"preserve": tiny})
        yield Probe("maximum", (name, name), (tiny, zero), name, expect={"preserve": tiny})
        yield Probe("minimum", (name, name), (tiny, least), name, expect={"preserve": least})
        yield compare(name, tiny, zero, "GT", "FLOAT", {"preserve": [1]})
        yield Probe("sqrt", (name,), ([wrap(name, 1)],), name, expect={"preserve": floats(name, [2.0**-74.5]) if
                                                                       name == "f32" else floats(name, [2.0**-537])})
    yield Probe("maximum", ("bf16", "bf16"), ([1, 2], [2, 1]), "bf16", expect={"preserve": [2, 2]})


def payloads():
    for name, bits in (("f32", [0x7FC12345, 0xFFC00001, 0x7F800001]), ("f64", [0x7FF8000000012345]),
                       ("f16", [0x7E01, 0x7C01]), ("bf16", [0x7FC1, 0x7F81]), ("f8E5M2", [0x7D, 0x7E, 0xFD])):
        yield Probe("select", ("i1", name, name), ([1] * len(bits), bits, [0] * len(bits)), name)


def keeps(probe, element, bits):
    return bits == probe.operands[1][element]


def keeps_nan(probe, element, bits):
    return is_nan(probe.result, bits)


def complex_bits(real, imag):
    return f32(real) | f32(imag) << 32


def cuts():
    above, below = complex_bits(-4.0, 0.0), complex_bits(-4.0, -0.0)
    for op in ("log", "sqrt"):
        yield Probe(op, ("complex<f32>",), ([above, below],), "complex<f32>")


def signed_zero(probe, element, bits):
    return bits >> 63 == element


def either_side(probe, element, bits):
    return bits >> 32 & 0x7FFFFFFF != 0


def parts_of(bits):
    return struct.unpack("<ff", struct.pack("<Q", bits))


class Part(NamedTuple):
    """Says what a part may be: a number this far from the real one, or an infinity that it may round to."""
    value: float
    radius: float = 0.0
    of_steps: str = ""  # what a formula in steps may give: "nan", or where two products cancel "nan or infinity"


def complex_overflows():
    """Has operands, and the parts of the result; a radius of 2^112 is 8 units of a part of 1e40."""
    wide = 2.0**112
    calls = {
        "multiply": (((1e20, 0.0), (1e20, 0.0), Part(1e40), Part(0.0, wide)),
                     ((1e20, 1e20), (1e20, 1e20), Part(0.0, wide, "nan or infinity"), Part(2e40)),
                     ((-1e20, 1e20), (1e20, 3.0), Part(-1e40), Part(1e40))),
        "divide": (((1e20, 1e20), (1e-20, 0.0), Part(1e40, 0.0, "nan"), Part(1e40, 0.0, "nan")),
                   ((-1e20, 1e20), (1e-20, 0.0), Part(-1e40, 0.0, "nan"), Part(1e40, 0.0, "nan"))),
        "exponential": (((100.0, 1.0), Part(1.45e43), Part(2.26e43)),
                        ((100.0, 2.0), Part(-1.11e43), Part(2.44e43))),
    }
    for op, rows in calls.items():
        operands = tuple([complex_bits(*row[k]) for row in rows] for k in range(len(rows[0]) - 2))
        yield Probe(op, ("complex<f32>",) * len(operands), operands, "complex<f32>",
                    expect={"parts": [row[-2:] for row in rows]})


def overflow_by_part(steps_too):
    largest = struct.unpack("<f", struct.pack("<I", 0x7F7FFFFF))[0]

    def is_right(part, x):
        if math.isnan(x):
            return steps_too and part.of_steps != ""
        if math.isinf(x):
            if steps_too and part.of_steps == "nan or infinity":
                return True
            return math.copysign(1, x) * part.value + part.radius > largest
        return abs(x - part.value) <= part.radius
    return lambda probe, element, bits: all(map(is_right, probe.expect["parts"][element], parts_of(bits)))


def unordered():
    x = [(math.nan, 1.0), (2.0, 3.0), (2.0, math.nan), (0.0, 1.0), (-0.0, 1.0), (1.0, 0.0)]
    y = [(2.0, 3.0), (math.nan, 1.0), (2.0, 5.0), (-0.0, 1.0), (0.0, 1.0), (1.0, -0.0)]
    for op in ("maximum", "minimum"):
        yield Probe(op, ("complex<f32>",) * 2, tuple([complex_bits(*z) for z in side] for side in (x, y)),
                    "complex<f32>")


def either_operand(nan_too):
    def is_same(a, b):
        return all((math.isnan(p) and math.isnan(q)) or f32(p) == f32(q) for p, q in zip(parts_of(a), parts_of(b)))

    def model(probe, element, bits):
        operands = [side[element] for side in probe.operands]
        has_nan = any(math.isnan(part) for z in operands for part in parts_of(z))
        if nan_too and has_nan and any(map(math.isnan, parts_of(bits))):
            return True
        return any(is_same(bits, z) for z in operands)
    return model


# ------------------------------------------------------------------------------------------------- reduce_precision


def reduced(name, bits, exponent_bits, mantissa_bits, **expect):
    return Probe("reduce_precision", (name,), (bits,), name,
                 {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits}, expect)


def nans_without_payload():
    yield reduced("f32", [0x7FC00000, 0xFFC00000, 0x7F812345], 8, 0, infinity=[0x7F800000, 0xFF800000, 0x7F800000])
    yield reduced("f16", [0x7E00, 0xFC01], 5, 0, infinity=[0x7C00, 0xFC00])


def nan_model(probe, element, bits):
    return is_nan(probe.result, bits)


def ties_of_powers():
    yield reduced("f32", floats("f32", [1.5, 3.0, -6.0]), 8, 0, larger=floats("f32", [2.0, 4.0, -8.0]),
                  even_code=floats("f32", [2.0, 2.0, -8.0]))


def exponents_of_fnuz():
    """With bias 8, 8.0 is 0x58, which is beyond 7.5, the largest value of 3 exponent bits by the fields of IEEE 754."""
    yield reduced("f8E4M3FNUZ", [0x58], 3, 3, by_value=[0x58], by_code=[0x80])


def either_of(*values):
    return lambda probe, element, bits: any(bits == probe.expect[value][element] for value in values)


# The call is x + y * y: y * y = 1 + 2^-11 + 2^-24 in f32, and 1 + 2^-3 + 2^-8 in bf16, and a rounding drops the last bit.
def contractions():
    y = f32(1 + 2.0**-12)
    yield Probe("multiply_add", ("f32",) * 3, ([f32(-1 - 2.0**-11)], [y], [y]), "f32", expect={"no": [0]})


def excesses():
    yield Probe("multiply_add", ("bf16",) * 3, ([0xBF90], [0x3F88], [0x3F88]), "bf16", expect={"no": [0]})


def expects(value, *wider):
    """Returns the models of a key whose narrow value is in the probes and whose others allow anything."""
    return {value: as_expected(value), **{other: any_value for other in wider}}

