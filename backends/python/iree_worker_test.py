#!/usr/bin/python3
"""Tests that the backend python:iree returns what IREE computes, bit for bit.

It runs by the first Python that has IREE: its own, or that of build/venv/iree (`tools/dev backend iree`). The exit code is 0 if
it passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import importlib.util
import math
import os
import re
import struct
import subprocess
import sys
import unittest

from driver import FOLDER, FORMATS, WorkerTest, offsets

if not importlib.util.find_spec("iree") or not importlib.util.find_spec("iree.compiler"):
    python = FOLDER.parent.parent / "build/venv/iree/bin/python"
    if python.exists() and sys.executable != str(python):
        os.execv(python, [python, *sys.argv])
    print("skipped: there is no IREE (tools/dev backend iree)")
    sys.exit(77)

# IREE's runtime has codes for these.
TYPES = ("i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "f32", "f64",
         "complex<f32>", "complex<f64>", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU")


def bits_of(element):
    return int(re.search(r"\d+", element)[0]) * (2 if element.startswith("complex") else 1)


def module(inputs, results, body, name="main"):
    """Returns a module of one function in the generic form, whose arguments are %0, %1, .."""
    arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(inputs))
    type = f"({', '.join(inputs)}) -> ({', '.join(results)})"
    return (f'"builtin.module"() ({{ "func.func"() <{{function_type = {type}, sym_name = "{name}"}}> ({{ ^bb0({arguments}): '
            f'{body} }}) : () -> () }}) : () -> ()')


def returned(values, types):
    return f'"func.return"({values}) : ({types}) -> ()'


class IreeTest(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.start("iree_worker.py")

    def unary(self, op, element, values, expected, result=None):
        operand = self.worker.tensor(element, [len(values)], values)
        output = self.worker.tensor(result or element, [len(values)])
        a, b = operand["type"], output["type"]
        answer = self.worker.program(module([a], [b], f'%r = "stablehlo.{op}"(%0) : ({a}) -> {b} {returned("%r", b)}'),
                                     [operand], [output])
        self.assertEqual(answer.pop("status"), "ok", answer)
        self.assertEqual(self.worker.values(output), expected)

    def expect_failure(self, body, status, message, element="f32"):
        """Runs a body that gets %0 and returns %1 of the same type, which fails."""
        operand, result = (self.worker.tensor(element, [2]) for _ in range(2))
        t = operand["type"]
        answer = self.worker.program(module([t], [t], f'{body} {returned("%1", t)}'), [operand], [result])
        self.assertEqual(answer["status"], status, answer)
        self.assertIn(message, answer["message"])

    def test_the_session(self):
        hello = self.hello["hello"]
        self.assertEqual(hello["version"], importlib.metadata.version("iree-base-compiler") + ", llvm-cpu")
        self.assertEqual([hello[key] for key in ("programs", "calls", "validates")], [True, False, True])
        answer = self.process("iree_worker.py").hello(options={"target": "abacus"})
        self.assertEqual(answer, {"error": "target is abacus; there are llvm-cpu, vmvx"})
        self.expect_end(self.worker)

    def test_every_bit_comes_back(self):
        """A select between two operands is no program of which the compiler leaves nothing."""
        operands, results, lines = [self.worker.tensor("i1", [], [1])], [], []
        for element in TYPES:
            count = 16 if bits_of(element) < 8 else 3
            operands += [self.worker.tensor(element, [count]) for _ in range(2)]
            results.append(self.worker.tensor(element, [count]))
            size = struct.calcsize(FORMATS[element])
            for seed, operand in enumerate(operands[-2:]):
                for i, offset in enumerate(offsets(operand)):
                    pattern = (0xF1E2D3C4B5A6978812345678FEDCBA98 >> (3 * i + seed)) % (1 << bits_of(element))
                    if element.startswith("f") or element.startswith("bf") or element.startswith("complex"):
                        pattern &= int("5A" * size, 16)  # no NaN, whose bits may change
                    if element == "i1":
                        pattern &= 1
                    self.worker.memory[offset : offset + size] = pattern.to_bytes(size, "little")
            t, a, b = operands[-1]["type"], len(operands) - 2, len(operands) - 1
            lines.append(f'%r{len(lines)} = "stablehlo.select"(%0, %{a}, %{b}) : (tensor<i1>, {t}, {t}) -> {t}')
        types = [result["type"] for result in results]
        names = ", ".join(f"%r{i}" for i in range(len(lines)))
        text = module([operand["type"] for operand in operands], types, " ".join(lines) + " " + returned(names, ", ".join(types)))
        for pred in (1, 0):
            self.worker.memory[operands[0]["at"]] = pred
            answer = self.worker.program(text, operands, results)
            self.assertEqual(answer.pop("status"), "ok", answer)
            for i, (element, result) in enumerate(zip(TYPES, results)):
                size, mask = struct.calcsize(FORMATS[element]), (1 << bits_of(element)) - 1
                expected, got = ([int.from_bytes(self.worker.memory[offset : offset + size], "little") & mask
                                  for offset in offsets(tensor)] for tensor in (operands[1 + 2 * i + (1 - pred)], result))
                self.assertEqual(got, expected, (element, pred))

    def test_shapes_and_layouts(self):
        for element in ("f32", "i4", "complex<f64>"):
            one = 1 + 0j if element.startswith("complex") else 1
            for shape in ([4, 6], [2], [0], [2, 0, 3], *([[]] if element != "i4" else [])):
                values = ([one, 0 * one] * math.prod(shape))[: math.prod(shape)]
                column_major = [math.prod(shape[:i]) for i in range(len(shape))]
                operand = self.worker.tensor(element, shape, values, [-stride for stride in column_major])
                result = self.worker.tensor(element, shape, strides=column_major)
                t = operand["type"]
                answer = self.worker.program(module([t], [t], returned("%0", t)), [operand], [result])
                self.assertEqual(answer.pop("status"), "ok", (t, answer))
                self.assertEqual(self.worker.values(result), values, t)

    def test_ops_of_other_types(self):
        self.unary("negate", "i2", [1, 0, -1, -2], [3, 0, 1, 2])
        self.unary("not", "ui4", [1, 2, 3, 4, 15, 0], [14, 13, 12, 11, 0, 15])
        self.unary("convert", "f32", [1.75, -2.5], [1, -2], "i8")
        self.unary("convert", "ui8", [200, 1], [200.0, 1.0], "f64")

    def test_an_entry_of_another_name(self):
        operand, result = self.worker.tensor("f32", [2], [1, 2]), self.worker.tensor("f32", [2])
        t = operand["type"]
        body = f'%1 = "stablehlo.negate"(%0) : ({t}) -> {t} {returned("%1", t)}'
        answer = self.worker.program(module([t], [t], body, "other"), [operand], [result], "other")
        self.assertEqual(answer.pop("status"), "ok", answer)
        self.assertEqual(self.worker.values(result), [-1, -2])

    def test_a_program_is_compiled_once(self):
        operand, result = self.worker.tensor("f32", [2], [1, 2]), self.worker.tensor("f32", [2])
        t = operand["type"]
        text = module([t], [t], f'%1 = "stablehlo.negate"(%0) : ({t}) -> {t} {returned("%1", t)}')
        first, second = (self.worker.program(text, [operand], [result])["seconds"]["compile"] for _ in range(2))
        self.assertLess(second, first / 10)

    def test_a_text_that_violates_a_constraint(self):
        t, u = "tensor<2xf32>", "tensor<2xi64>"
        for op, reason in ((f'"stablehlo.and"(%0, %0) : ({t}, {t}) -> {t}', "'stablehlo.and' op operand #0 may not be"),
                           (f'"stablehlo.add"(%0, %0) : ({t}, {t}) -> {u}', "requires the same element type for all operands")):
            answer = self.worker.program(module([t], [t], f'%1 = {op} {returned("%0", t)}'))
            self.assertEqual(answer.pop("status"), "invalid", answer)
            self.assertIn(reason, answer["message"])

    def test_what_iree_does_not_have(self):
        t = "tensor<2xf32>"
        for op, reason in ((f'"stablehlo.custom_call"(%0) <{{call_target_name = "f"}}> : ({t}) -> {t}',
                            "failed to legalize operation 'stablehlo.custom_call'"),
                           (f'"stablehlo.rsqrt2"(%0) : ({t}) -> {t}', "unregistered operation 'stablehlo.rsqrt2'")):
            self.expect_failure(f"%1 = {op}", "unsupported", reason)
        for element, reason in (("f8E3M4", "IREE's runtime has no f8E3M4"), ("tf32", "no tf32"),
                                ("i2", "i2 that do not fill whole bytes")):
            t = f"tensor<2x{element}>"
            self.expect_failure(f'%1 = "stablehlo.reverse"(%0) <{{dimensions = array<i64: 0>}}> : ({t}) -> {t}', "unsupported",
                                reason, element)

    def test_another_target(self):
        self.worker = self.start("iree_worker.py", options={"target": "vmvx"})
        self.assertIn("vmvx", self.hello["hello"]["version"])
        self.unary("negate", "i32", [1, -7], [-1, 7])

    def test_what_is_made_of_last_words(self):
        for how, words, expected in (
                ("SIGFPE", "", "Crash: SIGFPE"), ("SIGSEGV", "noise\nmore noise\n", "Crash: SIGSEGV: more noise"),
                ("SIGABRT", "LLVM ERROR: Cannot select: t1\nStack dump\n", "Crash: SIGABRT: Cannot select: t1"),
                ("SIGABRT", "LLVM ERROR: out of memory\nAllocation failed\n", "MemoryError: out of memory")):
            program = ("import iree_worker\n"
                       f"death = iree_worker.explain_death({how!r}, {words!r})\n"
                       "print(f'{type(death).__name__}: {death}')")
            done = subprocess.run([sys.executable, "-c", program], cwd=FOLDER, check=True, capture_output=True, text=True)
            self.assertIn(expected, done.stderr.splitlines())


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)
    unittest.main()
