"""Runs FlagGems without a GPU: its kernels by Triton's interpreter, which computes with NumPy.

Triton interprets where TRITON_INTERPRET=1 is set, and FlagGems is not made for that: it asks CUDA for the device, looks for the
compiled kind of function, and caches what it compiled. `load` stands in for these, of the versions that
requirements-flaggems.txt pins. The code that FlagGems generates is its own, and runs as it is.
"""

import contextlib
import hashlib
import inspect
import os
import re
import sys
import textwrap
import types

import torch
import triton
import triton.language
import triton.runtime.interpreter as interpreter
import triton.runtime.jit as jit


def load():
    """Returns the module flag_gems, which computes on tensors of the CPU."""
    os.environ["GEMS_VENDOR"] = "nvidia"  # else it looks for the programs of drivers
    _stand_in_for_cuda()
    compiled = jit.JITFunction
    _stand_in_for_compiled_functions()
    import flag_gems
    jit.JITFunction = compiled  # the interpreter itself takes the lines of a function from one
    _run_kernels_as_they_are(flag_gems)
    for name, module in list(sys.modules.items()):
        if name.startswith("flag_gems.ops.") and getattr(module, "device", None) == "cuda":
            module.device = "cpu"
    return flag_gems


def _stand_in_for_cuda():
    properties = types.SimpleNamespace(name="interpreter", major=8, minor=0, multi_processor_count=1, L2_cache_size=1 << 20,
                                       total_memory=1 << 30)
    torch.cuda.get_device_name = lambda *_: properties.name
    torch.cuda.get_device_capability = lambda *_: (properties.major, properties.minor)
    torch.cuda.get_device_properties = lambda *_: properties
    torch.cuda.current_device = lambda: 0
    torch.cuda.device = lambda *_: contextlib.nullcontext()


def _source(function):
    text = textwrap.dedent(inspect.getsource(function.fn))
    return text[re.search(r"^def\s", text, re.MULTILINE).start() :]


def _stand_in_for_compiled_functions():
    function = interpreter.InterpretedFunction
    function.src = property(_source)
    function.__globals__ = property(lambda self: self.fn.__globals__)
    function.cache_key = property(lambda self: "interpreted" + hashlib.sha256(_source(self).encode()).hexdigest())
    function.params = ()
    function.signature = None
    triton.JITFunction = triton.runtime.JITFunction = jit.JITFunction = function


def _run_kernels_as_they_are(flag_gems):
    entry = sys.modules["flag_gems.utils.libentry"].LibEntry
    entry.run = lambda self, *arguments, grid, warmup=False, **more: self.fn[grid](*arguments, **more)
    # Operands lie in the memory of the host already, and views of them are not copied.
    interpreter.GridExecutor._init_args_hst = lambda self, arguments, named: (arguments, named)
    interpreter.GridExecutor._restore_args_dev = lambda *_: None
    patch = interpreter._patch_lang

    def patch_lang(function):
        # Its functions of elements may do without the language, which the interpreter looks for.
        function.__globals__.setdefault("tl", triton.language)
        patch(function)

    interpreter._patch_lang = patch_lang
