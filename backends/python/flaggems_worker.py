"""The backend `python:flaggems` computes pointwise calls by the functions of FlagGems, which are kernels of Triton.

FlagGems is judged, not improved: a call is made as a user makes it, on tensors with the strides of the call, with numbers where
the call has scalars, in place where the result lies on the first operand. What is returned is copied into the output.
`tools/dev backend flaggems` makes the environment. It needs a GPU of NVIDIA; with TRITON_INTERPRET=1 in the environment, Triton's
interpreter takes its place, which is slow and rounds as NumPy does.
"""

import assay_worker  # before PyTorch: it takes the channels of the runner

import importlib
import json
import os
import re

import torch
import triton

IS_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
if not IS_INTERPRETED and not torch.cuda.is_available():
    assay_worker.refuse("FlagGems needs a GPU, and PyTorch sees none; TRITON_INTERPRET=1 runs its kernels in Triton's interpreter")
if IS_INTERPRETED:
    import flaggems_interpreter
    flag_gems = flaggems_interpreter.load()
else:
    import flag_gems

DEVICE = "cpu" if IS_INTERPRETED else "cuda"
DTYPES = {
    "i1": torch.bool, "ui8": torch.uint8, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
    "complex<f32>": torch.complex64, "complex<f64>": torch.complex128,
    **{f"i{bits}": getattr(torch, f"int{bits}") for bits in (8, 16, 32, 64)},
}
# By op, the functions of tensors alone, of a scalar behind a tensor, and of one before it; "-" where there is none. A function
# whose name ends in _ changes its operand, and gets a copy of it.
FUNCTIONS = {
    "pointwise.abs": "abs",
    "pointwise.add": "add add add",
    "pointwise.and": "bitwise_and_tensor bitwise_and_scalar bitwise_and_scalar_tensor",
    "pointwise.atan2": "atan2",
    "pointwise.ceil": "ceil",
    "pointwise.cosine": "cos",
    "pointwise.exponential": "exp",
    "pointwise.exponential_minus_one": "expm1",
    "pointwise.floor": "floor_",
    "pointwise.is_finite": "isfinite",
    "pointwise.log": "log",
    "pointwise.log_plus_one": "log1p_",
    "pointwise.logistic": "sigmoid",
    "pointwise.maximum": "maximum",
    "pointwise.minimum": "minimum",
    "pointwise.multiply": "mul mul mul",
    "pointwise.negate": "neg",
    "pointwise.not": "bitwise_not",
    "pointwise.or": "bitwise_or_tensor bitwise_or_scalar bitwise_or_scalar_tensor",
    "pointwise.power": "pow_tensor_tensor pow_tensor_scalar pow_scalar",
    "pointwise.round_nearest_even": "round",
    "pointwise.rsqrt": "rsqrt",
    "pointwise.shift_left": "bitwise_left_shift",
    "pointwise.shift_right_arithmetic": "bitwise_right_shift",
    "pointwise.sign": "sgn_",
    "pointwise.sine": "sin",
    "pointwise.sqrt": "sqrt",
    "pointwise.subtract": "sub sub sub",
    "pointwise.tan": "tan",
    "pointwise.tanh": "tanh",
}
# The methods by which PyTorch promotes, of ops where that is not DEFAULT. FlagGems' functions have one each, and calls that ask
# for another are none of theirs.
METHODS = {
    **dict.fromkeys(("atan2", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "polar", "rsqrt",
                     "sine", "sqrt", "tan", "tanh"), {"INT_TO_FLOAT"}),
    "abs": {"COMPLEX_TO_FLOAT"}, "compare": {"ALWAYS_BOOL"}, "is_finite": {"ALWAYS_BOOL"}, "power": {"BOOL_TO_LONG"},
    "divide": {"DEFAULT", "INT_TO_FLOAT"},
}
# What Triton, FlagGems and PyTorch say of types, strides and numbers that a function does not have.
LACKS = [re.compile(message) for message in (
    r"'complex(64|128)'",
    r"round is not supported for complex tensors\.",
    r"round Triton kernel currently supports only contiguous tensors\.",
    r"Element at index \d+ is incorrect\. Expected True, but got False\.",  # of numbers where tensors are taken
    r'"[\w<>]+" not implemented for \'\w+\'',
)]


