"""The backend `python:torch` computes every op by the function of PyTorch that a user would take for it.

functions.json says which. PyTorch is judged, not improved: it is called on the operands as they lie in memory where it
can see them so; those with negative strides or an odd alignment, which it cannot have, are copied. Where it has no function
of the op's meaning, the call is declined.

`python:torch?device=cuda` computes on a GPU, `python:torch?compile=yes` by what torch.compile makes of each call.
"""

import assay_worker  # before PyTorch: it takes the channels of the runner

import math
import re
import warnings

warnings.simplefilter("ignore")  # what is said about operations that are judged anyway

import torch
from assay_adapters import Adapters, along, compare_direction, read_broadcast, read_convolution, read_matrices, read_window
from assay_attributes import comparison, monoid, numbers
from assay_functions import Functions

DTYPES = {
    "i1": torch.bool, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16,
    "complex<f32>": torch.complex64, "complex<f64>": torch.complex128,
    **{f"i{bits}": getattr(torch, f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": getattr(torch, f"uint{bits}") for bits in (8, 16, 32, 64)},
    **{f"f8{kind}": getattr(torch, f"float8_{kind.lower()}")
       for kind in ("E4M3FN", "E4M3FNUZ", "E5M2", "E5M2FNUZ", "E8M0FNU") if hasattr(torch, f"float8_{kind.lower()}")},
}
ADAPTERS = Adapters()
COMPARISONS = {"EQ": torch.eq, "NE": torch.ne, "GE": torch.ge, "GT": torch.gt, "LE": torch.le, "LT": torch.lt}
POOLS = {1: torch.nn.functional.max_pool1d, 2: torch.nn.functional.max_pool2d, 3: torch.nn.functional.max_pool3d}
CONVOLUTIONS = {1: torch.nn.functional.conv1d, 2: torch.nn.functional.conv2d, 3: torch.nn.functional.conv3d}
# What PyTorch says of types, sizes and attributes that it does not have a function for.
LACKS = [re.compile(message) for message in (
    r'"[\w<>]+" not implemented for \'\w+\'',
    r"\w+ not implemented for complex tensors\.",
    r"\w+ is not implemented for tensors with non-complex dtypes\.",
    r"\w+ is not supported for complex types",
    r"narrow\(\): length must be non-negative\.",  # of padding that cuts more than is there
    r"Only zero batch or zero channel inputs are supported, but got input shape: \[[\d, ]+\]",
    r"batch_norm eps must be (positive( during training)?|non-negative), but got -?[\d.e-]+",
    r"Expected more than 1 value per channel when training, got input size torch\.Size\(\[[\d, ]+\]\)",
    r"GET was unable to find an engine to execute this computation",  # of integers, by cuDNN
    r"getCudnnDataTypeFromScalarType\(\) not supported for \w+",
    r"Given groups=\d+, expected weight to be at least \d+ at dimension 0, but got weight of size \[[\d, ]+\] instead",
    r"Calculated padded input size per channel: \([\d x]+\)\. Kernel size: \([\d x]+\)\. Kernel size can't be greater than actual input size",
)]


class Settings:
    """The options of the session."""

    device = "cpu"
    is_compiled = False


@ADAPTERS
def batch_norm_inference(call, operand, scale, offset, mean, variance, out):
    epsilon, feature = numbers(call, "epsilon", "feature_index")
    moved = torch.movedim(operand, feature, 0)
    columns = moved.reshape(moved.shape[0], math.prod(moved.shape[1:])).t()
    result = torch.nn.functional.batch_norm(columns, mean, variance, scale, offset, training=False, eps=epsilon)
    return torch.movedim(result.t().reshape(moved.shape), 0, feature)


@ADAPTERS.of("batch_norm_training", results=3)
def batch_norm_training(call, operand, scale, offset, out, mean, variance):
    epsilon, feature = numbers(call, "epsilon", "feature_index")
    moved = torch.movedim(operand, feature, 0)
    columns = moved.reshape(moved.shape[0], math.prod(moved.shape[1:])).t()
    result = torch.nn.functional.batch_norm(columns, None, None, scale, offset, training=True, eps=epsilon)
    # The running variance of batch_norm is that of a sample.
    variance, mean = torch.var_mean(columns, dim=0, correction=0)
    return torch.movedim(result.t().reshape(moved.shape), 0, feature), mean, variance


@ADAPTERS
def bitcast_convert(call, operand, out):
    if torch.bool in (operand.dtype, out.dtype):
        raise assay_worker.Unsupported("bitcast_convert: a bit takes a byte in PyTorch")
    if out.itemsize < operand.element_size():
        operand = operand.unsqueeze(-1)
    # A clone begins where every type is aligned.
    return operand.clone(memory_format=torch.contiguous_format).view(out.dtype).reshape(out.shape)


@ADAPTERS
def broadcast_in_dim(call, operand, out):
    order, sizes = read_broadcast(call, operand.shape, len(out.shape))
    return torch.broadcast_to(operand.permute(order).reshape(sizes), out.shape)


@ADAPTERS
def clamp(call, least, operand, most, out):
    return torch.clamp(operand, least, most)


@ADAPTERS
def compare(call, lhs, rhs, out):
    return COMPARISONS[compare_direction(call, "PyTorch")](lhs, rhs)


@ADAPTERS
def concatenate(call, *inputs):
    return torch.cat(inputs[:-1], dim=numbers(call, "dimension"))


@ADAPTERS
def constant(call, out):
    return torch.clone(view(call.attributes.pop("value").value))


@ADAPTERS
def convert(call, operand, out):
    return operand.to(out.dtype)


@ADAPTERS
def convolution(call, lhs, rhs, out):
    asked = read_convolution(call)
    low, high = asked.padding[::2], asked.padding[1::2]
    if (any(asked.reversal) or any(step != 1 for step in asked.lhs_dilation) or asked.batch_groups != 1 or
            len(low) not in CONVOLUTIONS or low != high or min(low) < 0 or not lhs.dtype == rhs.dtype == out.dtype):
        raise assay_worker.Unsupported("convolution: windows that PyTorch does not have")
    result = CONVOLUTIONS[len(low)](lhs.permute(asked.lhs), rhs.permute(asked.rhs), None, asked.strides, low, asked.rhs_dilation,
                                    asked.groups)
    return result.permute(asked.result)


@ADAPTERS
def divide(call, lhs, rhs, out):
    return torch.div(lhs, rhs, rounding_mode=None if lhs.is_floating_point() or lhs.is_complex() else "trunc")


@ADAPTERS
def dot_general(call, lhs, rhs, out):
    sides = read_matrices(call, lhs.shape, rhs.shape)
    if not lhs.dtype == rhs.dtype == out.dtype:
        raise assay_worker.Unsupported("dot_general: PyTorch multiplies matrices of one type, in this type")
    left, right = (operand.permute(order).reshape(shape) for operand, (order, shape) in zip((lhs, rhs), sides))
    return torch.matmul(left, right).reshape(out.shape)


@ADAPTERS
def iota(call, out):
    dimension = numbers(call, "iota_dimension")
    indices = torch.arange(out.shape[dimension], dtype=out.dtype, device=Settings.device)
    return indices.reshape(along(dimension, len(out.shape))).expand(out.shape)


@ADAPTERS
def pad(call, operand, padding_value, out):
    low, high, interior = numbers(call, "edge_padding_low", "edge_padding_high", "interior_padding")
    if any(interior):
        raise assay_worker.Unsupported("pad: PyTorch does not pad between elements")
    if operand.is_complex():
        raise assay_worker.Unsupported("pad: PyTorch pads with real numbers")
    edges = [edge for pair in zip(reversed(low), reversed(high)) for edge in pair]
    return torch.nn.functional.pad(operand, edges, value=padding_value.item())


@ADAPTERS
def reduce(call, operand, init, out):
    body = monoid(call, "PyTorch")
    dimensions = numbers(call, "dimensions")
    is_bool = operand.dtype == torch.bool
    if operand.dtype != out.dtype:
        raise assay_worker.Unsupported("reduce: PyTorch reduces in the type of the operand")
    if body == "add" and not is_bool:
        reduced = torch.sum(operand, dimensions, dtype=out.dtype) if dimensions else operand
    elif body in ("minimum", "maximum"):
        function = torch.amin if body == "minimum" else torch.amax
        reduced = function(operand, dimensions) if dimensions and operand.numel() else None
    elif body == "multiply" and not is_bool:
        reduced = operand  # torch.prod takes one dimension
        for dimension in sorted(dimensions, reverse=True):
            reduced = torch.prod(reduced, dimension, dtype=out.dtype)
    elif is_bool and body in ("and", "or"):
        reduced = operand
        for dimension in sorted(dimensions, reverse=True):
            reduced = (torch.all if body == "and" else torch.any)(reduced, dimension)
    else:
        raise assay_worker.Unsupported(f"reduce: PyTorch has no reduction by {body} of these")
    if reduced is None:
        raise assay_worker.Unsupported("reduce: torch.amin and amax take no empty dimensions")
    return FUNCTIONS.plain(body)(init, reduced)


@ADAPTERS
def reduce_window(call, operand, init, out):
    body = monoid(call, "PyTorch")
    sizes, strides, steps, dilations, padding = read_window(call)
    low, high = padding[::2], padding[1::2]
    spatial = [d for d, size in enumerate(sizes) if size != 1 or strides[d] != 1 or low[d] != 0 or high[d] != 0]
    if (body != "maximum" or not operand.is_floating_point() or init.item() != -math.inf or len(spatial) not in POOLS or
            any(step != 1 for step in steps) or low != high or any(not 0 <= pad <= size // 2
                                                                   for pad, size in zip(low, sizes))):
        raise assay_worker.Unsupported("reduce_window: windows that PyTorch's pools do not have")
    rest = [d for d in range(operand.dim()) if d not in spatial]
    moved = operand.permute(rest + spatial)
    pooled = POOLS[len(spatial)](moved.reshape(1, -1, *moved.shape[len(rest):]),
                                 *([values[d] for d in spatial] for values in (sizes, strides)),
                                 [low[d] for d in spatial], [dilations[d] for d in spatial])
    result = pooled.reshape([out.shape[d] for d in rest + spatial])
    return result.permute([(rest + spatial).index(d) for d in range(operand.dim())])


@ADAPTERS
def reshape(call, operand, out):
    return torch.reshape(operand, out.shape)


@ADAPTERS
def reverse(call, operand, out):
    return torch.flip(operand, numbers(call, "dimensions"))


@ADAPTERS.of("paddle.bitwise_left_shift", "paddle.bitwise_right_shift")
def shift(call, x, y, out):
    call.attributes.pop("is_arithmetic", None)  # PyTorch shifts by the signedness of the type, whatever is asked for
    return (torch.bitwise_left_shift if "left" in call.op else torch.bitwise_right_shift)(x, y)


@ADAPTERS
def slice_(call, operand, out):
    return operand[tuple(map(slice, *numbers(call, "start_indices", "limit_indices", "strides")))]


@ADAPTERS
def sort(call, operand, out):
    direction = comparison(call, "PyTorch")
    dimension, is_stable = numbers(call, "dimension", "is_stable")
    return torch.sort(operand, dim=dimension, descending=direction == "GT", stable=is_stable).values


@ADAPTERS
def transpose(call, operand, out):
    return torch.permute(operand, numbers(call, "permutation"))


FUNCTIONS = Functions("torch", torch, torch.__version__, ADAPTERS)


class Result:
    """What an adapter may know of the result: its type and shape."""

    __slots__ = ("dtype", "shape", "itemsize")

    def __init__(self, tensor):
        self.dtype = dtype_of(tensor)
        self.shape = tensor.shape
        self.itemsize = tensor.size


def dtype_of(tensor):
    dtype = DTYPES.get(tensor.element)
    if dtype is None:
        raise assay_worker.Unsupported(f"PyTorch {torch.__version__} has no {tensor.element}")
    return dtype


def bytes_of(tensor):
    """Returns the bytes of a tensor, with those of an element as the last dimension, and the dimensions that go backwards."""
    backwards = [d for d, stride in enumerate(tensor.byte_strides) if stride < 0]
    at = tensor.at + sum(tensor.byte_strides[d] * (tensor.shape[d] - 1) for d in backwards)
    memory = torch.frombuffer(tensor.memory, dtype=torch.uint8)
    strides = [*map(abs, tensor.byte_strides), 1]
    return memory.as_strided([*tensor.shape, tensor.size], strides, at), backwards


def view(tensor):
    """Returns an operand as it lies in memory, or a copy where PyTorch cannot have it so."""
    dtype = dtype_of(tensor)
    if 0 in tensor.shape:
        return torch.empty(tensor.shape, dtype=dtype, device=Settings.device)
    backwards = any(stride < 0 for stride in tensor.byte_strides)
    if backwards or tensor.at % tensor.size:
        data, backwards = bytes_of(tensor)
        # A clone begins where every type is aligned.
        result = data.clone(memory_format=torch.contiguous_format).view(dtype).reshape(tensor.shape).flip(backwards)
    else:
        whole = len(tensor.memory) // tensor.size * tensor.size
        memory = torch.frombuffer(tensor.memory, dtype=dtype, count=whole // tensor.size)
        result = memory.as_strided(tensor.shape, tensor.strides, tensor.at // tensor.size)
    return result.to(Settings.device)


def write(tensor, result):
    if result.dtype != dtype_of(tensor) or result.shape != torch.Size(tensor.shape):
        raise ValueError(f"a result of type {result.dtype} and shape {list(result.shape)}")
    if result.numel():
        data, backwards = bytes_of(tensor)
        data.copy_(result.to("cpu").resolve_conj().resolve_neg().flip(backwards).contiguous().unsqueeze(-1).view(torch.uint8))


def run(call):
    function = FUNCTIONS[call.op]
    ADAPTERS.check(call)
    inputs = [view(tensor) for tensor in call.inputs]
    outputs = [Result(tensor) for tensor in call.outputs]
    try:
        if Settings.is_compiled:
            function = torch.compile(function, dynamic=False)  # attributes are read outside of its graphs
        results = function(call, *inputs, *outputs)
    except (RuntimeError, TypeError, ValueError) as error:
        message = str(error).partition("\n")[0]
        if any(lack.fullmatch(message) for lack in LACKS):
            raise assay_worker.Unsupported(f"{call.op}: {message}") from None
        raise
    for tensor, result in zip(call.outputs, results if len(outputs) > 1 else [results], strict=True):
        write(tensor, result)


def set_device(text):
    if text not in ("cpu", "cuda"):
        raise ValueError(f"device is {text}; there are cpu and cuda")
    if text == "cuda" and not torch.cuda.is_available():
        raise ValueError("PyTorch sees no GPU")
    Settings.device = text


def set_compile(text):
    if text not in ("yes", "no"):
        raise ValueError(f"compile is {text}; there are yes and no")
    Settings.is_compiled = text == "yes"


def version():
    device = Settings.device if Settings.device == "cpu" else torch.cuda.get_device_name(Settings.device)
    return f"{torch.__version__}, {torch.backends.cpu.get_cpu_capability() if device == 'cpu' else device}"


if __name__ == "__main__":
    torch.set_num_threads(1)
    assay_worker.serve("torch", version, run, options={"device": set_device, "compile": set_compile})
