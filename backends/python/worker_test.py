#!/usr/bin/python3
"""Tests assay_worker.py against backends/PROTOCOL.md; driver.py plays the runner."""

import faulthandler
import importlib.util
import json
import math
import os
import re
import signal
import time
import unittest

import assay_attributes
import driver
from driver import FOLDER, WorkerTest

# This worker does on request what a worker may do, and what a library should not
# do.
ODD_WORKER = '''
import assay_worker
import os, subprocess, sys
print("while loading")

kept = []

def run(call):
    odd = call.op
    if odd == "counter":
        call.outputs[0].memory[call.outputs[0].at:][:8] = call.outputs[0].memory[:8]
    elif odd == "print":
        print("by print")
        os.write(1, b"by descriptor\\n")
        subprocess.run(["echo", "by a child"])
    elif odd == "input":
        assert sys.stdin.read() == "" and os.read(0, 1) == b""
    elif odd == "keep":
        kept.append(call.inputs[0])
    elif odd == "kept":
        call.outputs[0].memory[call.outputs[0].at] = kept[0].memory[kept[0].at]
    elif odd == "write_input":
        call.inputs[0].memory[call.inputs[0].at] = 1
    elif odd == "allocate":
        bytearray(1 << 30)
    elif odd == "understand":
        call.regions.clear()
        call.outputs[0].memory[call.outputs[0].at] = len(call.attributes.pop("one").text)
    elif odd != "nothing":
        raise {"value": ValueError("two\\nlines"), "surrogate": ValueError("\\ud800"),
               "declined": assay_worker.Unsupported("not here"), "exit": SystemExit(0),
               "not_implemented": NotImplementedError("later"), "memory": MemoryError(),
               "invalid": assay_worker.Invalid("C1")}[odd]

def set_level(text):
    int(text)

assay_worker.serve("odd", "0", run, options={"level": set_level}, validates=True,
                   limits_itself=True)
'''


# The text of a program is what becomes of it. Its result counts compilations and executions.
PROGRAM_WORKER = '''
import assay_worker
import ctypes, os, signal, sys, threading, time

compiled = executed = 0

def compile_program(text, entry):
    global compiled
    compiled += 1
    print("compiling", flush=True)
    if text == "invalid":
        raise assay_worker.Invalid(entry)
    if text == "sleep":
        time.sleep(60)
    if text == "segv":
        os.write(1, b"by descriptor\\n")
        ctypes.string_at(0)
    if text.startswith("words"):
        os.write(2, b"first\\nlast word: " + text.encode())
        os.abort()
    if text == "complaint":
        os.write(2, b"this is unsupported\\n")
    if text == "exit":
        os._exit(3)
    return lambda inputs, outputs: execute(text, outputs)

def execute(text, outputs):
    global executed
    executed += 1
    for tensor, value in zip(outputs, (compiled, executed)):
        tensor.memory[tensor.at] = value
    if text == "later":
        threading.Thread(target=lambda: (time.sleep(0.2), os.abort())).start()

def explain_death(how, words):
    if "unsupported" in words:
        return assay_worker.Unsupported(words.split()[-1])
    return assay_worker.Crash(f"{how}: {words.split()[-1]}")

assay_worker.serve("programs", "0", compile_program=compile_program, validates=True,
                   explain_death=explain_death if ISOLATED else None)
'''


class AttributesTest(unittest.TestCase):
    def test_numbers_may_be_none_of_json(self):
        for text, value in (("1e-3", 0.001), ("-7", -7), ("[[1, 2], [0, -1]]", [[1, 2], [0, -1]]), ("inf", math.inf), ("-inf", -math.inf)):
            self.assertEqual(assay_attributes.number(text), value)
        for text in ("nan", "-nan"):
            self.assertTrue(math.isnan(assay_attributes.number(text)))
        for text in ("", "one", "[1"):
            self.assertRaises(ValueError, assay_attributes.number, text)