def find(name):
    function = getattr(flag_gems, name, None)
    if function is None:
        raise assay_worker.Unsupported(f"FlagGems {flag_gems.__version__} has no {name}")
    return function


def of_tensors(call, *operands):
    """Declines calls of functions that FlagGems has of tensors alone, and that are given numbers."""
    if not all(isinstance(operand, torch.Tensor) for operand in operands):
        raise assay_worker.Unsupported(f"{call.op[10:]}: FlagGems takes no scalar there")


def add_func(call, x, y, alpha):
    if isinstance(alpha, torch.Tensor):
        raise assay_worker.Unsupported("add_func: alpha is a number in FlagGems")
    return flag_gems.add(x, y, alpha=alpha)


def clamp(call, least, x, most):
    tensors = [isinstance(bound, torch.Tensor) for bound in (least, most)]
    if any(tensors) != all(tensors):
        raise assay_worker.Unsupported("clamp: FlagGems takes two tensors, or two numbers")
    return (flag_gems.clamp_tensor if all(tensors) else flag_gems.clamp)(x, least, most)


def compare(call, x, y):
    call.attributes.pop("compare_type")
    name = call.attributes.pop("comparison_direction").text.lower()
    if not isinstance(x, torch.Tensor):
        raise assay_worker.Unsupported("compare: FlagGems has no scalar before a tensor")
    return find(name if isinstance(y, torch.Tensor) else name + "_scalar")(x, y)


def copy_func(call, x):
    return flag_gems.copy_(empty(call.outputs[0]), x)


def divide(call, x, y):
    # A quotient of integers that is an integer is asked for by a mode.
    dtype = DTYPES[call.outputs[0].element]
    is_integer = not (dtype.is_floating_point or dtype.is_complex)
    return flag_gems.div_mode(x, y, rounding_mode="trunc") if is_integer else flag_gems.true_divide(x, y)


def polar(call, magnitude, angle):
    of_tensors(call, magnitude, angle)
    if not all(operand.is_floating_point() for operand in (magnitude, angle)):
        raise assay_worker.Unsupported("polar: FlagGems has it of floats alone, as PyTorch")
    outputs = [empty(output) for output in call.outputs]
    kernel = importlib.import_module("flag_gems.ops.polar").polar_kernel  # flag_gems.polar gives complex numbers
    kernel(magnitude, angle, out0=outputs[0], out1=outputs[1])
    return tuple(outputs)


def remainder(call, x, y):
    raise assay_worker.Unsupported("remainder: FlagGems has that with the sign of the divisor alone")


def select(call, condition, x, y):
    of_tensors(call, condition)
    for operand, name in ((x, "where_scalar_self"), (y, "where_scalar_other")):
        if not isinstance(operand, torch.Tensor):
            return find(name)(condition, x, y)
    return flag_gems.where_self(condition, x, y)


def xor(call, x, y):
    of_tensors(call, x, y)
    if call.outputs[0].element != "i1":
        raise assay_worker.Unsupported("xor: FlagGems has one of truth values alone")
    return flag_gems.logical_xor(x, y)


ADAPTERS = {
    "pointwise.add_func": add_func,
    "pointwise.clamp": clamp,
    "pointwise.compare": compare,
    "pointwise.copy_func": copy_func,
    "pointwise.divide": divide,
    "pointwise.polar": polar,
    "pointwise.remainder": remainder,
    "pointwise.select": select,
    "pointwise.xor": xor,
}


def plain(call, *operands):
    names = FUNCTIONS[call.op].split()
    scalars = [not isinstance(operand, torch.Tensor) for operand in operands]
    way = 2 if scalars[0] else 1 if any(scalars) else 0
    if sum(scalars) > 1 or way >= len(names):
        raise assay_worker.Unsupported(f"{call.op[10:]}: FlagGems takes no scalar there")
    name, first = names[way], call.inputs[0]
    if name.endswith("_"):
        if first.element != call.outputs[0].element:
            raise assay_worker.Unsupported(f"{call.op[10:]}: FlagGems has it in place alone, which promotes nothing")
        return find(name)(operands[0].clone(memory_format=torch.contiguous_format), *operands[1:])
    in_place = getattr(flag_gems, name + "_", None)
    if in_place and way < 2 and same_place(first, call.outputs[0]):
        return in_place(*operands)
    return find(name)(*operands)


