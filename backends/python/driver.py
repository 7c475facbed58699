"""Implements the runner's side of the worker protocol, as far as tests of Python workers need it.

Tensors are written and read element by element with `struct`, so that no code that is tested
places the operands of its own tests. It uses the standard library only.
"""

import itertools
import json
import mmap
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
FORMATS = {"i1": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q",
           "ui8": "B", "ui16": "H", "ui32": "I", "ui64": "Q", "i2": "b", "ui4": "B",
           "f16": "e", "f32": "f", "f64": "d", "complex<f32>": "2f", "complex<f64>": "2d",
           # As bits:
           "i4": "B", "ui2": "B", "bf16": "H", "tf32": "I",
           **dict.fromkeys(("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN",
                            "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"), "B")}
FILL = 0xA5


def dense(shape):
    strides = [1] * len(shape)
    for i in reversed(range(len(shape) - 1)):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


class Worker:
    """A worker process with its memory. `hello` opens the session."""

    def __init__(self, script):
        self.fd = os.memfd_create("assay")
        self.bytes = 0
        self.numbers = itertools.count(1)
        self.grow_to(4 * mmap.PAGESIZE)
        self.free = mmap.PAGESIZE
        # A process group of its own, as the runner gives it.
        self.process = subprocess.Popen(
            [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(FOLDER)})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.memory.close()
        os.close(self.fd)

    def grow_to(self, size):
        os.ftruncate(self.fd, size)
        self.memory = mmap.mmap(self.fd, size)
        self.bytes = size

    def hello(self, **changes):
        """Opens the session. Returns the worker's answer."""
        message = {"protocol": 1, "memory": f"/proc/{os.getpid()}/fd/{self.fd}",
                   "bytes": self.bytes, "limit": 1 << 32, "options": {}, **changes}
        self.send({"hello": message})
        return self.answer()

    def send(self, *messages):
        self.send_bytes("".join(json.dumps(message) + "\n" for message in messages).encode())

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise AssertionError(f"no answer: {line!r}, {self.end()}")
        return json.loads(line)

    def end(self):
        """Ends the input. Returns (exit status, remaining answers, standard error)."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err.decode()

    def tensor(self, element, shape, values=None, strides=None):
        """Places a tensor in the memory. Without values, it is one that the worker writes."""
        strides = dense(shape) if strides is None else strides
        size = struct.calcsize(FORMATS[element])
        steps = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
        below = -sum(min(step, 0) for step in steps) * size
        extent = below + sum(max(step, 0) for step in steps) * size + size
        pages = -(-extent // mmap.PAGESIZE) * mmap.PAGESIZE
        begin, self.free = self.free, self.free + pages
        if self.free > self.bytes:
            self.grow_to(self.free)
            self.send({"grow": self.bytes})
        self.memory[begin : begin + pages] = bytes([FILL]) * pages
        text = "x".join([*map(str, shape), element])
        tensor = {"type": f"tensor<{text}>", "strides": list(strides),
                  "at": begin + pages - extent + below, "buffer": [begin, pages]}
        if values is not None:
            for offset, value in zip(offsets(tensor), values):
                parts = (value.real, value.imag) if isinstance(value, complex) else (value,)
                struct.pack_into(FORMATS[element], self.memory, offset, *parts)
        return tensor

    def values(self, tensor):
        """Returns the elements in row-major order."""
        element = element_of(tensor)
        elements = (struct.unpack_from(FORMATS[element], self.memory, offset)
                    for offset in offsets(tensor))
        return [complex(*parts) if len(parts) == 2 else parts[0] for parts in elements]

    def message(self, op, inputs, outputs, attributes=(), **more):
        """Returns a call with a new number. An attribute is its text, or a tensor."""
        attributes = [{"name": name, "text": value} if isinstance(value, str) else
                      {"name": name, "text": str(self.values(value)), "value": value}
                      for name, value in dict(attributes).items()]
        return {"call": next(self.numbers), "op": op, "inputs": inputs, "outputs": outputs,
                **({"attributes": attributes} if attributes else {}), **more}

    def call(self, *arguments, **more):
        """Runs one call. Returns its answer without the number, which is checked."""
        return self.exchange(self.message(*arguments, **more))

    def program(self, text, inputs=(), outputs=(), entry="main"):
        """Runs a program. Returns its answer without the number."""
        return self.exchange({"call": next(self.numbers), "program": {"text": text, "entry": entry},
                              "inputs": list(inputs), "outputs": list(outputs)})

    def exchange(self, message):
        self.send(message)
        answer = self.answer()
        if answer.pop("call") != message["call"]:
            raise AssertionError(f"{answer} answers another call than {message['call']}")
        return answer


def element_of(tensor):
    return re.fullmatch(r"tensor<(?:\d+x)*(.+)>", tensor["type"])[1]


def offsets(tensor):
    """Returns the byte offset of every element in row-major order."""
    size = struct.calcsize(FORMATS[element_of(tensor)])
    extents = re.findall(r"(\d+)x", tensor["type"])
    for index in itertools.product(*(range(int(extent)) for extent in extents)):
        yield tensor["at"] + size * sum(i * s for i, s in zip(index, tensor["strides"]))


class WorkerTest(unittest.TestCase):
    """A test that starts workers, which end with it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, script, **changes):
        """Returns a worker with an open session. `script` is a file of this folder, or a program."""
        worker = self.process(script)
        self.hello = worker.hello(**changes)
        self.assertIn("hello", self.hello)
        return worker

    def process(self, script):
        path = FOLDER / script
        if "\n" in str(script):
            path = self.folder / "worker.py"
            path.write_text(script)
        worker = Worker(path)
        self.addCleanup(worker.__exit__)
        return worker

    def expect_end(self, worker, status=0, reason=""):
        ended, out, err = worker.end()
        self.assertEqual((ended, out), (status, b""), err)
        self.assertIn(reason, err)
