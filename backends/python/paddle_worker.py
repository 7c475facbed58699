"""The backend `python:paddle` computes every op by the function of Paddle that a user would take for it.

Paddle is judged, not improved: it gets the operands as they lie, without a copy (DLPack), and what it returns is copied into
the output. Shifts whose result lies where x does are its calls in place. `tools/dev backend paddle` makes the environment.

With `python:paddle?out=given` functions that document `out` get the output as that, and what they leave there is judged.
"""

import assay_worker  # before Paddle: it takes the channels of the runner

import inspect
import math
import re

import numpy as np
import paddle
from assay_adapters import Adapters, along, compare_direction, read_broadcast, read_convolution, read_matrices, read_window
from assay_attributes import comparison, monoid, numbers
from assay_functions import Functions

# The type of the bytes in NumPy, and that of Paddle where NumPy has none. Paddle takes NumPy's uint16 for bf16, and has no
# unsigned type of 16 bits.
ELEMENTS = {
    "i1": ("?", paddle.bool), "ui8": ("u1", paddle.uint8), "ui32": ("<u4", paddle.uint32), "ui64": ("<u8", paddle.uint64),
    **{f"i{bits}": (f"<i{bits // 8}", getattr(paddle, f"int{bits}")) for bits in (8, 16, 32, 64)},
    **{f"f{bits}": (f"<f{bits // 8}", getattr(paddle, f"float{bits}")) for bits in (16, 32, 64)},
    **{f"complex<f{bits}>": (f"<c{bits // 4}", getattr(paddle, f"complex{2 * bits}")) for bits in (32, 64)},
    "bf16": ("<i2", paddle.bfloat16), "f8E4M3FN": ("i1", paddle.float8_e4m3fn), "f8E5M2": ("i1", paddle.float8_e5m2),
}
STORED = {paddle.bfloat16: paddle.int16, paddle.float8_e4m3fn: paddle.int8, paddle.float8_e5m2: paddle.int8}
ADAPTERS = Adapters()
COMPARISONS = {"EQ": paddle.equal, "NE": paddle.not_equal, "GE": paddle.greater_equal, "GT": paddle.greater_than,
               "LE": paddle.less_equal, "LT": paddle.less_than}
REDUCTIONS = {"add": paddle.sum, "and": paddle.all, "maximum": paddle.max, "minimum": paddle.min, "multiply": paddle.prod,
              "or": paddle.any}
WITH_INITIAL = {"add": paddle.add, "and": paddle.logical_and, "maximum": paddle.maximum, "minimum": paddle.minimum,
                "multiply": paddle.multiply, "or": paddle.logical_or}
CONVOLUTIONS = {1: paddle.nn.functional.conv1d, 2: paddle.nn.functional.conv2d, 3: paddle.nn.functional.conv3d}
# What Paddle says of types and ranks that a function does not have.
LACKS = [re.compile(message) for message in (
    r"\(Unimplemented\) .+",
    r"Invalid tensor data type `\w+`\. \[/paddle/[\w/.]+:\d+\]",
    r"\(InvalidArgument\) The dimension of StridedSlice operator's input should be less than 7, but received dimension is \d+\.",
    r"Unimplemented error\. Invalid dimension to be accessed\. Now only supports access to dimension 0 to 9, but received dimension is \d+\."
    r"( \[/paddle/[\w/.]+:\d+\])?",
    r"\(InvalidArgument\) ShapeError: the dimension of input X must smaller than or equal to 5\. But received: the shape of input X = \[[\d, ]+\], "
    r"the dimension of input X = \[\d+\]",
)]


class Settings:
    """The options of the session."""

    gives_out = False


def batch_norm(call, operand, out, *statistics, **how):
    epsilon, feature = float(call.attributes.pop("epsilon").text), numbers(call, "feature_index")
    if operand.ndim < 2:
        raise assay_worker.Unsupported("batch_norm: Paddle has none of vectors")
    result = paddle.nn.functional.batch_norm(paddle.moveaxis(operand, feature, 1), *statistics, epsilon=epsilon, **how)
    return paddle.moveaxis(result, 1, feature)