class ProtocolTest(WorkerTest):
    def test_a_session(self):
        worker = self.start(ODD_WORKER, options={"level": "3"})
        self.assertEqual(self.hello, {"hello": {"protocol": 1, "name": "odd", "version": "0",
                                                "validates": True}})
        self.assertEqual(worker.call("nothing", [], []), {"status": "ok"})
        self.expect_end(worker, reason="while loading")

    def test_input_that_ends_at_once(self):
        self.expect_end(self.process(ODD_WORKER))

    def test_sessions_that_are_refused(self):
        for changes, reason in (
                ({"options": {"colour": "red"}}, "unknown option 'colour'; known: level"),
                ({"options": {"level": "high"}}, "invalid literal for int() with base 10: 'high'"),
                ({"protocol": 2}, "protocol 2: this worker speaks 1"),
                ({"memory": "/nonexistent"}, "FileNotFoundError: [Errno 2] No such file or "
                                             "directory: '/nonexistent'"),
                ({"bytes": 1 << 40}, "mmap length is greater than file size")):
            with self.subTest(reason):
                worker = self.process(ODD_WORKER)
                self.assertEqual(worker.hello(**changes), {"error": reason})
                self.expect_end(worker, status=1)

    def test_a_library_that_is_not_as_it_should_be(self):
        script = self.folder / "mine_worker.py"
        script.write_text("import assay_worker, mine\nmine.function\nassay_worker.serve('mine', mine.version(), print)")
        for library, reason in (
                ("print('noise'); raise ImportError('no such thing')", "ImportError: no such thing"),
                ("print('noise'); raise RuntimeError('two\\nlines' + 1000 * '.')", "RuntimeError: two lines" + 277 * "."),
                ("print('noise'); __version__ = '99.0'", "AttributeError: module 'mine' has no attribute 'function' (mine 99.0)"),
                ("print('noise'); function = 1; version = dict().pop", "TypeError: pop expected at least 1 argument, got 0")):
            (self.folder / "mine.py").write_text(library)
            for remedy in ("", f"; install {self.folder}/requirements-mine.txt"):
                if remedy:
                    (self.folder / "requirements-mine.txt").touch()
                with self.subTest(library, remedy=remedy):
                    worker = self.process(script)
                    self.assertEqual(worker.hello(), {"error": reason + remedy})
                    self.expect_end(worker, status=1, reason="noise")
            (self.folder / "requirements-mine.txt").unlink()

    def test_a_worker_without_a_runner_shows_the_trace(self):
        self.expect_end(self.process("import assay_worker\nraise RuntimeError('here')\n"), status=1, reason="worker.py\", line 2")

    def test_an_exception_after_the_session_is_the_workers_own(self):
        worker = self.start(ODD_WORKER + "raise RuntimeError('behind it')\n")
        self.expect_end(worker, status=1, reason="RuntimeError: behind it")

    def test_statuses(self):
        worker = self.start(ODD_WORKER)
        for op, status, message in (
                ("value", "error", "ValueError: two\nlines"),
                ("surrogate", "error", "ValueError: ?"),
                ("unheard_of", "error", "KeyError: 'unheard_of'"),
                ("declined", "unsupported", "not here"),
                ("not_implemented", "unsupported", "NotImplementedError: later"),
                ("invalid", "invalid", "C1"),
                ("memory", "memory", "MemoryError: "),
                ("exit", "crash", "SystemExit: 0")):
            self.assertEqual(worker.call(op, [], []), {"status": status, "message": message})
        self.assertEqual(worker.call("nothing", [], []), {"status": "ok"}, "it lives on")
        self.expect_end(worker)

    def test_types_that_are_not_known(self):
        worker = self.start(ODD_WORKER)
        operand = {"type": "tensor<2x!quant.uniform<i8:f32, 1.0>>", "strides": [1], "at": 4096,
                   "buffer": [4096, 4096]}
        self.assertEqual(worker.call("nothing", [operand], []),
                         {"status": "unsupported", "message": operand["type"] + " is not known"})

    def test_the_limit(self):
        worker = self.start(ODD_WORKER, limit=1 << 29)
        self.assertEqual(worker.call("allocate", [], [])["status"], "memory")
        worker = self.start(ODD_WORKER, limit=1 << 31)
        self.assertEqual(worker.call("allocate", [], [])["status"], "ok")

    def test_what_is_not_understood_is_declined(self):
        worker = self.start(ODD_WORKER)
        result = worker.tensor("i8", [])
        self.assertEqual(worker.call("understand", [], [result], {"one": "four"}, regions=["^()"]),
                         {"status": "ok"})
        self.assertEqual(worker.values(result), [4])
        self.assertEqual(worker.call("understand", [], [result], {"one": "1", "two": "2"}),
                         {"status": "unsupported", "message": "understand: two is not known"})
        self.assertEqual(worker.call("nothing", [], [], regions=["^()"]),
                         {"status": "unsupported", "message": "nothing: a region is not known"})

    def test_the_counter(self):
        worker = self.start(ODD_WORKER)
        for number in (1, 2, 1 << 40):
            result = worker.tensor("ui64", [])
            worker.send({**worker.message("counter", [], [result]), "call": number})
            self.assertEqual(worker.answer(), {"call": number, "status": "ok"})
            self.assertEqual(worker.values(result), [number], "written before the call runs")
            self.assertEqual(worker.memory[8:32], bytes(24), "the other fields are left alone")

    def test_order(self):
        worker = self.start(ODD_WORKER)
        ops = ["nothing", "value", "declined"] * 100
        calls = [worker.message(op, [], []) for op in ops]
        data = "".join(json.dumps(call) + "\n" for call in calls).encode()
        # Messages need not come whole.
        for begin in range(0, len(data), 1000):
            worker.send_bytes(data[begin : begin + 1000])
        answers = [worker.answer() for _ in calls]
        self.assertEqual([answer["call"] for answer in answers], [call["call"] for call in calls])
        self.assertEqual([answer["status"] for answer in answers],
                         ["ok", "error", "unsupported"] * 100)
        self.expect_end(worker)

    def test_no_answer_waits_for_input(self):
        worker = self.start(ODD_WORKER)
        head = json.dumps(worker.message("nothing", [], [])) + '\n{"call"'
        worker.send_bytes(head.encode())
        self.assertEqual(worker.answer(), {"call": 1, "status": "ok"}, "or this waits for ever")
        worker.send_bytes(b': 2, "op": "nothing", "inputs": [], "outputs": []}\n')
        self.assertEqual(worker.answer(), {"call": 2, "status": "ok"})

    def test_garbage_ends_the_worker(self):
        for line, reason in ((b"garbage\n", "Expecting value"), (b"[1]\n", "no object"),
                             (b"{\"call\": 3}\n", "KeyError: 'op'"), (b"\xff\n", "can't decode"),
                             (b'{"shrink": 1}\n', "neither a call nor grow"),
                             (b'{"call": 3', "input ends inside it")):
            with self.subTest(line):
                worker = self.start(ODD_WORKER)
                call = json.dumps(worker.message("nothing", [], []))
                worker.send_bytes(call.encode() + b"\n" + line)
                self.assertEqual(worker.answer()["call"], 1, "what was answered is not lost")
                self.expect_end(worker, status=1, reason=reason)

    def test_a_library_that_prints_or_reads(self):
        worker = self.start(ODD_WORKER)
        for op in ("print", "input", "print"):
            self.assertEqual(worker.call(op, [], []), {"status": "ok"})
        status, out, err = worker.end()
        self.assertEqual((status, out), (0, b""))
        for text in ("while loading", "by print", "by descriptor", "by a child"):
            self.assertIn(text, err)

    def test_grow(self):
        worker = self.start(ODD_WORKER)
        first = worker.tensor("i8", [], [42])
        self.assertEqual(worker.call("keep", [first], []), {"status": "ok"})
        before = worker.bytes
        far = worker.tensor("i8", [1 << 22], strides=[-1])  # its first element lies last
        self.assertGreater(worker.bytes, before)
        self.assertEqual(worker.call("kept", [], [far]), {"status": "ok"}, "old views still hold")
        self.assertEqual(worker.memory[far["at"]], 42)

    def test_shared_memory_is_beyond_the_limit(self):
        worker = self.start(ODD_WORKER, limit=1 << 24)
        for size in (1 << 26, 1 << 28):
            far = worker.tensor("i8", [size])
            self.assertEqual(worker.call("nothing", [], [far]), {"status": "ok"})

    def test_inputs_are_read_only(self):
        worker = self.start(ODD_WORKER)
        operand = worker.tensor("i8", [], [42])
        answer = worker.call("write_input", [operand], [])
        self.assertEqual(answer["message"], "TypeError: cannot modify read-only memory")
        self.assertEqual(worker.values(operand), [42])


