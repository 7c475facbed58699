"""Implements the protocol of backends/PROTOCOL.md for workers in Python.

It uses the standard library only. A worker author writes one function, `run(call)` for calls of one
op or `compile_program(text, entry)` for programs, and hands it to `serve`; README.md has examples.
Import this module before anything that could print or read: on import it takes the channels of the
runner for itself, points descriptor 1 at standard error and gives descriptor 0 nothing to read, so
that no library can speak between two answers or swallow a message.

Calls are answered in the order in which they came. Answers are collected, because one write for
many of them is what makes small calls fast, and leave before the worker waits for input.
"""

import functools
import json
import mmap
import os
import resource
import sys
import time

from assay_call import Attribute, Call, Crash, Invalid, Tensor, Unsupported
from assay_channels import CHANNELS, CHUNK, INPUT, as_line, describe, reason_of, refuse, remedy, write
from assay_isolation import Child

PROTOCOL = 1
PROGRAMS_KEPT = 128  # compiled ones: the runs and layouts of a case follow one another
ANSWERS_COLLECTED = 64  # the most that the protocol allows


def serve(name, version, run=None, options=None, validates=False, limits_itself=False,
          compile_program=None, explain_death=None, verifies=False):
    """Answers the runner until its messages end, and then returns.

    run(call) writes every element of the outputs, or raises: Unsupported and NotImplementedError
    decline the call, MemoryError is the outcome `memory`, any other exception `error`.
    compile_program(text, entry) returns the function that executes a program, or raises likewise. It
    is called with lists of Tensors, the inputs and the outputs of the entry. Compiled programs are
    kept. A program that is to be refused is compiled only. So are valid ones that the runner has no
    results for, where the worker says `verifies`.
    `version` is a text, or a function that returns it once the options are set.
    `options` maps the options behind the `?` of the backend's name that the worker knows to
    functions of their text, which are called before the first `run`; an exception refuses the session.
    `limits_itself` bounds the address space by the runner's limit, which turns want of memory into
    MemoryError. It is not for libraries that reserve address space without using it, as CUDA does.
    `explain_death` is for libraries that end the process on bad input: calls run in a child process,
    and explain_death(how, words), given the signal's name and the last that was said on standard
    error, returns the exception that the death amounts to.
    """
    identity = {"name": name, "version": version, "validates": validates}
    if compile_program is not None:
        identity.update(programs=True, calls=run is not None, verifies=verifies)
    session = _Session(run, compile_program, limits_itself, explain_death)
    session.serve(identity, options or {})