@ADAPTERS
def batch_norm_inference(call, operand, scale, offset, mean, variance, out):
    return batch_norm(call, operand, out, mean, variance, scale, offset, training=False)


@ADAPTERS.of("batch_norm_training", results=3)
def batch_norm_training(call, operand, scale, offset, out):
    # Running statistics of which nothing is kept are those of the batch.
    mean, variance = paddle.zeros_like(scale), paddle.zeros_like(scale)
    result = batch_norm(call, operand, out, mean, variance, scale, offset, training=True, momentum=0.0)
    return result, mean, variance


@ADAPTERS
def bitcast_convert(call, operand, out):
    if paddle.bool in (operand.dtype, out.dtype):
        raise assay_worker.Unsupported("bitcast_convert: a bit takes a byte in Paddle")
    if out.size < call.inputs[0].size:
        operand = operand.unsqueeze(-1)
    return operand.contiguous().view(out.dtype).reshape(out.shape)


@ADAPTERS
def broadcast_in_dim(call, operand, out):
    order, sizes = read_broadcast(call, operand.shape, len(out.shape))
    return paddle.broadcast_to(paddle.transpose(operand, order).reshape(sizes), out.shape)


@ADAPTERS
def clamp(call, least, operand, most, out):
    if call.inputs[0].shape or call.inputs[2].shape:  # the bounds of paddle.clip are single values
        return paddle.minimum(paddle.maximum(operand, least), most)
    return paddle.clip(operand, least, most)


@ADAPTERS
def compare(call, lhs, rhs, out):
    return COMPARISONS[compare_direction(call, "Paddle")](lhs, rhs)


@ADAPTERS
def concatenate(call, *inputs, out):
    return paddle.concat(inputs, numbers(call, "dimension"))


@ADAPTERS
def constant(call, out):
    return paddle.assign(view(call.attributes.pop("value").value, call.outputs[0].memory))


@ADAPTERS
def convert(call, operand, out):
    return paddle.cast(operand, out.dtype)


@ADAPTERS
def convolution(call, lhs, rhs, out):
    asked = read_convolution(call)
    if (any(asked.reversal) or any(step != 1 for step in asked.lhs_dilation) or asked.batch_groups != 1 or
            len(asked.strides) not in CONVOLUTIONS or min(asked.padding) < 0 or not lhs.dtype == rhs.dtype == out.dtype):
        raise assay_worker.Unsupported("convolution: windows that Paddle does not have")
    result = CONVOLUTIONS[len(asked.strides)](paddle.transpose(lhs, asked.lhs), paddle.transpose(rhs, asked.rhs), None, asked.strides,
                                              asked.padding, asked.rhs_dilation, asked.groups)
    return paddle.transpose(result, asked.result)


@ADAPTERS
def divide(call, lhs, rhs, out):
    # Without a mode, integers have a quotient in f32.
    return paddle.divide(lhs, rhs, rounding_mode="trunc" if paddle.is_integer(lhs) else None)


@ADAPTERS
def dot_general(call, lhs, rhs, out):
    sides = read_matrices(call, lhs.shape, rhs.shape)
    if not lhs.dtype == rhs.dtype == out.dtype:
        raise assay_worker.Unsupported("dot_general: Paddle multiplies matrices of one type, in this type")
    left, right = (paddle.transpose(operand, order).reshape(shape) for operand, (order, shape) in zip((lhs, rhs), sides))
    return paddle.matmul(left, right).reshape(out.shape)


@ADAPTERS
def iota(call, out):
    dimension = numbers(call, "iota_dimension")
    indices = paddle.arange(out.shape[dimension], dtype=out.dtype)
    return indices.reshape(along(dimension, len(out.shape))).broadcast_to(out.shape)


