#!/usr/bin/python3
"""Tests that the backend python:stablehlo returns what the interpreter computes, bit for bit.

It runs by the first Python that has jaxlib: its own, or that of build/venv/stablehlo or build/venv/xla
(`tools/dev backend stablehlo`, `tools/dev package xla`). The exit code is 0 if it passed, 1 if it
failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import importlib.util
import math
import os
import random
import re
import struct
import subprocess
import sys
import unittest

from driver import FOLDER, FORMATS, WorkerTest, offsets

VENVS = FOLDER.parent.parent / "build/venv"
if not importlib.util.find_spec("jaxlib"):
    for name in ("stablehlo", "xla"):
        python = VENVS / name / "bin/python"
        if python.exists() and sys.executable != str(python):
            os.execv(python, [python, *sys.argv])
    print("skipped: there is no jaxlib (tools/dev backend stablehlo)")
    sys.exit(77)

TYPES = sorted(set(FORMATS) - {"tf32"})
SIZES = {element: struct.calcsize(code) for element, code in FORMATS.items()}


def bits_of(element):
    return int(re.search(r"\d+", element)[0]) * (2 if element.startswith("complex") else 1)


def module(inputs, results, body, name="main", more=""):
    """Returns a module of one function, whose arguments are %0, %1, .., and `more` functions."""
    arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(inputs))
    results = ", ".join(results)
    return f"module {{ func.func @{name}({arguments}) -> ({results}) {{ {body} }} {more} }}"


def column_major(shape):
    return [math.prod(shape[:i]) for i in range(len(shape))]


class StablehloTest(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.start("stablehlo_worker.py")

    def compute(self, body, operands, results):
        """Returns the results of a body. Operands are (element, values), results (element, number)."""
        inputs = [self.worker.tensor(element, [len(values)], values) for element, values in operands]
        outputs = [self.worker.tensor(element, [number]) for element, number in results]
        types = [[tensor["type"] for tensor in tensors] for tensors in (inputs, outputs)]
        answer = self.worker.program(module(*types, body), inputs, outputs)
        self.assertEqual(answer.pop("status"), "ok", answer)
        return [self.worker.values(output) for output in outputs]

    def expect_failure(self, body, status, message, element="f32"):
        """Runs a body that gets %0 and returns one value of the same type, which fails."""
        operand, result = (self.worker.tensor(element, [2]) for _ in range(2))
        text = module([operand["type"]], [result["type"]], body)
        self.assertEqual(self.worker.program(text, [operand], [result]),
                         {"status": status, "message": message})

    def identity(self, operand, result):
        type = operand["type"]
        answer = self.worker.program(module([type], [type], f"return %0 : {type}"),
                                     [operand], [result])
        self.assertEqual(answer.pop("status"), "ok", (type, answer))

    def test_the_session(self):
        hello = self.hello["hello"]
        self.assertEqual(hello["version"], importlib.metadata.version("jaxlib"))
        self.assertEqual([hello[key] for key in ("programs", "calls", "validates", "verifies")],
                         [True, False, True, True])
        self.assertEqual(self.worker.call("add", [], []),
                         {"status": "unsupported",
                          "message": "this worker takes whole programs only"})
        self.expect_end(self.worker)

    def test_every_bit_pattern_of_a_type_comes_back(self):
        draw = random.Random(1)
        for element in TYPES:
            bits, size = bits_of(element), SIZES[element]
            patterns = [draw.getrandbits(bits) for _ in range(1000)]
            if bits <= 8:
                patterns = range(1 << bits)
            elif bits == 16:
                patterns = range(0, 1 << bits, 7)
            elif "f" in element:
                # Zeros, subnormals, infinities and NaNs of both signs are ones and zeros in few runs.
                width = bits // (2 if element.startswith("complex") else 1)
                runs = [((1 << i) - (1 << j)) % (1 << width) for i in range(width + 1)
                        for j in range(i + 1)]
                runs = [run ^ least for run in runs for least in (0, 1)]
                patterns += runs if width == bits else [
                    real << width | imag for real, imag in zip(runs, reversed(runs))]
            operand, result = (self.worker.tensor(element, [len(patterns)]) for _ in range(2))
            for offset, pattern in zip(offsets(operand), patterns):
                self.worker.memory[offset : offset + size] = pattern.to_bytes(size, "little")
            self.identity(operand, result)
            mask = (1 << bits) - 1  # bits above those of the type are ignored on output
            back = [int.from_bytes(self.worker.memory[offset : offset + size], "little") & mask
                    for offset in offsets(result)]
            self.assertEqual(back, list(patterns), element)

    def test_shapes_and_layouts(self):
        for element in TYPES:
            one = 1 + 0j if element.startswith("complex") else 1
            for shape in ([3, 5], [1], [], [0], [2, 0, 3]):
                # Results that are all equal take another path in MLIR.
                for values in ([one] * math.prod(shape), [one, 0 * one] * math.prod(shape)):
                    values = values[: math.prod(shape)]
                    backward = [-stride for stride in column_major(shape)]
                    operand = self.worker.tensor(element, shape, values, backward)
                    result = self.worker.tensor(element, shape, strides=column_major(shape))
                    self.identity(operand, result)
                    self.assertEqual(self.worker.values(result), values, operand["type"])
        operand = self.worker.tensor("i16", [3], [7], [0])
        result = self.worker.tensor("i16", [3])
        self.identity(operand, result)
        self.assertEqual(self.worker.values(result), [7, 7, 7])

    def test_a_program_of_several_ops_and_results(self):
        t, c = "tensor<2xf32>", "tensor<2xcomplex<f32>>"
        (added, product, narrow) = self.compute(
            f"%sum = stablehlo.add %0, %1 : {t} "
            f"%z = stablehlo.complex %0, %1 : {c} %zz = stablehlo.multiply %z, %z : {c} "
            f"%i = stablehlo.convert %0 : ({t}) -> tensor<2xi4> "
            f"return %sum, %zz, %i : {t}, {c}, tensor<2xi4>",
            [("f32", [1.0, -2.0]), ("f32", [3.0, 0.5])],
            [("f32", 2), ("complex<f32>", 2), ("i4", 2)])
        self.assertEqual(added, [4, -1.5])
        self.assertEqual(product, [(1 + 3j) ** 2, (-2 + 0.5j) ** 2])
        self.assertEqual([value & 15 for value in narrow], [1, 14])

    def test_the_entry_may_have_any_name(self):
        more = ("func.func @main_() { return } "
                "func.func @main(%0: tensor<bf16>) -> tensor<bf16> { return %0 : tensor<bf16> }")
        body = ("%1 = call @main(%0) : (tensor<bf16>) -> tensor<bf16> "
                "%2 = stablehlo.negate %1 : tensor<bf16> return %2 : tensor<bf16>")
        text = module(["tensor<bf16>"], ["tensor<bf16>"], body, "other", more)
        operand, result = self.worker.tensor("bf16", [], [0x3F80]), self.worker.tensor("bf16", [])
        for entry, bits in (("other", 0xBF80), ("main", 0x3F80)):
            answer = self.worker.program(text, [operand], [result], entry)
            self.assertEqual(answer.pop("status"), "ok", answer)
            self.assertEqual(self.worker.values(result), [bits])

    def test_a_text_that_violates_a_constraint(self):
        t = "tensor<2xf32>"
        body = f"%1 = stablehlo.add %0, %0 : {t} return %1 : {t}"
        self.assertEqual(self.worker.program(module([t], [t], body)).pop("status"), "ok")
        for changed, reason in (
                (body.replace("add %0, %0", "and %0, %0"), "'stablehlo.and' op operand #0 may not be 'tensor<2xf32>'"),
                ('"stablehlo.while"(%0) ({{ ^bb0(%a: tensor<2xi64>): %p = stablehlo.constant '
                 'dense<true> : tensor<i1> "stablehlo.return"(%p) : (tensor<i1>) -> () }}, '
                 '{{ ^bb0(%a: {t}): "stablehlo.return"(%a) : ({t}) -> () }}) : ({t}) -> {t} '
                 'return %0 : {t}', "but got 'tensor<2xf32>' vs 'tensor<2xi64>'"),
                ("return %0, %0 : {t}, {t}", "has 2 operands, but enclosing function"),
                ("what", "custom op 'what' is unknown")):
            answer = self.worker.program(module([t], [t], changed.format(t=t)))
            self.assertEqual(answer.pop("status"), "invalid", answer)
            self.assertIn(reason, answer["message"])

    def test_what_the_interpreter_does_not_have(self):
        t = "tensor<2xf32>"
        for op, reason in (
                ('"stablehlo.custom_call"(%0) {call_target_name = "f"}',
                 "Unsupported op: stablehlo.custom_call"),
                ('"stablehlo.rsqrt2"(%0)',
                 "unregistered operation 'stablehlo.rsqrt2' found in dialect ('stablehlo') that "
                 "does not allow unknown operations")):
            self.expect_failure(f"%1 = {op} : ({t}) -> {t} return %1 : {t}", "unsupported", reason)
        self.expect_failure(
            "%z = stablehlo.constant dense<0.0> : tensor<f32> "
            "%s = stablehlo.constant dense<2> : tensor<1xi64> "
            "%1 = stablehlo.rng %z, %z, %s, distribution = UNIFORM "
            f": (tensor<f32>, tensor<f32>, tensor<1xi64>) -> {t} return %1 : {t}",
            "unsupported", "Operation stablehlo.rng is unsupported at the moment")
        t = "tensor<2xtf32>"
        self.expect_failure(f"%1 = stablehlo.reverse %0, dims = [0] : {t} return %1 : {t}",
                            "unsupported", f"no {t}", "tf32")

    def test_quantized_types_are_lowered(self):
        t, q = "tensor<2xf32>", "tensor<2x!quant.uniform<i8:f32, 0.5>>"
        body = (f"%q = stablehlo.uniform_quantize %0 : ({t}) -> {q} %x = {{op}} : {q} "
                f"%y = stablehlo.uniform_dequantize %x : ({q}) -> {t} return %y : {t}")
        self.assertEqual(self.compute(body.format(op="stablehlo.add %q, %q"),
                                      [("f32", [1.3, -200.0])], [("f32", 2)]), [[3.0, -64.0]])
        self.expect_failure(body.format(op="stablehlo.reverse %q, dims = [0]"), "unsupported",
                            "failed to legalize operation 'stablehlo.reverse' that was explicitly "
                            "marked illegal")

    def test_a_lowering_verifies_the_functions(self):
        q, c = "tensor<!quant.uniform<i8:f32, 0.5>>", "tensor<complex<f32>>"
        more = " ".join(f"func.func @f{i}() {{ return }}" for i in range(10))
        text = module(["tensor<f32>"], [c + ' {jax.result_info = "x"}'],
                      f"%q = stablehlo.uniform_quantize %0 : (tensor<f32>) -> {q} "
                      f"%y = stablehlo.uniform_dequantize %q : ({q}) -> tensor<f32> "
                      f"%z = stablehlo.complex %y, %0 : {c} return %z : {c}", more=more)
        operand, result = (self.worker.tensor(element, [], values) for element, values in
                           (("f32", [1.25]), ("complex<f32>", None)))
        answer = self.worker.program(text, [operand], [result])
        self.assertEqual(answer.pop("status"), "ok", answer)
        self.assertEqual(self.worker.values(result), [1 + 1.25j])

    def test_operands_of_another_type(self):
        text = module(["tensor<2xf32>"], ["tensor<2xf32>"], "return %0 : tensor<2xf32>")
        operand, result = self.worker.tensor("f32", [2]), self.worker.tensor("f32", [2])
        other, longer = self.worker.tensor("i32", [2]), self.worker.tensor("f32", [3])
        for inputs, output, reason in (
                ([], result, "incorrect number of arguments specified, provided 0 inputs but "
                             "function expected 1"),
                ([other], result, "invalid input argument type at index 0, input type was "
                                  "'tensor<2xi32>' but entry function expected 'tensor<2xf32>'"),
                ([operand], longer, "a result of shape (2,), not (3,)")):
            self.assertEqual(self.worker.program(text, inputs, [output]),
                             {"status": "error", "message": f"ValueError: {reason}"})

    def test_what_ends_the_interpreter(self):
        t = "tensor<2xi32>"
        self.expect_failure(f"%z = stablehlo.constant dense<0> : {t} %1 = stablehlo.divide %0, %z : {t} "
                            f"return %1 : {t}",
                            "crash", "SIGFPE", "i32")
        self.assertEqual(self.compute(f"%1 = stablehlo.add %0, %0 : {t} return %1 : {t}",
                                      [("i32", [1, -2])], [("i32", 2)]), [[2, -4]], "it lives on")
        self.expect_end(self.worker)

    def test_a_program_that_takes_too_much_memory(self):
        worker = self.start("stablehlo_worker.py", limit=1 << 28)
        big = f"tensor<{1 << 28}xf64>"
        text = module(["tensor<f64>"], ["tensor<f64>"],
                      f"%b = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> {big} "
                      "return %0 : tensor<f64>")
        operand, result = worker.tensor("f64", [], [1]), worker.tensor("f64", [])
        answer = worker.program(text, [operand], [result])
        self.assertEqual(answer.pop("status"), "memory", answer)

    def test_programs_that_are_not_run(self):
        def verify(type, body):
            return self.worker.program(module([type], [type], body), [], [])["status"]

        for type in ("tensor<?xf32>", "tensor<2x!quant.uniform<i8:f32, 0.5>>", "!stablehlo.token",
                     "tuple<tensor<2xf32>>"):
            self.assertEqual(verify(type, f"return %0 : {type}"), "ok")
        quantized = "tensor<2x!quant.uniform<i8:f32, 0.5>>"
        self.assertEqual(verify(quantized, f"%1 = stablehlo.cosine %0 : {quantized} "
                                           f"return %1 : {quantized}"), "ok")
        self.assertEqual(verify("tensor<?xf32>", "return"), "invalid")

    def test_programs_are_verified_alone(self):
        worker = self.start("stablehlo_worker.py", options={"execute": "no"})
        operand, result = worker.tensor("f32", [2], [1, 2]), worker.tensor("f32", [2])
        t = operand["type"]
        self.assertEqual(
            worker.program(module([t], [t], f"return %0 : {t}"), [operand], [result]),
            {"status": "unsupported", "message": "it is valid, and execute=no"})
        self.assertEqual(worker.program(module([t], [t], "return"), [], [])["status"], "invalid")

    def test_what_is_made_of_last_words(self):
        for how, words, expected in (
                ("SIGFPE", "", "Crash: SIGFPE"),
                ("SIGSEGV", "noise\nmore noise\n", "Crash: SIGSEGV: more noise"),
                ("SIGABRT", "LLVM ERROR: out of memory\nAllocation failed\n",
                 "MemoryError: out of memory"),
                ("SIGABRT", "LLVM ERROR: all_reduce is only supported when run via run_parallel\n",
                 "Unsupported: all_reduce is only supported when run via run_parallel"),
                ("SIGABRT", "LLVM ERROR: rem(complex, complex) is not implemented\n",
                 "Unsupported: rem(complex, complex) is not implemented"),
                ("SIGABRT", "LLVM ERROR: rendezvous timed out\n",
                 "Crash: SIGABRT: rendezvous timed out"),
                ("SIGABRT", 'LLVM ERROR: Unsupported op: %0:2 = "a.b"(%1) {x = true}: () -> i32\n',
                 "Unsupported: Unsupported op: a.b"),
                ("SIGABRT", 'LLVM ERROR: Unsupported op: "a.b"(%1) : () -> ()\n',
                 "Unsupported: Unsupported op: a.b")):
            program = ("import stablehlo_worker\n"
                       f"death = stablehlo_worker.explain_death({how!r}, {words!r})\n"
                       "print(f'{type(death).__name__}: {death}')")
            done = subprocess.run([sys.executable, "-c", program], cwd=FOLDER, check=True,
                                  capture_output=True, text=True)
            self.assertEqual(done.stderr.strip(), expected)

    def test_a_program_is_compiled_once(self):
        t = "tensor<1xi8>"
        lines = "".join(f"%{i + 1} = stablehlo.not %{i} : {t} " for i in range(5000))
        operand, result = self.worker.tensor("i8", [1], [42]), self.worker.tensor("i8", [1])
        text = module([t], [t], lines + f"return %5000 : {t}")
        first, second = (self.worker.program(text, [operand], [result])["seconds"]["compile"]
                         for _ in range(2))
        self.assertLess(second, first / 10)
        self.assertEqual(self.worker.values(result), [42])


class ReadmeTest(WorkerTest):
    def test_the_example(self):
        text = (FOLDER / "README.md").read_text()
        worker = self.start(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[1])
        operand, result = worker.tensor("f32", [2], [1.5, -2]), worker.tensor("f32", [2])
        t = operand["type"]
        body = f"%1 = stablehlo.add %0, %0 : {t} return %1 : {t}"
        for _ in range(2):
            answer = worker.program(module([t], [t], body), [operand], [result])
            self.assertEqual(answer.pop("status"), "ok", answer)
            self.assertEqual(worker.values(result), [3, -4])
        self.assertEqual(worker.program(module([t], [t], "return"))["status"], "invalid")
        self.expect_end(worker)


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)
    unittest.main()