class _Session:
    def __init__(self, run, compile_program, limits_itself, explain_death):
        self._run = run
        self._compile = compile_program and functools.lru_cache(PROGRAMS_KEPT)(compile_program)
        self._limits_itself = limits_itself
        self._explain_death = explain_death
        self._child = explain_death and Child(self._answer_of_child, CHANNELS)
        self._answers = []

    def serve(self, identity, options):
        sys.excepthook = sys.__excepthook__
        lines = self._lines()
        first = next(lines, None)
        if first is None:
            return
        try:
            self._open(_parse(first), options)
            if callable(identity["version"]):
                identity["version"] = identity["version"]()
        except Exception as error:  # Whatever it was, the runner is told why.
            write(as_line({"error": str(error) if isinstance(error, ValueError) else reason_of(error) + remedy()}))
            sys.exit(1)
        self._answers.append(as_line({"hello": {"protocol": PROTOCOL, **identity}}))
        try:
            for line in lines:
                self._take(_parse(line), line)
        finally:
            self._flush()
            if self._child:
                self._child.end()

    def _take(self, message, line):
        if "call" in message:
            answer = self._ask_child(message, line) if self._child else self._answer(message)
            self._answers.append(answer)
            if len(self._answers) == ANSWERS_COLLECTED:
                self._flush()
        elif "grow" in message:
            if self._child:
                self._child.end()  # the next one has the new mapping
            self._map(message["grow"])
        else:
            raise _not_a_message("neither a call nor grow", message)

    def _lines(self):
        """Yields the messages as they come. Answers are written before the worker waits."""
        rest = b""
        while True:
            self._flush()
            chunk = os.read(INPUT, CHUNK)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
        if rest:
            raise _not_a_message("input ends inside it", rest)

    def _flush(self):
        if self._answers:
            write(b"".join(self._answers))
            self._answers.clear()

    def _open(self, message, options):
        hello = message["hello"]
        if hello["protocol"] != PROTOCOL:
            raise ValueError(f"protocol {hello['protocol']}: this worker speaks {PROTOCOL}")
        for key, text in hello["options"].items():
            if key not in options:
                known = ", ".join(sorted(options)) or "none"
                raise ValueError(f"unknown option {key!r}; known: {known}")
            options[key](text)
        self._allowance = _address_space() + hello["limit"]
        self._file = os.open(hello["memory"], os.O_RDWR | os.O_CLOEXEC)
        self._map(hello["bytes"])

    def _map(self, size):
        """Maps the memory again. The former mapping lives as long as there are views of it."""
        if self._limits_itself:
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            # The former mapping is at most as large.
            soft = min(self._allowance + 2 * size, sys.maxsize)
            if hard == resource.RLIM_INFINITY or soft < hard:
                resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        self._memory = memoryview(mmap.mmap(self._file, size))
        self._read_only = self._memory.toreadonly()
        # The counter is stored as eight bytes at once, because the runner may
        # look at any moment.
        self._counter = self._memory[:8].cast("Q")

    def _ask_child(self, message, line):
        number = message["call"]
        answer, death = self._child.ask(line, begun=lambda: self._counter[0] == number)
        if answer is None:
            return _failure(number, self._explain_death(*death))
        if answer.startswith(_NOT_A_MESSAGE.encode()):
            raise SystemExit(answer.decode().strip())
        return answer

    def _answer_of_child(self, line):
        try:
            return self._answer(_parse(line))
        except SystemExit as end:
            return str(end).replace("\n", " ").encode() + b"\n"

    def _answer(self, message):
        number = message["call"]
        self._counter[0] = number
        is_program = "program" in message
        try:
            call = self._program(message) if is_program else self._call(message)
        except Unsupported as error:
            return _failure(number, error)
        except (KeyError, TypeError) as error:
            raise _not_a_message(describe(error), message) from None
        try:
            if is_program:
                return as_line({"call": number, "status": "ok", "seconds": self._run_program(*call)})
            self._run(call)
            if call.attributes or call.regions:
                left = ", ".join(call.attributes) or "a region"
                raise Unsupported(f"{call.op}: {left} is not known")
        except (Exception, SystemExit) as error:
            return _failure(number, error)
        return b'{"call": %d, "status": "ok"}\n' % number

    def _run_program(self, text, entry, inputs, outputs):
        begin = time.perf_counter()
        execute = self._compile(text, entry)
        compiled = time.perf_counter()
        if outputs:
            execute(inputs, outputs)
        return {"compile": compiled - begin, "execute": time.perf_counter() - compiled}

    def _program(self, message):
        if self._compile is None:
            raise Unsupported("this worker takes no programs")
        program = message["program"]
        return program["text"], program["entry"], *self._tensors(message)

    def _call(self, message):
        if self._run is None:
            raise Unsupported("this worker takes whole programs only")
        call = Call()
        call.op = message["op"]
        call.inputs, call.outputs = self._tensors(message)
        call.attributes = {
            attribute["name"]: Attribute(attribute, self._read_only)
            for attribute in message.get("attributes", ())
        }
        call.regions = message.get("regions", [])
        call.monoids = message.get("monoids", [])
        call.captures = message.get("captures", 0)
        call.groups = message.get("groups", [1] * (len(call.inputs) - call.captures))
        return call

    def _tensors(self, message):
        return ([Tensor(tensor, self._read_only) for tensor in message["inputs"]],
                [Tensor(tensor, self._memory) for tensor in message["outputs"]])


_NOT_A_MESSAGE = "assay_worker: not a message"  # unlike an answer, which is an object


def _parse(line):
    try:
        message = json.loads(line.decode())
    except ValueError as error:
        raise _not_a_message(error, line) from None
    if not isinstance(message, dict):
        raise _not_a_message("no object", line)
    return message


def _not_a_message(reason, message):
    """Returns the exception that ends the worker: if one message cannot be trusted, no later one can be."""
    return SystemExit(f"{_NOT_A_MESSAGE} ({reason}): {str(message)[:200]}")


def _failure(number, error):
    return as_line({"call": number, "status": _status(error), "message": describe(error)})


def _status(error):
    if isinstance(error, (Unsupported, NotImplementedError)):
        return "unsupported"
    if isinstance(error, Invalid):
        return "invalid"
    if isinstance(error, MemoryError):
        return "memory"
    # sys.exit in a library would have ended the process; it is not a failure that the
    # library reports.
    return "crash" if isinstance(error, (Crash, SystemExit)) else "error"


def _address_space():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * mmap.PAGESIZE