def same_place(input, output):
    return (input.at, input.element, input.strides, input.shape) == (output.at, output.element, output.strides, output.shape)


def dtype_of(tensor):
    if tensor.element not in DTYPES:
        raise assay_worker.Unsupported(f"FlagGems {flag_gems.__version__} has no {tensor.element}")
    return DTYPES[tensor.element]


def bytes_of(tensor):
    """Returns the bytes of a tensor, with those of an element as the last dimension, and the dimensions that go backwards."""
    backwards = [d for d, stride in enumerate(tensor.byte_strides) if stride < 0]
    at = tensor.at + sum(tensor.byte_strides[d] * (tensor.shape[d] - 1) for d in backwards)
    memory = torch.frombuffer(tensor.memory, dtype=torch.uint8)
    return memory.as_strided([*tensor.shape, tensor.size], [*map(abs, tensor.byte_strides), 1], at), backwards


def empty(tensor):
    """Returns a tensor of the device with the strides of the call, or their absolute values: PyTorch has no negative ones."""
    return torch.empty_strided(tensor.shape, [abs(stride) for stride in tensor.strides], dtype=dtype_of(tensor), device=DEVICE)


def view(tensor):
    """Returns an operand with its strides, in memory of the device that reaches as far, or a number."""
    dtype = dtype_of(tensor)
    if 0 in tensor.shape:
        return torch.empty(tensor.shape, dtype=dtype, device=DEVICE)
    data, backwards = bytes_of(tensor)  # a clone of them begins where every type is aligned
    if tensor.is_scalar:
        return data.clone(memory_format=torch.contiguous_format).view(dtype).reshape([]).item()
    if backwards:
        return data.clone(memory_format=torch.contiguous_format).view(dtype).reshape(tensor.shape).flip(backwards).to(DEVICE)
    extent = tensor.size * (1 + sum(stride * (size - 1) for stride, size in zip(tensor.strides, tensor.shape)))
    memory = torch.frombuffer(tensor.memory, dtype=torch.uint8, count=extent, offset=tensor.at)
    return memory.clone().view(dtype).to(DEVICE).as_strided(tensor.shape, tensor.strides)


def write(tensor, result):
    if result.dtype != dtype_of(tensor) or list(result.shape) != list(tensor.shape):
        raise ValueError(f"a result of type {result.dtype} and shape {list(result.shape)}")
    if result.numel():
        data, backwards = bytes_of(tensor)
        data.copy_(result.to("cpu").resolve_conj().resolve_neg().flip(backwards).contiguous().unsqueeze(-1).view(torch.uint8))


def run(call):
    compute = ADAPTERS.get(call.op, plain if call.op in FUNCTIONS else None)
    if compute is None:
        raise assay_worker.Unsupported(f"FlagGems {flag_gems.__version__} has no {call.op}")
    for output in call.outputs:
        dtype_of(output)
    operands = [view(tensor) for tensor in call.inputs]
    if not any(isinstance(operand, torch.Tensor) for operand in operands):
        raise assay_worker.Unsupported("scalars alone are no call of FlagGems")
    methods = METHODS.get(call.op[10:], {"DEFAULT", "NO_OPMATH"})
    for *_, method in json.loads(call.attributes.pop("promotion_methods").text):
        if method not in methods:
            raise assay_worker.Unsupported(f"{call.op[10:]}: FlagGems does not promote by {method}")
    try:
        results = compute(call, *operands)
    except Exception as error:
        message = str(error).partition("\n")[0]
        # Triton's interpreter does not have the functions of a GPU.
        if any(lack.fullmatch(message) for lack in LACKS) or isinstance(error, triton.runtime.errors.InterpreterError):
            raise assay_worker.Unsupported(f"{call.op}: {message}") from None
        raise
    for output, result in zip(call.outputs, results if isinstance(results, tuple) else (results,), strict=True):
        write(output, result)


if __name__ == "__main__":
    assay_worker.serve("flaggems", flag_gems.__version__, run)
