"""The backend `python:iree` compiles whole programs by IREE's compiler and runs them by its runtime.

Bits go in and bits come out: the runtime is given the bytes of a tensor and the code of its element type, and hands out bytes.
Types of 2 and 4 bits are packed, as the runtime has them. f64 stays f64: the compiler would make f32 of it unless it is told
not to.

A compiler that finds a text wrong says so when it reads it, and that is `invalid`. What it says later, of a text that it has
read, is `unsupported` where its words are these, and else an error. Programs are compiled in a child process, because a
compiler that fails may end its process.
"""

import assay_worker  # before IREE: it takes the channels of the runner

import functools
import importlib.metadata
import math
import re

import numpy as np

import iree.runtime as runtime
from iree.compiler import api, ir

# The flags of the compiler and the driver of the runtime, by target.
TARGETS = {
    "llvm-cpu": (["--iree-llvmcpu-target-cpu=host"], "local-sync"),
    "vmvx": ([], "local-sync"),
}
Kind = runtime.HalElementType
ELEMENTS = {
    "i1": Kind.BOOL_8,
    "i2": (int(Kind.INT_8) & ~0xFF) + 2,  # the low byte of a code is the width
    "i4": Kind.INT_4,
    **{f"i{bits}": getattr(Kind, f"INT_{bits}") for bits in (8, 16, 32, 64)},
    **{f"f{bits}": getattr(Kind, f"FLOAT_{bits}") for bits in (16, 32, 64)},
    "bf16": Kind.BFLOAT_16,
    "complex<f32>": Kind.COMPLEX_64,
    "complex<f64>": Kind.COMPLEX_128,
    "f8E4M3FN": Kind.FLOAT_8_E4M3_FN,
    "f8E4M3FNUZ": Kind.FLOAT_8_E4M3_FNUZ,
    "f8E5M2": Kind.FLOAT_8_E5M2,
    "f8E5M2FNUZ": Kind.FLOAT_8_E5M2_FNUZ,
    "f8E8M0FNU": Kind.FLOAT_8_E8M0_FNU,
}
# A program has no signs in its types: the ops on them have.
ELEMENTS.update({f"u{name}": code for name, code in ELEMENTS.items() if re.fullmatch(r"i[2-9]\d?|i16", name)})
CARRIERS = {1: "<u1", 2: "<u2", 4: "<u4", 8: "<u8", 16: "<c16"}
LACKS = re.compile("failed to legalize|[Uu]nsupported|(not|only|yet) supported|not implemented|UNIMPLEMENTED|NYI|[Uu]nhandled")


class Settings:
    """The options of the session."""

    target = "llvm-cpu"


@functools.lru_cache(None)
def session():
    flags, _ = TARGETS[Settings.target]
    result = api.Session()
    result.set_flags("--iree-input-type=stablehlo", f"--iree-hal-target-backends={Settings.target}",
                     "--iree-input-demote-f64-to-f32=false", *flags)
    result.context.enable_multithreading(False)  # a compilation takes one core, and a fork loses no threads
    return result


@functools.lru_cache(None)
def device():
    instance = runtime.VmInstance()
    opened = runtime.get_device(TARGETS[Settings.target][1])
    return instance, opened, runtime.create_hal_module(instance, opened)


def compile_program(text, entry):
    instance, opened, hal = device()
    module = runtime.VmModule.copy_buffer(instance, bytecode(text, entry))
    context = runtime.VmContext(instance, [hal, module])
    function = module.lookup_function(entry)
    memory, usage = int(runtime.MemoryType.DEVICE_LOCAL), int(runtime.BufferUsage.DEFAULT | runtime.BufferUsage.MAPPING)

    def execute(inputs, outputs):
        arguments, results = runtime.VmVariantList(len(inputs)), runtime.VmVariantList(len(outputs))
        for tensor in inputs:
            arguments.push_ref(opened.allocator.allocate_buffer_copy(memory, usage, opened, packed(tensor), code(tensor)))
        try:
            context.invoke(function, arguments, results)
        except (RuntimeError, ValueError) as error:
            raise failure(str(error)) from None
        for i, tensor in enumerate(outputs):
            write(results.get_as_object(i, runtime.HalBufferView), tensor)

    return execute


def bytecode(text, entry):
    errors = []
    handler = session().context.attach_diagnostic_handler(
        lambda diagnostic: diagnostic.severity != ir.DiagnosticSeverity.ERROR or errors.append(diagnostic.message) or True)
    invocation = session().invocation()
    try:
        if not invocation.parse_source(api.Source.wrap_buffer(session(), text.encode() + b"\0")):
            raise refusal(errors[0])
        refuse_types(text, entry)
        if not invocation.execute():
            raise failure(errors[0] if errors else "the compiler fails and says nothing")
        output = api.Output.open_membuffer()
        invocation.output_vm_bytecode(output)
        return bytes(output.map_memory())
    finally:
        invocation.close()
        handler.detach()


