"""What a worker's functions are called with, and what they may raise."""

import functools
import re


class Unsupported(Exception):
    """Raised by `run`: the op, type, layout or attribute is not implemented."""


class Invalid(Exception):
    """Raised by a worker that says `validates`: the call or the program violates a constraint."""


class Crash(Exception):
    """What `explain_death` returns: the library ended the call abnormally."""


class Tensor:
    """An operand, as arguments of numpy.ndarray(shape, dtype, memory, at, byte_strides).

    `element` is the element type's text ("i8", "complex<f32>") and `size` the bytes that one takes,
    `at` the byte offset of element [0, .., 0] in `memory`. Strides may be 0 or negative. `memory` is read-only for inputs. It is
    the whole shared memory at one address, so that operands that overlap can be seen to. `is_scalar` says that it was
    given as a number, which decides type promotion.
    """

    __slots__ = ("element", "size", "shape", "strides", "byte_strides", "memory", "at", "is_scalar")

    def __init__(self, message, memory):
        self.element, self.shape, size = _parse_type(message["type"])
        self.size = size
        self.strides = strides = message["strides"]
        self.byte_strides = strides if size == 1 else [stride * size for stride in strides]
        self.memory = memory
        self.at = message["at"]
        self.is_scalar = message.get("scalar", False)


class Attribute:
    """A constant or an enum. `text` is always set; `value` is a Tensor if it is numeric, else None."""

    __slots__ = ("text", "value")

    def __init__(self, message, memory):
        self.text = message["text"]
        self.value = Tensor(message["value"], memory) if "value" in message else None


class Call:
    """The argument of `run`: `op`, `inputs`, `outputs`, `attributes` by name, `regions`, and for these
    `monoids`, the number of `captures`, and the sizes of the `groups` of inputs (PROTOCOL.md).

    `run` takes the attributes and regions that it understands out of their containers. A call
    with one left over is answered `unsupported`, whatever was computed.
    """

    __slots__ = ("op", "inputs", "outputs", "attributes", "regions", "monoids", "captures",
                 "groups")


_TYPE = re.compile(r"tensor<((?:\d+x)*)((?:complex<f(\d+)>)|(?:ui|i|bf|f|tf)(\d+)\w*)>")


@functools.lru_cache(maxsize=65536)  # a suite repeats a few types, a search makes up many
def _parse_type(text):
    """Returns (element type, shape, bytes an element) of a type's text."""
    match = _TYPE.fullmatch(text)
    if match is None:
        raise Unsupported(f"{text} is not known")
    dimensions, element, component, bits = match.groups()
    shape = tuple(int(extent) for extent in dimensions.split("x")[:-1])
    size = int(component) // 4 if component else (int(bits) + 7) // 8
    return element, shape, 4 if element == "tf32" else size