@ADAPTERS
def pad(call, operand, padding_value, out):
    low, high, interior = numbers(call, "edge_padding_low", "edge_padding_high", "interior_padding")
    if any(interior) or any(edge < 0 for edge in low + high):
        raise assay_worker.Unsupported("pad: Paddle neither cuts nor pads between elements")
    edges = [edge for pair in zip(low, high) for edge in pair]
    if paddle.is_complex(operand):
        raise assay_worker.Unsupported("pad: Paddle pads with real numbers")
    return paddle.nn.functional.pad(operand, edges, value=padding_value.item())


@ADAPTERS
def reduce(call, operand, init, out):
    return reduced(call, operand, init, numbers(call, "dimensions"), out.dtype)


def reduced(call, operand, init, dimensions, dtype):
    body = monoid(call, "Paddle")
    if body not in REDUCTIONS or operand.dtype != dtype or (body in ("and", "or") and dtype != paddle.bool):
        raise assay_worker.Unsupported(f"reduce: Paddle has no reduction by {body} of these types")
    if body in ("maximum", "minimum") and not operand.size:
        raise assay_worker.Unsupported("reduce: paddle.max and paddle.min take no empty dimensions")
    if dimensions:
        # Sums and products of integers are i64 unless another type is asked for.
        more = {"dtype": dtype} if body in ("add", "multiply") else {}
        operand = REDUCTIONS[body](operand, axis=dimensions, **more)
    return WITH_INITIAL[body](operand, init)


@ADAPTERS
def reduce_window(call, operand, init, out):
    sizes, strides, bases, dilations, padding = read_window(call)
    places = [slice(low, low + size) for low, size in zip(padding[::2], operand.shape)]
    extents = [low + size + high for low, size, high in zip(padding[::2], operand.shape, padding[1::2])]
    if (any(edge < 0 for edge in padding) or any(step != 1 for step in bases) or 0 in out.shape or
            math.prod(extents) > 1 << 26 or not sizes):
        raise assay_worker.Unsupported("reduce_window: operands and windows that Paddle does not have")
    padded = init.broadcast_to(extents).contiguous().clone()
    if operand.size:
        padded[tuple(places)] = operand
    steps = [[step * factor for step, factor in zip(padded.strides, factors)] for factors in (strides, dilations)]
    windows = paddle.as_strided(padded, [*out.shape, *sizes], steps[0] + steps[1])
    return reduced(call, windows, init, list(range(len(sizes), 2 * len(sizes))), out.dtype)


@ADAPTERS
def reshape(call, operand, out):
    return paddle.reshape(operand, out.shape)


@ADAPTERS
def reverse(call, operand, out):
    return paddle.flip(operand, numbers(call, "dimensions"))


@ADAPTERS.of("paddle.bitwise_left_shift", "paddle.bitwise_right_shift")
def shift(call, x, y, out):
    function, in_place = ((paddle.bitwise_left_shift, paddle.bitwise_left_shift_) if "left" in call.op else
                          (paddle.bitwise_right_shift, paddle.bitwise_right_shift_))
    how = [call.attributes.pop("is_arithmetic").text == "true"] if "is_arithmetic" in call.attributes else []
    place, result = call.inputs[0], call.outputs[0]
    if (place.at, place.strides, place.shape) == (result.at, result.strides, result.shape) and not Settings.gives_out:
        return in_place(x, y, *how)
    return called(function, call, x, y, *how)


@ADAPTERS
def shift_right_logical(call, lhs, rhs, out):
    return called(paddle.bitwise_right_shift, call, lhs, rhs, False)


@ADAPTERS
def slice_(call, operand, out):
    return paddle.strided_slice(operand, list(range(operand.ndim)),
                                *numbers(call, "start_indices", "limit_indices", "strides"))


@ADAPTERS
def sort(call, operand, out):
    direction = comparison(call, "Paddle")
    dimension, is_stable = numbers(call, "dimension", "is_stable")
    return paddle.sort(operand, dimension, descending=direction == "GT", stable=is_stable)


@ADAPTERS
def transpose(call, operand, out):
    return paddle.transpose(operand, numbers(call, "permutation"))


