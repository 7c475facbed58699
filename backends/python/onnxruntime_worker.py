"""The backend `python:onnxruntime` computes every op by the operator of ONNX that a user would take for it.

ONNX Runtime is judged, not improved: a call is a model of one operator, on operands that NumPy transposed and reshaped where the
operator wants them so. Its optimisations are off, unless the option `optimize=yes` asks for them. What the runtime does not have
for a type, it says itself, and the call is declined. Calls run in a child process, because some end it, as a
convolution over nothing does.
"""

import assay_worker  # before ONNX Runtime: it takes the channels of the runner

import ctypes
import functools
import math

import numpy as np

import onnx
import onnxruntime
from onnx import helper
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidGraph, NotImplemented as Lacking
from assay_adapters import Adapters, along, compare_direction, read_broadcast, read_convolution, read_matrices, read_window
from assay_attributes import comparison, monoid, numbers
from assay_functions import Functions
from assay_numpy import DTYPES, view

# Those that the runtime lets in as one element a byte or more: it packs narrower ones.
TYPES = {name: DTYPES[name] for name in ("i1", *(f"{kind}{bits}" for kind in ("i", "ui") for bits in (8, 16, 32, 64)),
                                         "f16", "f32", "f64", "bf16", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU")}
NAMES = {"EQ": "Equal", "GE": "GreaterOrEqual", "GT": "Greater", "LE": "LessOrEqual", "LT": "Less"}
REDUCTIONS = {"add": "ReduceSum", "multiply": "ReduceProd", "minimum": "ReduceMin", "maximum": "ReduceMax"}
LEAST_IR = 10  # of a model; a newer one than the runtime knows is refused
LEAST_OPSET = 21  # has every operator that is called here
ADAPTERS = Adapters()


class Settings:
    """The options of the session."""

    level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL


def operator(name, **attributes):
    """Returns an operator as a function of arrays, which returns an array, or a tuple of them if `outputs` says how many."""
    outputs = attributes.pop("outputs", 1)
    # An empty list is what an attribute is that is left out.
    key = tuple(sorted((k, tuple(v) if isinstance(v, list) else v) for k, v in attributes.items() if v != []))

    def compute(*operands):
        operands = [np.asarray(operand, order="C") for operand in operands]
        types = tuple(helper.np_dtype_to_tensor_dtype(operand.dtype) for operand in operands)
        model = session(name, types, key, outputs)
        make = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
        values = model.run_with_ort_values([f"y{i}" for i in range(outputs)],
                                           {f"x{i}": make(*pair) for i, pair in enumerate(zip(operands, types))})
        results = tuple(map(array, values))
        return results if outputs > 1 else results[0]

    return compute


@functools.lru_cache(1)
def opset():
    """Returns the newest operator set that both packages know: onnx may be newer than the runtime."""
    for version in range(onnx.defs.onnx_opset_version(), LEAST_OPSET, -1):
        value = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, None)
        node = helper.make_node("Identity", ["x"], ["y"])
        model = helper.make_model(helper.make_graph([node], "g", [value], [onnx.ValueInfoProto(name="y")]), ir_version=LEAST_IR,
                                  opset_imports=[helper.make_opsetid("", version)])
        try:
            onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        except Exception:  # the runtime has no class of its own for this
            continue
        return version
    return LEAST_OPSET


@functools.lru_cache(1024)
def session(name, types, key, outputs):
    """Returns a model of one operator, of operands of any shape."""
    attributes = {k: onnx.TensorProto.FromString(v) if isinstance(v, bytes) else v for k, v in key}
    inputs = [helper.make_tensor_value_info(f"x{i}", type, None) for i, type in enumerate(types)]
    results = [onnx.ValueInfoProto(name=f"y{i}") for i in range(outputs)]  # the runtime infers their types
    node = helper.make_node(name, [i.name for i in inputs], [r.name for r in results], **attributes)
    model = helper.make_model(helper.make_graph([node], name, inputs, results), ir_version=LEAST_IR,
                              opset_imports=[helper.make_opsetid("", opset())])
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = Settings.level
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def array(value):
    """Returns a result as an array. The runtime's own function has no types that NumPy itself lacks."""
    dtype = helper.tensor_dtype_to_np_dtype(value.element_type())
    size = math.prod(value.shape()) * dtype.itemsize
    return np.frombuffer(ctypes.string_at(value.data_ptr(), size) if size else b"", dtype).reshape(value.shape())


def plain(name, **attributes):
    compute = operator(name, **attributes)
    return lambda call, *operands_and_out: compute(*operands_and_out[:-1])


def of_booleans_and_integers(name):
    """Returns the function of the operator `name` of booleans, whose namesake of integers begins with Bitwise."""
    logical, bitwise = operator(name), operator(f"Bitwise{name}")
    return lambda call, *operands_and_out: (logical if operands_and_out[0].dtype == bool else bitwise)(*operands_and_out[:-1])


def integers(values):
    return np.array(values, np.int64)


def batch_norm(is_training):
    def compute(call, operand, scale, offset, *rest):
        epsilon, feature = numbers(call, "epsilon", "feature_index")
        epsilon = float(epsilon)
        moved = np.moveaxis(operand, feature, 0)
        columns = moved.reshape(moved.shape[0], math.prod(moved.shape[1:])).T
        if is_training:  # a momentum of 0 leaves the statistics of the batch
            mean = variance = np.zeros(scale.shape, scale.dtype)
            function = operator("BatchNormalization", epsilon=epsilon, training_mode=1, momentum=0.0, outputs=3)
            result, mean, variance = function(columns, scale, offset, mean, variance)
        else:
            result = operator("BatchNormalization", epsilon=epsilon)(columns, scale, offset, *rest[:2])
        result = np.moveaxis(result.T.reshape(moved.shape), 0, feature)
        return (result, mean, variance) if is_training else result

    return compute


@ADAPTERS
def bitcast_convert(call, operand, out):
    if bool in (operand.dtype, out.dtype):
        raise assay_worker.Unsupported("bitcast_convert: a bit takes a byte in ONNX Runtime")
    if operand.dtype.itemsize != out.dtype.itemsize:
        raise assay_worker.Unsupported("bitcast_convert: BitCast takes types of one width")
    return operator("BitCast", to=helper.np_dtype_to_tensor_dtype(out.dtype))(operand)


@ADAPTERS.of("broadcast_in_dim", "dynamic_broadcast_in_dim")
def broadcast_in_dim(call, operand, *shape_and_out):
    for name in ("known_expanding_dimensions", "known_nonexpanding_dimensions"):
        call.attributes.pop(name, None)
    out = shape_and_out[-1]
    order, sizes = read_broadcast(call, operand.shape, out.ndim)
    return operator("Expand")(operand.transpose(order).reshape(sizes), integers(out.shape))


@ADAPTERS
def clamp(call, least, operand, most, out):
    if least.ndim == most.ndim == 0:
        return operator("Clip")(operand, least, most)
    return operator("Min")(operator("Max")(operand, least), most)  # the bounds of Clip are scalars


@ADAPTERS
def compare(call, lhs, rhs, out):
    asked = compare_direction(call, "ONNX")
    return operator("Not")(operator("Equal")(lhs, rhs)) if asked == "NE" else operator(NAMES[asked])(lhs, rhs)


@ADAPTERS
def concatenate(call, *inputs):
    return operator("Concat", axis=numbers(call, "dimension"))(*inputs[:-1])


@ADAPTERS
def constant(call, out):
    value = onnx.numpy_helper.from_array(np.array(view(call.attributes.pop("value").value, TYPES, "ONNX Runtime"), order="C"))
    return operator("Constant", value=value.SerializeToString())()


@ADAPTERS
def convert(call, operand, out):
    # Saturation is the default of floats of 8 bits, and makes the largest number of an infinity.
    saturate = {"saturate": 0} if out.dtype.name.startswith("float8") else {}
    return operator("Cast", to=helper.np_dtype_to_tensor_dtype(out.dtype), **saturate)(operand)


@ADAPTERS
def convolution(call, lhs, rhs, out):
    asked = read_convolution(call)
    if (any(asked.reversal) or any(step != 1 for step in asked.lhs_dilation) or asked.batch_groups != 1 or not asked.strides or
            min(asked.padding) < 0 or not lhs.dtype == rhs.dtype == out.dtype):
        raise assay_worker.Unsupported("convolution: windows that Conv does not have")
    function = operator("Conv", strides=asked.strides, pads=asked.padding[::2] + asked.padding[1::2], dilations=asked.rhs_dilation,
                        group=asked.groups)
    return function(lhs.transpose(asked.lhs), rhs.transpose(asked.rhs)).transpose(asked.result)


@ADAPTERS
def dot_general(call, lhs, rhs, out):
    sides = read_matrices(call, lhs.shape, rhs.shape)
    name = "MatMul"
    if {lhs.dtype, rhs.dtype} <= {np.dtype(np.int8), np.dtype(np.uint8)} and out.dtype == np.int32:
        name = "MatMulInteger"
    elif not lhs.dtype == rhs.dtype == out.dtype:
        raise assay_worker.Unsupported("dot_general: MatMul is of one type")
    left, right = (operand.transpose(order).reshape(shape) for operand, (order, shape) in zip((lhs, rhs), sides))
    return operator(name)(left, right).reshape(out.shape)


@ADAPTERS
def iota(call, out):
    dimension = numbers(call, "iota_dimension")
    if out.dtype not in map(np.dtype, (np.int16, np.int32, np.int64, np.float32, np.float64)):
        raise assay_worker.Unsupported(f"iota: Range has no {out.dtype}")
    if out.dtype.kind == "i" and out.shape[dimension] > np.iinfo(out.dtype).max:
        raise assay_worker.Unsupported("iota: the limit of Range is of the type of the result")
    indices = operator("Range")(*(np.array(value, out.dtype) for value in (0, out.shape[dimension], 1)))
    return np.broadcast_to(indices.reshape(along(dimension, out.ndim)), out.shape)


@ADAPTERS
def is_finite(call, operand, out):
    return operator("Not")(operator("Or")(operator("IsNaN")(operand), operator("IsInf")(operand)))


@ADAPTERS.of("pad", "dynamic_pad")
def pad(call, operand, padding_value, *sizes_and_out):
    if len(sizes_and_out) > 1:  # dynamic_pad
        low, high, interior = (sizes.tolist() for sizes in sizes_and_out[:3])
    else:
        low, high, interior = numbers(call, "edge_padding_low", "edge_padding_high", "interior_padding")
    if any(interior) or not operand.ndim:
        raise assay_worker.Unsupported("pad: Pad takes no scalar and does not pad between elements")
    if max(map(abs, low + high), default=0) > np.iinfo(np.int64).max:
        raise assay_worker.Unsupported("pad: more than Pad counts")
    result = operator("Pad")(operand, integers(low + high), padding_value)
    if result.shape != sizes_and_out[-1].shape:
        raise assay_worker.Unsupported("dynamic_pad: sizes that are not those of the result")
    return result


@ADAPTERS
def reduce(call, operand, init, out):
    body = monoid(call, "ONNX")
    dimensions = numbers(call, "dimensions")
    if operand.dtype == bool:
        body = {"and": "minimum", "multiply": "minimum", "or": "maximum", "add": "maximum"}.get(body, body)
    if body not in REDUCTIONS or operand.dtype != out.dtype or init[()] != identity(body, out.dtype):
        raise assay_worker.Unsupported("reduce: ONNX reduces in the type of the operand, from the identity of a sum, product, least or largest")
    return operator(REDUCTIONS[body], keepdims=0, noop_with_empty_axes=1)(operand, integers(dimensions))


def identity(body, dtype):
    if body in ("add", "multiply"):
        return 0 if body == "add" else 1
    if dtype == bool:
        return body == "minimum"
    if np.issubdtype(dtype, np.integer):
        return np.iinfo(dtype).max if body == "minimum" else np.iinfo(dtype).min
    return math.inf if body == "minimum" else -math.inf


@ADAPTERS
def reduce_window(call, operand, init, out):
    body = monoid(call, "ONNX")
    sizes, strides, steps, dilations, padding = read_window(call)
    if (body != "maximum" or operand.dtype == bool or init[()] != identity(body, operand.dtype) or not sizes or
            any(step != 1 for step in steps) or min(padding) < 0):
        raise assay_worker.Unsupported("reduce_window: windows that MaxPool does not have")
    function = operator("MaxPool", kernel_shape=sizes, strides=strides, dilations=dilations, pads=padding[::2] + padding[1::2])
    return function(operand[np.newaxis, np.newaxis])[0, 0]


@ADAPTERS.of("reshape", "dynamic_reshape")
def reshape(call, operand, *shape_and_out):
    return operator("Reshape", allowzero=1)(operand, integers(shape_and_out[-1].shape))


@ADAPTERS
def reverse(call, operand, out):
    dimensions = numbers(call, "dimensions")
    if not operand.ndim:
        raise assay_worker.Unsupported("reverse: Slice takes no scalar")
    least = integers([np.iinfo(np.int64).min] * len(dimensions))
    return operator("Slice")(operand, integers([-1] * len(dimensions)), least, integers(dimensions), integers([-1] * len(dimensions)))


@ADAPTERS
def rsqrt(call, operand, out):
    return operator("Reciprocal")(operator("Sqrt")(operand))


def shift(direction):
    compute = operator("BitShift", direction=direction)

    def shifted(call, x, y, out):
        call.attributes.pop("is_arithmetic", None)  # BitShift goes by the sign of the type, whatever is asked for
        return compute(x, y)

    return shifted


@ADAPTERS
def slice_(call, operand, out):
    start, limit, strides = map(integers, numbers(call, "start_indices", "limit_indices", "strides"))
    if not operand.ndim:
        raise assay_worker.Unsupported("slice: Slice takes no scalar")
    return operator("Slice")(operand, start, limit, integers(range(operand.ndim)), strides)


@ADAPTERS
def sort(call, operand, out):
    asked = comparison(call, "ONNX")
    dimension = numbers(call, "dimension")
    call.attributes.pop("is_stable")  # of equal elements, the one with the lower index is first
    function = operator("TopK", axis=dimension, largest=int(asked == "GT"), outputs=2)
    return function(operand, integers([operand.shape[dimension]]))[0]


@ADAPTERS
def transpose(call, operand, out):
    return operator("Transpose", perm=numbers(call, "permutation"))(operand)


for op, name in (("and", "And"), ("not", "Not"), ("or", "Or"), ("xor", "Xor")):
    ADAPTERS.of(op)(of_booleans_and_integers(name))
ADAPTERS.of("batch_norm_inference")(batch_norm(is_training=False))
ADAPTERS.of("batch_norm_training", results=3)(batch_norm(is_training=True))
ADAPTERS.of("paddle.bitwise_left_shift", "shift_left")(shift("LEFT"))
ADAPTERS.of("paddle.bitwise_right_shift", "shift_right_arithmetic", "shift_right_logical")(shift("RIGHT"))
ADAPTERS.of("remainder")(plain("Mod", fmod=1))  # of two remainders it is the one with the sign of the dividend


class Operators:
    """The operators of ONNX as attributes, each a function of arrays."""

    def __getattr__(self, name):
        if not onnx.defs.has(name):
            raise AttributeError(name)
        return operator(name)


FUNCTIONS = Functions("onnxruntime", Operators(), onnxruntime.__version__, ADAPTERS)


def run(call):
    function = FUNCTIONS[call.op]
    ADAPTERS.check(call)
    operands = [view(tensor, TYPES, "ONNX Runtime") for tensor in call.inputs]
    outputs = [view(tensor, TYPES, "ONNX Runtime") for tensor in call.outputs]
    try:
        results = function(call, *operands, *outputs)
    except (Lacking, InvalidGraph) as error:
        raise lack(call.op, operands, str(error)) from None
    for output, result in zip(outputs, results if len(outputs) > 1 else [results], strict=True):
        if result.dtype != output.dtype or result.shape != output.shape:
            raise ValueError(f"a result of type {result.dtype} and shape {list(result.shape)}")
        np.copyto(output, result)


def lack(op, operands, message):
    """Returns the exception for what the runtime does not have."""
    if "Could not find an implementation" in message or "Failed to find kernel" in message or "Type Error: Type" in message:
        return assay_worker.Unsupported(f"{op} of {' and '.join(sorted({str(o.dtype) for o in operands}))}")
    return RuntimeError(message)


def explain_death(how, words):
    """Returns what a death amounts to."""
    return assay_worker.Crash(f"{how}: {words.strip().rpartition(chr(10))[2]}".removesuffix(": "))


def set_optimize(text):
    if text not in ("yes", "no"):
        raise ValueError(f"optimize is {text}; there are yes and no")
    if text == "yes":
        Settings.level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL


if __name__ == "__main__":
    assay_worker.serve("onnxruntime", onnxruntime.__version__, run, explain_death=explain_death,
                       options={"optimize": set_optimize})
