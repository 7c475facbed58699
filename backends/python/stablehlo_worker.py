"""The backend `python:stablehlo` runs whole programs by StableHLO's reference interpreter.

The interpreter, the parser and the verifier are those of the package jaxlib. What the interpreter
does not have ends its process with a message: where that says so, the program is declined.

MLIR's Python interface hands out constants of few element types. What returns others is run as a copy
that turns its results into types that are handed out, without loss: complex numbers into their parts,
integers of 2 and 4 bits into 8, floats that NumPy does not have into integers of their bits. There
are no integers of 6 bits: floats of 4 and 6 bits become f32.
"""

import assay_worker  # before jaxlib: it takes the channels of the runner

import functools
import re

import numpy as np

from jaxlib import version
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import func, stablehlo

ENTRY = "main"  # the name by which the interpreter finds the function that it calls


@functools.lru_cache(None)
def context():
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    stablehlo.register_stablehlo_passes()
    result = ir.Context()
    result.enable_multithreading(False)  # a call takes one core, and a fork loses no threads
    result.append_dialect_registry(registry)
    stablehlo.register_dialect(result)
    result.load_all_available_dialects()
    with result:
        # Nothing else loads the dialect of quantized types.
        vhlo = passmanager.PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)")
        vhlo.run(ir.Module.parse("module {}").operation)
    return result


def somewhere():
    """Enters the context and a location, which most functions of MLIR's Python interface ask for."""
    return ir.Location.unknown(context())


def compile_program(text, entry):
    with somewhere():
        try:
            module = ir.Module.parse(text)
        except ir.MLIRError as error:
            raise refusal(error.error_diagnostics[0].message) from None
    return Program(module, entry).execute


class Program:
    """A program that is verified. It is made ready to be interpreted when it is first executed."""

    is_executed = True

    def __init__(self, module, entry):
        self._module = module
        self._entry = entry

    def execute(self, inputs, outputs):
        if not self.is_executed:
            raise assay_worker.Unsupported("it is valid, and execute=no")
        if self._entry is not None:
            with somewhere():
                add_readable_entry(self._module, self._entry)
            self._entry = None
        results = evaluate(self._module, [constant(tensor) for tensor in inputs])
        for output in outputs:
            write(results, output)


def refusal(message):
    """Returns the exception for a text that is not read: the types and ops that MLIR lacks are not its fault."""
    if "unregistered" in message:
        return assay_worker.Unsupported(message)
    refused_type = re.search("must be .*, but got '(tensor<[^']*>)'", message)
    if refused_type and not is_type_of_values(refused_type[1]):
        return assay_worker.Unsupported(f"no {refused_type[1]}")
    # What it must be is a list of nearly all types.
    return assay_worker.Invalid(re.sub("must be .*, but got", "may not be", message))


def is_type_of_values(text):
    """Returns whether the verifier accepts the op that takes values of all types."""
    try:
        ir.Module.parse(f'func.func private @f(%a: {text}) {{ '
                        f'"stablehlo.add"(%a, %a) : ({text}, {text}) -> {text} return }}')
    except ir.MLIRError:
        return False
    return True


def add_readable_entry(module, name):
    """Makes ENTRY a copy of the function `name` that returns its results in types that can be read.

    It is no function that calls the other one: the interpreter lowers quantized types, and specialises
    shapes, where those of the function that it is called for need it.
    """
    symbols = ir.SymbolTable(module.operation)
    entry = symbols[name]
    results = entry.type.results
    if name == ENTRY and all(is_readable(type) for type in results):
        return
    copy = entry.operation.clone(ip=ir.InsertionPoint(module.body)).opview
    if ENTRY in symbols:
        free = ENTRY
        while free in symbols:
            free += "_"
        ir.SymbolTable.replace_all_symbol_uses(ENTRY, free, module.operation)
        ir.SymbolTable.set_symbol_name(symbols[ENTRY], free)
    ir.SymbolTable.set_symbol_name(copy, ENTRY)
    end = copy.entry_block.operations[len(copy.entry_block.operations) - 1]
    with ir.InsertionPoint(end):
        values = [part for value in end.operands for part in parts(value)]
        func.ReturnOp(values)
    end.operation.erase()
    type = ir.FunctionType.get(entry.type.inputs, [value.type for value in values])
    copy.attributes["function_type"] = ir.TypeAttr.get(type)
    if "res_attrs" in copy.attributes:
        del copy.attributes["res_attrs"]


def is_readable(type):
    element = type.element_type
    if isinstance(element, ir.IntegerType):
        return element.width not in (2, 4)
    return isinstance(element, (ir.F16Type, ir.F32Type, ir.F64Type))


