"""The backend `python:jax` computes every op by the function of jax.lax that a user would take for it.

functions.json says which. Calls are made eagerly, with 64-bit types enabled, so that what differs is met by who calls the
function; XLA itself is judged by `pjrt:`. `python:jax?jit=yes` puts each call into jax.jit.
"""

import assay_worker  # before JAX: it takes the channels of the runner

import os
import re
import warnings

os.environ.setdefault("JAX_ENABLE_X64", "true")
import jax
import ml_dtypes
import numpy as np
from jax import lax
import assay_numpy
from assay_adapters import Adapters, compare_direction, read_convolution, read_window
from assay_attributes import comparison, monoid, numbers
from assay_functions import Functions

DTYPES = {**assay_numpy.DTYPES, **{f"{sign}i{bits}": np.dtype(getattr(ml_dtypes, f"{name}{bits}"))
                                   for sign, name in (("", "int"), ("u", "uint")) for bits in (2, 4)}}
ADAPTERS = Adapters()
COMPARISONS = {"EQ": lax.eq, "NE": lax.ne, "GE": lax.ge, "GT": lax.gt, "LE": lax.le, "LT": lax.lt}
SCATTERS = {"add": lax.scatter_add, "multiply": lax.scatter_mul, "minimum": lax.scatter_min, "maximum": lax.scatter_max}
PROGRAMS_KEPT = 2000  # JAX keeps what it compiled without end
# What JAX says of types, ranks and sizes that it does not have a function for.
LACKS = [re.compile(message) for message in (
    r"\w+ does not accept dtype \w+( at position \d+)?\. .*",
    r"INVALID_ARGUMENT: Invalid XLA PrimitiveType: \d+ \(\w+\)",
    r"\w+: arrays must have the same number of dimensions, got \{\d+, \d+\}",
    r"INVALID_ARGUMENT: Unknown NumPy dtype dtype\(\w+\) char \w kind \w itemsize \d+",
    r"INVALID_ARGUMENT: .* The XLA CPU/GPU backend does not support custom element sizes on non-sub-byte types: .*",
    r"lax\.bitcast_convert_type does not support \w+ or \w+ values unless the operand and destination types match\. .*",
    r"operand to reduce_window_\w+ must have a number dtype, got \w+",
    r"Attempting to convert array of shape \([\d, ]*\) from (bool of size .*|\w+ of size \d+ bits to bool of size .*)",
    r"Gather op can only collapse slice dims with bound 1, but bound is 0 for index \d+ at position \d+\.",
    r"Negative padding is larger than the size of the corresponding dimension: got padding=.*",
)]


class Settings:
    """The options of the session, and the calls since JAX last forgot what it compiled."""

    is_jitted = False
    calls = 0


@ADAPTERS
def broadcast_in_dim(call, operand, out):
    return lax.broadcast_in_dim(operand, out.shape, numbers(call, "broadcast_dimensions"))


@ADAPTERS
def bitcast_convert(call, operand, out):
    return lax.bitcast_convert_type(operand, out.dtype)


@ADAPTERS
def compare(call, lhs, rhs, out):
    return COMPARISONS[compare_direction(call, "the public part of JAX")](lhs, rhs)


@ADAPTERS
def concatenate(call, *inputs):
    return lax.concatenate(inputs[:-1], numbers(call, "dimension"))


@ADAPTERS
def constant(call, out):
    return jax.numpy.asarray(array(call.attributes.pop("value").value))


@ADAPTERS
def convert(call, operand, out):
    return lax.convert_element_type(operand, out.dtype)


@ADAPTERS
def convolution(call, lhs, rhs, out):
    asked = read_convolution(call)
    if any(asked.reversal):
        raise assay_worker.Unsupported("convolution: jax.lax.conv_general_dilated does not reverse windows")
    order = lax.ConvDimensionNumbers(tuple(asked.lhs), tuple(asked.rhs), tuple(asked.out))
    return lax.conv_general_dilated(lhs, rhs, asked.strides, list(zip(asked.padding[::2], asked.padding[1::2])), asked.lhs_dilation,
                                    asked.rhs_dilation, order, asked.groups, asked.batch_groups, preferred_element_type=out.dtype)


@ADAPTERS
def dot_general(call, lhs, rhs, out):
    contracted, batch = (numbers(call, f"lhs_{kind}_dimensions", f"rhs_{kind}_dimensions")
                         for kind in ("contracting", "batching"))
    call.attributes.pop("precision_config", None)
    if call.attributes:
        raise assay_worker.Unsupported("an algorithm")
    return lax.dot_general(lhs, rhs, (contracted, batch), preferred_element_type=out.dtype)


@ADAPTERS
def dynamic_slice(call, operand, *indices):
    return lax.dynamic_slice(operand, indices[:-1], numbers(call, "slice_sizes"))


@ADAPTERS
def dynamic_update_slice(call, operand, update, *indices):
    return lax.dynamic_update_slice(operand, update, indices[:-1])


@ADAPTERS
def gather(call, operand, indices, out):
    offsets, collapsed, batching, index_batching, index_map, vector, sizes, is_sorted = numbers(
        call, "offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
        "start_index_map", "index_vector_dim", "slice_sizes", "indices_are_sorted")
    indices, index_batching = vectors_last(indices, vector, index_batching)
    order = lax.GatherDimensionNumbers(*map(tuple, (offsets, collapsed, index_map, batching, index_batching)))
    return lax.gather(operand, indices, order, sizes, indices_are_sorted=bool(is_sorted), mode="clip")


def vectors_last(indices, vector, batching):
    """Returns indices as jax.lax takes them, whose vectors are the last dimension, and where their batching dimensions then are."""
    if vector == indices.ndim:
        return indices[..., None], batching
    return jax.numpy.moveaxis(indices, vector, -1), [dimension - (dimension > vector) for dimension in batching]


