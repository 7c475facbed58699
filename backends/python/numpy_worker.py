"""The backend `python:numpy` computes every op by the function of NumPy that a user would take for it.

functions.json says which. NumPy is judged, not improved: it is called on strided views of the operands with `out=` the view
of the result. If it has no function of the op's meaning, the nearest one is called and its
difference shows; if it has none at all, the call is declined. `tools/dev backend numpy` makes
an environment with another NumPy than Debian's.
"""

import assay_worker  # before NumPy: it takes the channels of the runner

import math
import warnings

import numpy as np
from assay_attributes import monoid, numbers
from assay_functions import Functions
from assay_numpy import view

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
    if operand.nbytes != out.nbytes:
        raise assay_worker.Unsupported("bitcast_convert: 2, 4 and 6 bits take a byte in NumPy")
    np.copyto(out, np.ascontiguousarray(operand).ravel().view(out.dtype).reshape(out.shape))


def broadcast_in_dim(call, operand, out):
    # The dimensions are put in the order of the result's, and new ones are
    # added where the result has others.
    dimensions = numbers(call, "broadcast_dimensions")
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


def concatenate(call, *inputs):
    *inputs, out = inputs
    np.concatenate(inputs, axis=numbers(call, "dimension"), out=out)


def constant(call, out):
    np.copyto(out, view(call.attributes.pop("value").value))


def convert(call, operand, out):
    np.copyto(out, operand, casting="unsafe")  # what astype does, into memory that exists


def divide(call, lhs, rhs, out):
    # The text discards the fraction and NumPy has only the quotient that rounds down: they
    # differ where the signs do and the division is inexact.
    (np.floor_divide if lhs.dtype.kind in "iu" else np.divide)(lhs, rhs, out=out)


def dot_general(call, lhs, rhs, out):
    batch, contracted = (
        numbers(call, f"lhs_{kind}_dimensions", f"rhs_{kind}_dimensions")
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
    dimension = numbers(call, "iota_dimension")
    np.copyto(np.moveaxis(out, dimension, -1), np.arange(out.shape[dimension]).astype(out.dtype))


def logistic(call, operand, out):
    one = out.dtype.type(1)  # a 1 of Python would make f64 of a scalar before NumPy 2.0
    np.divide(one, one + np.exp(-operand), out=out)


def pad(call, operand, padding_value, out):
    low, high, interior = numbers(call, "edge_padding_low", "edge_padding_high", "interior_padding")
    if any(interior) or any(edge < 0 for edge in low + high):
        raise assay_worker.Unsupported("pad: np.pad neither cuts nor pads between elements")
    np.copyto(out, np.pad(operand, list(zip(low, high)), constant_values=padding_value))


def real(call, operand, out):
    np.copyto(out, np.real(operand))


def reshape(call, operand, out):
    np.copyto(out, operand.reshape(out.shape))


def reverse(call, operand, out):
    np.copyto(out, np.flip(operand, tuple(numbers(call, "dimensions"))))


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
    body = FUNCTIONS.plain(monoid(call, "NumPy"))
    dimensions = tuple(numbers(call, "dimensions"))
    body.reduce(operand, axis=dimensions, dtype=out.dtype, initial=init[()], out=out)


def reduce_window(call, operand, init, out):
    body = FUNCTIONS.plain(monoid(call, "NumPy"))
    sizes, strides, steps, dilations, padding = numbers(
        call, "window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding")
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
    body.reduce(windows, axis=tuple(range(len(sizes), 2 * len(sizes))), dtype=out.dtype,
                initial=init[()], out=out)


def slice_(call, operand, out):
    start, limit, strides = numbers(call, "start_indices", "limit_indices", "strides")
    np.copyto(out, operand[tuple(map(slice, start, limit, strides))])


def transpose(call, operand, out):
    np.copyto(out, operand.transpose(numbers(call, "permutation")))


FUNCTIONS = Functions("numpy", np, np.__version__, {
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
}, takes_out=True)


def run(call):
    function = FUNCTIONS[call.op]
    inputs = [view(tensor) for tensor in call.inputs]
    if len(call.outputs) != 1 or call.captures:
        raise assay_worker.Unsupported(f"{call.op} of several operands, or of captured values")
    try:
        function(call, *inputs, view(call.outputs[0]))
    except TypeError as error:  # NumPy has the function, but not for these types
        raise assay_worker.Unsupported(f"{call.op}: {error}") from None


if __name__ == "__main__":
    # Warnings about operations that are judged anyway are off; results are the
    # same.
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    assay_worker.serve("numpy", np.__version__, run, limits_itself=True)