def parts(value):
    """Adds the ops that turn a value into values that can be read, and returns these."""
    type = value.type
    element = type.element_type
    if is_readable(type):
        return [value]
    if isinstance(element, ir.ComplexType):
        return [stablehlo.real(value), stablehlo.imag(value)]
    unsigned = ir.IntegerType.get_unsigned
    if isinstance(element, ir.IntegerType):
        op, to = stablehlo.convert, unsigned(8) if element.is_unsigned else ir.IntegerType.get_signless(8)
    elif element.width % 8 == 0:
        op, to = stablehlo.bitcast_convert, unsigned(element.width)
    else:
        op, to = stablehlo.convert, ir.F32Type.get()
    return [op(ir.RankedTensorType.get(type.shape, to), value)]


def evaluate(module, constants):
    """Returns what the interpreter returns. Why it fails is only in its diagnostics."""
    diagnostics = []
    handler = context().attach_diagnostic_handler(
        lambda diagnostic: diagnostics.append(diagnostic.message) or True)
    try:
        with somewhere():
            return [np.asarray(result) for result in stablehlo.eval_module(module, constants)]
    except ValueError:
        raise failure(diagnostics[0], ValueError) from None
    finally:
        handler.detach()


def write(results, output):
    """Takes the results that are the parts of an output, and writes it."""
    memory = bits(output)
    for part in range(memory.shape[-1]):
        result = results.pop(0)
        if result.shape != output.shape:
            raise ValueError(f"a result of shape {result.shape}, not {output.shape}")
        if result.dtype == np.float32 and output.size < 4:
            result = encode(output.element, result)
        memory[..., part] = result.view(memory.dtype)


def bits(tensor):
    """Returns a tensor as unsigned integers, with the parts of an element as the last dimension."""
    parts = 2 if tensor.element.startswith("complex") else 1
    size = tensor.size // parts
    strides = (*tensor.byte_strides, size)
    return np.ndarray((*tensor.shape, parts), f"u{size}", tensor.memory, tensor.at, strides)


def constant(tensor):
    return dense(tensor.element, tensor.shape, np.ascontiguousarray(bits(tensor)))


def dense(element, shape, data):
    with somewhere():
        type = ir.RankedTensorType.get(shape, element_type(element))
        return ir.DenseElementsAttr.get(data.reshape(-1), type=type)


@functools.lru_cache(None)
def element_type(text):
    return ir.Type.parse(text, context())


def encode(element, values):
    """Returns the bits of narrow floats that the interpreter converted to f32."""
    known, codes = f32_of_codes(element)
    return codes[np.searchsorted(known, values.view("u4"))]


@functools.lru_cache(None)
def f32_of_codes(element):
    """Returns the f32, as sorted bits, that the interpreter makes of all codes of a type, and the codes."""
    codes = np.arange(1 << element_type(element).width, dtype="u1")
    type = f"tensor<{codes.size}x{element}>"
    with somewhere():
        module = ir.Module.parse(
            f"func.func @{ENTRY}(%a: {type}) -> {type} {{ return %a : {type} }}")
        add_readable_entry(module, ENTRY)
    (values,) = evaluate(module, [dense(element, codes.shape, codes)])
    order = np.argsort(values.view("u4"))
    return values.view("u4")[order], codes[order]


def explain_death(how, words):
    """Returns what a death amounts to."""
    fatal = re.search("LLVM ERROR: (.*)", words)
    reason = fatal[1] if fatal else words.strip().rpartition("\n")[2]
    if "out of memory" in reason:
        return MemoryError(reason)
    return failure(reason, lambda reason: assay_worker.Crash(f"{how}: {reason}".removesuffix(": ")))


def failure(reason, kind):
    """Returns the exception for what the interpreter says: its own word that it lacks something, or `kind`."""
    # An op that it writes out, with the names of its operands, is cut down to its name.
    reason = re.sub(r'^(Unsupported op: )(?:%[^=]* = )?"?([\w.]+).*', r"\1\2", reason)
    reason = re.split(r"[.] |: %", reason)[0]
    lacks = re.search("[Uu]nsupported|(not|only) supported|not implemented|failed to legalize", reason)
    return assay_worker.Unsupported(reason) if lacks else kind(reason)


def set_execute(text):
    if text not in ("yes", "no"):
        raise ValueError(f"execute is {text}; there are yes and no")
    Program.is_executed = text == "yes"


if __name__ == "__main__":
    context()  # every child has it then
    assay_worker.serve("stablehlo", version.__version__, compile_program=compile_program,
                       validates=True, verifies=True, limits_itself=True,
                       explain_death=explain_death, options={"execute": set_execute})