@ADAPTERS
def iota(call, out):
    return lax.broadcasted_iota(out.dtype, out.shape, numbers(call, "iota_dimension"))


@ADAPTERS
def pad(call, operand, padding_value, out):
    edges = numbers(call, "edge_padding_low", "edge_padding_high", "interior_padding")
    return lax.pad(operand, padding_value, list(zip(*edges)))


def in_one_type(call, operand, out):
    """Declines reductions of which the result has another type than the operand: JAX reduces in the type that it is given."""
    if operand.dtype != out.dtype:
        raise assay_worker.Unsupported(f"{call.op}: JAX reduces in the type of the operand")


@ADAPTERS
def reduce(call, operand, init, out):
    in_one_type(call, operand, out)
    body = FUNCTIONS.plain(monoid(call, "JAX"))
    return lax.reduce(operand, init, body, numbers(call, "dimensions"))


@ADAPTERS
def reduce_precision(call, operand, out):
    return lax.reduce_precision(operand, *numbers(call, "exponent_bits", "mantissa_bits"))


@ADAPTERS
def reduce_window(call, operand, init, out):
    in_one_type(call, operand, out)
    body = FUNCTIONS.plain(monoid(call, "JAX"))
    sizes, strides, steps, dilations, padding = read_window(call)
    return lax.reduce_window(operand, init, body, sizes, strides, list(zip(padding[::2], padding[1::2])), steps, dilations)


@ADAPTERS
def reshape(call, operand, out):
    return lax.reshape(operand, out.shape)


@ADAPTERS
def reverse(call, operand, out):
    return lax.rev(operand, numbers(call, "dimensions"))


@ADAPTERS
def scatter(call, operand, indices, updates, out):
    in_one_type(call, operand, out)
    body = SCATTERS.get(monoid(call, "JAX"))
    windows, inserted, batching, index_batching, index_map, vector, is_sorted, is_unique = numbers(
        call, "update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
        "scatter_dims_to_operand_dims", "index_vector_dim", "indices_are_sorted", "unique_indices")
    if body is None:
        raise assay_worker.Unsupported("scatter: a body that jax.lax does not have")
    indices, index_batching = vectors_last(indices, vector, index_batching)
    order = lax.ScatterDimensionNumbers(*map(tuple, (windows, inserted, index_map, batching, index_batching)))
    return body(operand, indices, updates, order, indices_are_sorted=bool(is_sorted),
                unique_indices=bool(is_unique))


@ADAPTERS.of("paddle.bitwise_left_shift", "paddle.bitwise_right_shift")
def shift(call, x, y, out):
    is_arithmetic = call.attributes.pop("is_arithmetic", None)  # of shifts to the left both are one
    if "left" in call.op:
        return lax.shift_left(x, y)
    # The functions of jax.lax shift as they are named, whatever the type; only signed integers have a sign.
    fills = (is_arithmetic is None or is_arithmetic.text == "true") and jax.numpy.issubdtype(x.dtype, jax.numpy.signedinteger)
    return (lax.shift_right_arithmetic if fills else lax.shift_right_logical)(x, y)


@ADAPTERS
def slice_(call, operand, out):
    return lax.slice(operand, *numbers(call, "start_indices", "limit_indices", "strides"))


@ADAPTERS
def sort(call, operand, out):
    if comparison(call, "JAX") != "LT":
        raise assay_worker.Unsupported("sort: jax.lax.sort has no comparator")
    dimension, is_stable = numbers(call, "dimension", "is_stable")
    return lax.sort(operand, dimension=dimension, is_stable=is_stable)


@ADAPTERS
def transpose(call, operand, out):
    return lax.transpose(operand, numbers(call, "permutation"))


for op, method in (("round_nearest_afz", lax.RoundingMethod.AWAY_FROM_ZERO), ("round_nearest_even", lax.RoundingMethod.TO_NEAREST_EVEN)):
    ADAPTERS.of(op)(lambda call, operand, out, method=method: lax.round(operand, method))
FUNCTIONS = Functions("jax", jax, jax.__version__, ADAPTERS)


def array(tensor):
    """Returns a copy: JAX may keep an operand longer than the call."""
    return assay_numpy.view(tensor, DTYPES, f"JAX {jax.__version__}").copy()


def run(call):
    function = FUNCTIONS[call.op]
    ADAPTERS.check(call)
    out = assay_numpy.view(call.outputs[0], DTYPES, f"JAX {jax.__version__}")
    try:
        inputs = [jax.device_put(array(tensor)) for tensor in call.inputs]
        if Settings.is_jitted:
            result = jax.jit(lambda *operands: function(call, *operands, out))(*inputs)
        else:
            result = function(call, *inputs, out)
        result = np.asarray(result)
    except (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError) as error:
        message = str(error).partition("\n")[0]
        if any(lack.fullmatch(message) for lack in LACKS):
            raise assay_worker.Unsupported(f"{call.op}: {message}") from None
        raise
    if result.dtype != out.dtype or result.shape != out.shape:
        raise ValueError(f"a result of type {result.dtype} and shape {list(result.shape)}")
    np.copyto(out, result)
    Settings.calls += 1
    if Settings.calls % PROGRAMS_KEPT == 0:
        jax.clear_caches()


def set_jit(text):
    if text not in ("yes", "no"):
        raise ValueError(f"jit is {text}; there are yes and no")
    Settings.is_jitted = text == "yes"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    version = f"{jax.__version__}, jaxlib {jax.lib.__version__}, {jax.devices()[0].device_kind}"
    assay_worker.serve("jax", version, run, options={"jit": set_jit})