class ProgramTest(WorkerTest):
    def start_programs(self, isolated):
        worker = self.start(PROGRAM_WORKER.replace("ISOLATED", str(isolated)))
        self.assertEqual(self.hello["hello"], {
            "protocol": 1, "name": "programs", "version": "0", "validates": True,
            "programs": True, "calls": False, "verifies": False})
        self.outputs = [worker.tensor("ui8", []) for _ in range(2)]
        return worker

    def counts(self, worker, text, entry="main"):
        """Returns how often the process has compiled and executed, once it has run a program."""
        answer = worker.program(text, [], self.outputs, entry)
        self.assertEqual(answer.pop("status"), "ok", answer)
        self.assertEqual(set(answer.pop("seconds")), {"compile", "execute"})
        self.assertEqual(answer, {})
        return [worker.values(output)[0] for output in self.outputs]

    def test_programs_are_compiled_once(self):
        for isolated in (False, True):
            worker = self.start_programs(isolated)
            self.assertEqual(self.counts(worker, "a"), [1, 1])
            self.assertEqual(self.counts(worker, "a"), [1, 2])
            self.assertEqual(self.counts(worker, "a", "other"), [2, 3], "of another entry")
            for i in range(128):
                self.assertEqual(worker.program(f"program {i}").pop("status"), "ok")
            self.assertEqual(self.counts(worker, "a"), [131, 4],
                             "the oldest is forgotten, and without results nothing is executed")
            self.expect_end(worker)

    def test_what_is_not_taken(self):
        for worker, answer in (
                (self.start_programs(False), lambda worker: worker.call("add", [], [])),
                (self.start(ODD_WORKER), lambda worker: worker.program("a"))):
            self.assertEqual(answer(worker)["status"], "unsupported")
            self.expect_end(worker)

    def test_a_refusal(self):
        for isolated in (False, True):
            worker = self.start_programs(isolated)
            self.assertEqual(worker.program("invalid", entry="C1"),
                             {"status": "invalid", "message": "C1"})
            self.expect_end(worker, reason="compiling")

    def test_deaths(self):
        worker = self.start_programs(True)
        self.assertEqual(worker.program("complaint").pop("status"), "ok")
        for text, status, message in (("segv", "crash", "SIGSEGV: descriptor"),
                                      ("words", "crash", "SIGABRT: words"),
                                      ("words unsupported", "unsupported", "unsupported"),
                                      ("exit", "crash", "exit status 3: compiling")):
            self.assertEqual(worker.program(text), {"status": status, "message": message})
            self.assertEqual(self.counts(worker, "a"), [1, 1], "by another process")
        self.expect_end(worker, reason="first\nlast word: words")

    def test_a_death_between_programs(self):
        worker = self.start_programs(True)
        self.assertEqual(self.counts(worker, "later"), [1, 1])
        time.sleep(1)
        self.assertEqual(self.counts(worker, "a"), [1, 1], "it is not to blame")
        self.expect_end(worker)

    def test_a_worker_that_is_killed_says_so_at_once(self):
        worker = self.start_programs(True)
        worker.send({"call": 7, "program": {"text": "sleep", "entry": "main"}, "inputs": [],
                     "outputs": []})
        while worker.memory[:8] != (7).to_bytes(8, "little"):
            time.sleep(0.01)
        worker.process.kill()
        begin = time.monotonic()
        self.assertEqual(worker.process.stdout.read(), b"")
        self.assertLess(time.monotonic() - begin, 10, "the child still runs, and holds no channel")
        os.killpg(worker.process.pid, signal.SIGKILL)

    def test_without_isolation_the_worker_dies(self):
        worker = self.start_programs(False)
        worker.send({"call": 7, "program": {"text": "words", "entry": "main"}, "inputs": [],
                     "outputs": []})
        self.expect_end(worker, status=-signal.SIGABRT, reason="last word: words")
        self.assertEqual(worker.memory[:8], (7).to_bytes(8, "little"))

    def test_garbage_ends_the_worker(self):
        worker = self.start_programs(True)
        worker.send({"call": 1, "program": {"text": "a"}, "inputs": [], "outputs": []})
        self.expect_end(worker, status=1, reason="KeyError: 'entry'")

    def test_grow(self):
        worker = self.start_programs(True)
        self.assertEqual(self.counts(worker, "a"), [1, 1])
        self.outputs = [worker.tensor("ui8", [1 << 20]), *self.outputs[1:]]
        self.assertEqual(worker.program("a", [], self.outputs).pop("status"), "ok")
        self.assertEqual(worker.memory[self.outputs[0]["at"]], 1)
        self.expect_end(worker)


class NoopTest(WorkerTest):
    def test_it_computes_nothing(self):
        for options, status in (({}, "unsupported"), ({"status": "ok"}, "ok")):
            worker = self.start("noop_worker.py", options=options)
            result = worker.tensor("i8", [2])
            self.assertEqual(worker.call("add", [], [result], {"a": "1"})["status"], status)
            self.assertEqual(bytes(worker.memory[result["at"] :][:2]), bytes([driver.FILL] * 2))
            self.expect_end(worker)


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed")
class ReadmeTest(WorkerTest):
    def test_the_example(self):
        text = (FOLDER / "README.md").read_text()
        program = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
        worker = self.start(program)
        result = worker.tensor("i32", [2])
        operands = [worker.tensor("i32", [2], [1, -2]), worker.tensor("i32", [2], [3, 4])]
        self.assertEqual(worker.call("add", operands, [result]), {"status": "ok"})
        self.assertEqual(worker.values(result), [4, 2])
        self.assertEqual(worker.call("abs", operands, [result]),
                         {"status": "unsupported", "message": "no abs"})
        narrow = worker.tensor("i8", [2])
        self.assertEqual(worker.call("add", operands, [narrow])["message"], "no i8")
        self.expect_end(worker)


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