def refuse_types(text, entry):
    """Declines a program whose operands or results IREE cannot have, before the time that it takes to compile."""
    signature = re.search(rf'function_type = (.*?), sym_name = "{re.escape(entry)}"', text)
    for dimensions, element in re.findall(r"tensor<((?:\d+x)*)([^<>]+(?:<[^<>]+>)?)>", signature[1] if signature else ""):
        if element not in ELEMENTS:
            raise assay_worker.Unsupported(f"IREE's runtime has no {element}")
        size = math.prod(int(extent) for extent in dimensions.split("x")[:-1])
        if size * (int(ELEMENTS[element]) & 0xFF) % 8 != 0:
            raise assay_worker.Unsupported(f"{element} that do not fill whole bytes")


def refusal(message):
    """Returns the exception for a text that is not read: the types and ops that IREE lacks are not its fault."""
    refused = re.search("must be .*, but got 'tensor<(?:[0-9]+x)*([^'<>]*)>'", message)
    if "unregistered" in message or refused and refused[1] == "tf32":
        return assay_worker.Unsupported(f"no {refused[1]}" if refused else message)
    # What it must be is a list of nearly all types.
    return assay_worker.Invalid(re.sub("must be .*, but got", "may not be", message))


def failure(message):
    """Returns the exception for what the compiler or the runtime says: its own word that it lacks something, or an error."""
    # An op that it writes out, with the names of its operands, is left out.
    reason = re.split(r": %|: \"|; while |\n", message)[0]
    return assay_worker.Unsupported(reason) if LACKS.search(reason) else RuntimeError(reason)


def code(tensor):
    if tensor.element not in ELEMENTS:
        raise assay_worker.Unsupported(f"IREE's runtime has no {tensor.element}")
    return int(ELEMENTS[tensor.element])


def width(tensor):
    """Returns how many bits of a byte an element takes, if elements are packed, else 8."""
    bits = code(tensor) & 0xFF
    return bits if bits < 8 else 8


def bits(tensor):
    return np.ndarray(tensor.shape, CARRIERS[tensor.size], tensor.memory, tensor.at, tensor.byte_strides)


def packed(tensor):
    """Returns the elements as the runtime has them, in an array of the tensor's shape, which has room for more where they are packed."""
    elements = np.array(bits(tensor), order="C")
    if width(tensor) == 8:
        return elements
    flat = elements.reshape(-1) & ((1 << width(tensor)) - 1)
    each = 8 // width(tensor)
    columns = np.pad(flat, (0, -flat.size % each)).reshape(-1, each)
    elements.reshape(-1)[: len(columns)] = np.bitwise_or.reduce(columns << np.arange(0, 8, width(tensor), dtype="u1"), axis=1)
    return elements


def write(view, tensor):
    if tuple(view.shape) != tensor.shape or view.element_type & 0xFF != code(tensor) & 0xFF:
        raise ValueError(f"a result of shape {list(view.shape)} and type {view.element_type:#x}")
    memory = bits(tensor)
    if not memory.size:
        return
    if width(tensor) == 8:
        memory[...] = view.map().asarray(tensor.shape, memory.dtype)
        return
    each = 8 // width(tensor)
    data = view.map().asarray((-(-memory.size // each),), np.dtype("u1"))
    columns = data[:, np.newaxis] >> np.arange(0, 8, width(tensor), dtype="u1") & ((1 << width(tensor)) - 1)
    memory[...] = columns.reshape(-1)[: memory.size].reshape(tensor.shape)


def explain_death(how, words):
    """Returns what a death amounts to."""
    fatal = re.search("LLVM ERROR: (.*)", words)
    reason = fatal[1] if fatal else words.strip().rpartition("\n")[2]
    if "out of memory" in reason:
        return MemoryError(reason)
    return assay_worker.Crash(f"{how}: {reason}".removesuffix(": "))


def set_target(text):
    if text not in TARGETS:
        raise ValueError(f"target is {text}; there are {', '.join(TARGETS)}")
    Settings.target = text


def version():
    session()  # every child has it then
    return f"{importlib.metadata.version('iree-base-compiler')}, {Settings.target}"


if __name__ == "__main__":
    assay_worker.serve("iree", version, compile_program=compile_program, validates=True,
                       explain_death=explain_death, options={"target": set_target})
