#!/usr/bin/env python3
"""Prints the StableHLO text of a program that was serialized: MLIR bytecode, a portable artifact, or what jax.export writes.

`assay import` runs it. The package jaxlib reads the bytecode; without it the exit code is 3. For a file that holds no
program it is 1, and what is printed says why, in one line.

Usage: stablehlo_text.py FILE
"""

import os
import sys

MAGIC = b"ML\xefR"  # bytecode of MLIR, portable or not, begins so
NO_PACKAGE = 3


def bytecode(data):
    """Returns the bytecode of a file. What jax.export writes is a flatbuffer that has it as a vector, behind its length."""
    if data.startswith(MAGIC):
        return data
    at = data.find(MAGIC, 4)
    if at < 0:
        raise ValueError("is neither StableHLO text, nor MLIR bytecode, nor an artifact of jax.export")
    size = int.from_bytes(data[at - 4 : at], "little")
    if at + size > len(data):
        raise ValueError("is cut off")
    return data[at : at + size]


def refuse(why):
    print(why)
    sys.exit(1)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        code = bytecode(data)
    except ValueError as error:
        refuse(error)
    try:
        from jaxlib.mlir import ir
        from jaxlib.mlir._mlir_libs import _jax_mlir_ext  # has the dialects beside StableHLO
        from jaxlib.mlir.dialects import stablehlo
    except ImportError:
        sys.exit(NO_PACKAGE)
    # MLIR prints errors beside those that it raises.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    with ir.Context() as context:
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        stablehlo.register_dialect(context)
        context.allow_unregistered_dialects = True
        try:
            module = stablehlo.deserialize_portable_artifact(context, code)
        except Exception as error:  # pylint: disable=broad-except
            refuse("is not read by jaxlib: " + " ".join(str(error).split()))
        print(module.operation.get_asm(large_elements_limit=None, enable_debug_info=False))


if __name__ == "__main__":
    main()
