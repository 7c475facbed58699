"""The backend `python:numpy` computes every op by the function of NumPy that a user would take for it.

NumPy is judged, not improved: it is called on strided views of the operands with `out=` the view
of the result. If it has no function of the op's meaning, the nearest one is called and its
difference shows; if it has none at all, the call is declined. `tools/dev backend numpy` makes
an environment with another NumPy than Debian's.
"""

import assay_worker  # before NumPy: it takes the channels of the runner

import json
import math
import warnings

try:
    import numpy as np
except ImportError as missing:
    assay_worker.refuse(f"NumPy cannot be imported ({missing}): run tools/dev backend numpy")
try:
    import ml_dtypes  # NumPy itself has no floats but these of IEEE 754
except ImportError:
    ml_dtypes = None

DTYPES = {
    "i1": np.dtype(np.bool_),
    **{f"i{bits}": np.dtype(f"<i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(f"<u{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"f{bits}": np.dtype(f"<f{bits // 8}") for bits in (16, 32, 64)},
    **{f"complex<f{bits}>": np.dtype(f"<c{bits // 4}") for bits in (32, 64)},
}
if ml_dtypes:
    DTYPES["bf16"] = np.dtype(ml_dtypes.bfloat16)
    for text in (
        "f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ"
        " f8E5M2 f8E5M2FNUZ f8E8M0FNU"
    ).split():
        name = f"float{text[1]}_{text[2:].lower()}"
        if hasattr(ml_dtypes, name):
            DTYPES[text] = np.dtype(getattr(ml_dtypes, name))

# Operands and result in order, nothing else.
UFUNCS = {
    "abs": np.absolute,
    "add": np.add,
    "and": np.bitwise_and,
    "atan2": np.arctan2,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "floor": np.floor,
    "is_finite": np.isfinite,
    "log": np.log,
    "log_plus_one": np.log1p,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "negate": np.negative,
    "not": np.invert,
    "or": np.bitwise_or,
    # On integers, np.power raises ValueError if any exponent is negative.
    "power": np.power,
    # NumPy has two remainders; the one with the sign of the dividend is the one of the text
    # and of C.
    "remainder": np.fmod,
    "round_nearest_even": np.rint,
    "shift_left": np.left_shift,
    "shift_right_arithmetic": np.right_shift,
    # NumPy's shift is arithmetic for signed types; it has no other.
    "shift_right_logical": np.right_shift,
    # Before NumPy 2.0, the sign of a complex number is the sign of its real
    # part.
    "sign": np.sign,
    "sine": np.sin,
    "sqrt": np.sqrt,
    "subtract": np.subtract,
    "tan": np.tan,
    "tanh": np.tanh,
    "xor": np.bitwise_xor,
}
if hasattr(np, "bitwise_count"):  # since 2.0; of a negative number, it counts its magnitude's bits
    UFUNCS["popcnt"] = np.bitwise_count

COMPARISONS = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}


def bitcast_convert(call, operand, out):
    if np.bool_ in (operand.dtype, out.dtype):
        raise assay_worker.Unsupported("bitcast_convert: a bit takes a byte in NumPy")
    np.copyto(out, np.ascontiguousarray(operand).ravel().view(out.dtype).reshape(out.shape))


def broadcast_in_dim(call, operand, out):
    # The dimensions are put in the order of the result's, and new ones are
    # added where the result has others.
    dimensions = json.loads(call.attributes.pop("broadcast_dimensions").text)
    ordered = operand.transpose(np.argsort(dimensions, kind="stable").astype(int))
    new = [d for d in range(out.ndim) if d not in dimensions]
    np.copyto(out, np.broadcast_to(np.expand_dims(ordered, new), out.shape))


def clamp(call, least, operand, most, out):
    np.clip(operand, least, most, out=out)


def compare(call, lhs, rhs, out):
    # The type of the operands decides how they compare; the attribute repeats it.
    if call.attributes.pop("compare_type").text == "TOTALORDER":
        raise assay_worker.Unsupported("compare: NumPy has no total order")
    direction = call.attributes.pop("comparison_direction").text
    COMPARISONS[direction](lhs, rhs, out=out)


def complex_(call, lhs, rhs, out):
    out.real = lhs
    out.imag = rhs


def concatenate(call, *inputs, out):
    np.concatenate(inputs, axis=int(call.attributes.pop("dimension").text), out=out)


def constant(call, out):
    np.copyto(out, view(call.attributes.pop("value").value))


def convert(call, operand, out):
    np.copyto(out, operand, casting="unsafe")  # what astype does, into memory that exists


def divide(call, lhs, rhs, out):
    # The text discards the fraction and NumPy has only the quotient that rounds down: they
    # differ where the signs do and the division is inexact.
    (np.floor_divide if lhs.dtype.kind in "iu" else np.divide)(lhs, rhs, out=out)


def dot_general(call, lhs, rhs, out):
    def numbers(name):
        return json.loads(call.attributes.pop(name).text)

    batch, contracted = (
        [numbers(f"{side}_{kind}_dimensions") for side in ("lhs", "rhs")]
        for kind in ("batching", "contracting")
    )
    call.attributes.pop("precision_config", None)
    if call.attributes:
        raise assay_worker.Unsupported("an algorithm")
    rows, columns = (
        [d for d in range(operand.ndim) if d not in batch[side] and d not in contracted[side]]
        for side, operand in enumerate((lhs, rhs))
    )
    sizes = [lhs.shape[d] for d in batch[0]]
    terms = math.prod(lhs.shape[d] for d in contracted[0])
    lhs_rows = [lhs.shape[d] for d in rows]
    rhs_columns = [rhs.shape[d] for d in columns]
    # A vector stays one, so that NumPy takes its way for vectors.
    left = lhs.transpose(batch[0] + rows + contracted[0])
    left = left.reshape(sizes + ([math.prod(lhs_rows)] if rows else []) + [terms])
    right = rhs.transpose(batch[1] + contracted[1] + columns)
    right = right.reshape(sizes + [terms] + ([math.prod(rhs_columns)] if columns else []))
    if sizes and not (rows and columns):
        left = left if rows else left[..., np.newaxis, :]
        right = right if columns else right[..., np.newaxis]
    # np.matmul computes in the wider of both types.
    dtype = out.dtype if out.dtype.itemsize >= lhs.dtype.itemsize else lhs.dtype
    product = np.matmul(left, right, dtype=dtype, casting="unsafe")
    np.copyto(out, product.reshape(out.shape), casting="unsafe")


def imag(call, operand, out):
    np.copyto(out, np.imag(operand))


def iota(call, out):
    # NumPy has no iota: it is the index, converted to the type.
    dimension = int(call.attributes.pop("iota_dimension").text)
    np.copyto(np.moveaxis(out, dimension, -1), np.arange(out.shape[dimension]).astype(out.dtype))


def logistic(call, operand, out):
    one = out.dtype.type(1)  # a 1 of Python would make f64 of a scalar before NumPy 2.0
    np.divide(one, one + np.exp(-operand), out=out)


def pad(call, operand, padding_value, out):
    low, high, interior = (
        json.loads(call.attributes.pop(name).text)
        for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    if any(interior) or any(edge < 0 for edge in low + high):
        raise assay_worker.Unsupported("pad: np.pad neither cuts nor pads between elements")
    np.copyto(out, np.pad(operand, list(zip(low, high)), constant_values=padding_value))


def real(call, operand, out):
    np.copyto(out, np.real(operand))


def reshape(call, operand, out):
    np.copyto(out, operand.reshape(out.shape))


def reverse(call, operand, out):
    dimensions = json.loads(call.attributes.pop("dimensions").text)
    np.copyto(out, np.flip(operand, tuple(dimensions)))


def rsqrt(call, operand, out):
    np.divide(out.dtype.type(1), np.sqrt(operand), out=out)


def select(call, pred, on_true, on_false, out):
    np.copyto(out, np.where(pred, on_true, on_false))  # np.where takes no out=


def shift_left(call, x, y, out):
    call.attributes.pop("is_arithmetic", None)  # arithmetic and logical are one shift to the left
    np.left_shift(x, y, out=out)


def shift_right(call, x, y, out):
    # NumPy shifts by the signedness of the type, whatever the attribute asks
    # for.
    call.attributes.pop("is_arithmetic", None)
    np.right_shift(x, y, out=out)


def reduce(call, operand, init, out):
    (monoid,) = call.monoids
    if monoid is None:
        raise assay_worker.Unsupported("a reduction by a function that NumPy does not have")
    call.regions.clear()
    dimensions = tuple(json.loads(call.attributes.pop("dimensions").text))
    UFUNCS[monoid].reduce(operand, axis=dimensions, dtype=out.dtype, initial=init[()], out=out)


def reduce_window(call, operand, init, out):
    (monoid,) = call.monoids
    if monoid is None:
        raise assay_worker.Unsupported("a reduction by a function that NumPy does not have")
    call.regions.clear()
    sizes, strides, steps, dilations, padding = (
        json.loads(call.attributes.pop(name).text)
        for name in ("window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding")
    )
    if out.size == 0:
        return
    places, cuts, shape = [], [], []
    for size, step, low, high in zip(operand.shape, steps, padding[::2], padding[1::2]):
        dilated = (size - 1) * step + 1 if size > 0 else 0
        shape.append(max(low, 0) + dilated + max(high, 0))
        places.append(slice(max(low, 0), max(low, 0) + dilated, step))
        cuts.append(slice(max(-low, 0), shape[-1] - max(-high, 0)))
    if math.prod(shape) > 1 << 26:
        raise assay_worker.Unsupported("a padded operand as large as this")
    padded = np.full(shape, init, operand.dtype)
    padded[tuple(places)] = operand
    windows = padded[tuple(cuts)]
    if sizes:
        extents = [(size - 1) * dilation + 1 for size, dilation in zip(sizes, dilations)]
        windows = np.lib.stride_tricks.sliding_window_view(windows, extents)
    windows = windows[tuple(slice(None, None, step) for step in strides + dilations)]
    UFUNCS[monoid].reduce(windows, axis=tuple(range(len(sizes), 2 * len(sizes))), dtype=out.dtype,
                          initial=init[()], out=out)


def slice_(call, operand, out):
    start, limit, strides = (
        json.loads(call.attributes.pop(name).text)
        for name in ("start_indices", "limit_indices", "strides")
    )
    np.copyto(out, operand[tuple(map(slice, start, limit, strides))])


def transpose(call, operand, out):
    np.copyto(out, operand.transpose(json.loads(call.attributes.pop("permutation").text)))


FUNCTIONS = {
    "bitcast_convert": bitcast_convert,
    "broadcast_in_dim": broadcast_in_dim,
    "clamp": clamp,
    "compare": compare,
    "complex": complex_,
    "concatenate": concatenate,
    "constant": constant,
    "convert": convert,
    "divide": divide,
    "dot_general": dot_general,
    "imag": imag,
    "iota": iota,
    "logistic": logistic,
    "pad": pad,
    "paddle.bitwise_left_shift": shift_left,
    "paddle.bitwise_right_shift": shift_right,
    "real": real,
    "reduce": reduce,
    "reduce_window": reduce_window,
    "reshape": reshape,
    "reverse": reverse,
    "rsqrt": rsqrt,
    "select": select,
    "slice": slice_,
    "transpose": transpose,
}


def view(tensor):
    dtype = DTYPES.get(tensor.element)
    if dtype is None:
        raise assay_worker.Unsupported(f"NumPy has no {tensor.element}")
    return np.ndarray(tensor.shape, dtype, tensor.memory, tensor.at, tensor.byte_strides)


def run(call):
    ufunc = UFUNCS.get(call.op)
    function = FUNCTIONS.get(call.op)
    if ufunc is None and function is None:
        raise assay_worker.Unsupported(f"NumPy {np.__version__} has no {call.op}")
    inputs = [view(tensor) for tensor in call.inputs]
    if len(call.outputs) != 1 or call.captures:
        raise assay_worker.Unsupported(f"{call.op} of several operands, or of captured values")
    (output,) = call.outputs
    try:
        if ufunc is not None:
            ufunc(*inputs, out=view(output))
        else:
            function(call, *inputs, out=view(output))
    except TypeError as error:  # NumPy has the function, but not for these types
        raise assay_worker.Unsupported(f"{call.op}: {error}") from None


if __name__ == "__main__":
    # Warnings about operations that are judged anyway are off; results are the
    # same.
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    assay_worker.serve("numpy", np.__version__, run, limits_itself=True)