class Result:
    """What an adapter may know of a result: its type and shape."""

    __slots__ = ("dtype", "shape", "size")

    def __init__(self, tensor):
        self.dtype = dtype_of(tensor)
        self.shape = list(tensor.shape)
        self.size = tensor.size


def dtype_of(tensor):
    if tensor.element not in ELEMENTS:
        raise assay_worker.Unsupported(f"Paddle {paddle.__version__} has no {tensor.element}")
    return ELEMENTS[tensor.element][1]


def array(tensor, memory):
    return np.ndarray(tensor.shape, ELEMENTS[tensor.element][0], memory, tensor.at, tensor.byte_strides)


def view(tensor, memory):
    """Returns an operand as it lies in memory, or a copy where Paddle cannot have it so.

    `memory` must be writable, else NumPy does not hand it out.
    """
    dtype, place = dtype_of(tensor), array(tensor, memory)
    if not place.size or any(stride < 0 for stride in tensor.byte_strides):
        place = np.array(place, order="C")
    result = paddle.from_dlpack(place)
    return result.view(dtype) if dtype in STORED else result


def write(tensor, result):
    if result.dtype != dtype_of(tensor) or list(result.shape) != list(tensor.shape):
        raise ValueError(f"a result of type {result.dtype} and shape {list(result.shape)}")
    result = result.view(STORED[result.dtype]) if result.dtype in STORED else result
    np.copyto(array(tensor, tensor.memory), result.numpy())


def called(function, call, *operands):
    """Calls a function, or with `out=given` that and the output. Returns what the result is then in."""
    if not Settings.gives_out:
        return function(*operands)
    if "out" not in inspect.signature(function).parameters:
        raise assay_worker.Unsupported(f"paddle.{function.__name__} has no out")
    out = view(call.outputs[0], call.outputs[0].memory)
    function(*operands, out=out)
    return out


FUNCTIONS = Functions("paddle", paddle, paddle.__version__, ADAPTERS)


def failure(op, error):
    """Returns what an exception of Paddle amounts to, without its trace and the places of its source."""
    text = re.sub(r"(?s).*Error Message Summary:\s*-+", "", str(error))
    lacks = re.search(r"kernel with key \(\w+, [^)]*\), (\w+)\) of kernel `(\w+)` is not registered", text)
    if lacks:
        return assay_worker.Unsupported(f"Paddle {paddle.__version__} has no {lacks[2]} of {lacks[1]}")
    text = " ".join(re.sub(r"(?s)\s*\[Hint: .*|\(at /paddle.*", "", text).split())
    return assay_worker.Unsupported(f"{op}: {text}") if any(lack.fullmatch(text) for lack in LACKS) else type(error)(text)


def compute(call):
    # Inputs are read-only in their own memory, which is the one of the outputs.
    inputs = [view(tensor, call.outputs[0].memory) for tensor in call.inputs]
    adapter = ADAPTERS.get(call.op)
    if adapter is None:
        return called(FUNCTIONS.plain(call.op), call, *inputs)
    if Settings.gives_out and adapter not in (shift, shift_right_logical):
        raise assay_worker.Unsupported(f"{call.op}: only functions of the operands alone are given the output")
    return adapter(call, *inputs, out=Result(call.outputs[0]))


def run(call):
    ADAPTERS.check(call)
    try:
        results = compute(call)
    except (assay_worker.Unsupported, MemoryError):
        raise
    except Exception as error:
        raise failure(call.op, error) from None
    for tensor, result in zip(call.outputs, results if isinstance(results, tuple) else (results,), strict=True):
        write(tensor, result)


def set_out(text):
    if text not in ("given", "returned"):
        raise ValueError(f"out is given or returned, not {text!r}")
    Settings.gives_out = text == "given"


if __name__ == "__main__":
    paddle.disable_signal_handler()  # it says a page where the runner says the signal
    paddle.set_device("cpu")
    assay_worker.serve("paddle", paddle.__version__, run, options={"out": set_out}, limits_itself=True)
