#!/usr/bin/python3
"""Tests that the backend python:flaggems hands FlagGems the calls as they are made, and corrects nothing.

It runs by the first Python that has FlagGems: its own, or that of build/venv/flaggems (`tools/dev backend flaggems`), and takes
Triton's interpreter for a GPU. The exit code is 0 if it passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest

from driver import FOLDER, WorkerTest

if not importlib.util.find_spec("flag_gems"):
    python = FOLDER.parent.parent / "build/venv/flaggems/bin/python"
    if python.exists() and sys.executable != str(python):
        os.execv(python, [python, *sys.argv])
    print("skipped: there is no FlagGems (tools/dev backend flaggems)")
    sys.exit(77)

SPEC = FOLDER.parent.parent / "spec"


class FlagGemsTest(WorkerTest):
    def setUp(self):
        super().setUp()
        os.environ["TRITON_INTERPRET"] = "1"
        self.worker = self.start("flaggems_worker.py")

    def ask(self, op, operands, result, method="DEFAULT", attributes=()):
        """Returns the answer to a call, and its output. Operands are (element, shape, values), with `scalar` behind a scalar."""
        inputs = [operand if isinstance(operand, dict) else
                  {**self.worker.tensor(*operand[:3]), **({"scalar": True} if len(operand) > 3 else {})} for operand in operands]
        output = result if isinstance(result, dict) else self.worker.tensor(*result)
        promotion = json.dumps([[*range(len(operands)), method]])
        return self.worker.call("pointwise." + op, inputs, [output], {"promotion_methods": promotion, **dict(attributes)}), output

    def compute(self, *arguments, **more):
        answer, output = self.ask(*arguments, **more)
        self.assertEqual(answer, {"status": "ok"}, arguments)
        return self.worker.values(output)

    def test_it_says_which_flag_gems(self):
        self.assertEqual(self.hello["hello"]["version"], importlib.metadata.version("flag_gems"))
        self.expect_end(self.worker)

    def test_it_refuses_to_start_without_a_gpu(self):
        del os.environ["TRITON_INTERPRET"]
        answer = self.process("flaggems_worker.py").hello()
        if "error" in answer:
            self.assertEqual(answer, {"error": "FlagGems needs a GPU, and PyTorch sees none; TRITON_INTERPRET=1 runs its kernels in "
                                               "Triton's interpreter"})

    def test_functions(self):
        for op, element, operands, expected in (
                ("add", "f32", ([1, 2], [3, 4]), [4, 6]), ("subtract", "i32", ([1, 2], [3, 5]), [-2, -3]),
                ("multiply", "i64", ([2, 3], [4, -5]), [8, -15]), ("maximum", "f32", ([1, 4], [3, 2]), [3, 4]),
                ("minimum", "i32", ([1, 4], [3, 2]), [1, 2]), ("and", "i8", ([12, 7], [10, 8]), [8, 0]),
                ("or", "i16", ([12, 7], [10, 8]), [14, 15]), ("not", "ui8", ([1, 255],), [254, 0]), ("negate", "f64", ([1, -2],), [-1, 2]),
                ("divide", "i32", ([7, -7], [2, 2]), [3, -3]), ("ceil", "f32", ([1.5, -1.5],), [2, -1]),
                ("floor", "f32", ([1.5, -1.5],), [1, -2]), ("round_nearest_even", "f32", ([0.5, 1.5],), [0, 2]),
                ("xor", "i1", ([1, 0], [1, 1]), [0, 1]), ("clamp", "f32", ([2, 2], [1, 9], [5, 5]), [2, 5])):
            self.assertEqual(self.compute(op, [(element, [2], values) for values in operands], (element, [2])), expected, op)
        for op, values, expected in (("sqrt", [4.0, 9.0], [2, 3]), ("rsqrt", [4.0, 16.0], [0.5, 0.25]), ("exponential", [0.0, 0.0], [1, 1]),
                                     ("log", [1.0, 1.0], [0, 0]), ("sine", [0.0, 0.0], [0, 0]), ("cosine", [0.0, 0.0], [1, 1])):
            self.assertEqual(self.compute(op, [("f32", [2], values)], ("f32", [2]), "INT_TO_FLOAT"), expected, op)
        attributes = {"comparison_direction": "LT", "compare_type": "SIGNED"}
        self.assertEqual(self.compute("compare", [("i32", [2], [1, 3]), ("i32", [2], [2, 2])], ("i1", [2]), "ALWAYS_BOOL", attributes),
                         [1, 0])
        self.assertEqual(self.compute("add_func", [("f32", [2], [1, 2]), ("f32", [2], [3, 4]), ("f64", [], [0.5], True)], ("f32", [2])),
                         [2.5, 4])
        self.assertEqual(self.compute("copy_func", [("f32", [2], [1, 2])], ("f32", [2])), [1, 2])

    def test_quotients(self):
        for element, x, y, expected in (("i32", -7, 2, -3), ("f32", -7, 2, -3.5), ("complex<f32>", -7 + 0j, 2 + 0j, -3.5)):
            operands = [(element, [1], [value]) for value in (x, y)]
            self.assertEqual(self.compute("divide", operands, (element, [1])), [expected], element)

    def test_several_outputs(self):
        inputs = [self.worker.tensor("f32", [2], values) for values in ([2, 3], [0, 0])]
        outputs = [self.worker.tensor("f32", [2]) for _ in range(2)]
        promotion = json.dumps([[0, 1, "INT_TO_FLOAT"]] * 2)
        self.assertEqual(self.worker.call("pointwise.polar", inputs, outputs, {"promotion_methods": promotion}), {"status": "ok"})
        self.assertEqual([self.worker.values(output) for output in outputs], [[2, 3], [0, 0]])

    def test_broadcast_scalars_and_types(self):
        column, row = ("f32", [2, 1], [10, 20]), ("f32", [3], [1, 2, 3])
        self.assertEqual(self.compute("add", [column, row], ("f32", [2, 3])), [11, 12, 13, 21, 22, 23])
        self.assertEqual(self.compute("subtract", [("i32", [], [5], True), ("i32", [2], [1, 2])], ("i32", [2])), [4, 3])
        self.assertEqual(self.compute("multiply", [("i32", [2], [1, 2]), ("i32", [], [5], True)], ("i32", [2])), [5, 10])
        self.assertEqual(self.compute("add", [("i32", [2], [1, 2]), ("f32", [2], [0.5, 0.5])], ("f32", [2])), [1.5, 2.5])
        self.assertEqual(self.compute("add", [("i8", [0, 3], []), ("i8", [1, 3], [1, 2, 3])], ("i8", [0, 3])), [])

    def test_layouts_and_calls_in_place(self):
        for strides in ([3, 1], [1, 2], [-3, -1], [0, 1], [7, 2], [-7, 2]):
            operand = self.worker.tensor("f32", [2, 3], [1, 2, 3] * 2, strides)
            result = self.worker.tensor("f32", [2, 3], strides=[1, 5])
            self.assertEqual(self.compute("add", [operand, ("f32", [], [1])], result), [2, 3, 4] * 2, strides)
        for strides in ([3, 1], [1, 2], [-3, -1]):
            x = self.worker.tensor("i32", [2, 3], [1, 2, 3, 4, 5, 6], strides)
            self.assertEqual(self.compute("add", [x, ("i32", [3], [10, 20, 30])], x), [11, 22, 33, 14, 25, 36], strides)

    def test_what_flag_gems_does_otherwise_is_not_mended(self):
        answer, _ = self.ask("minimum", [("i32", [1], [1]), ("f32", [1], [0.5])], ("f32", [1]))
        self.assertEqual(answer, {"status": "error", "message": "ValueError: a result of type torch.int32 and shape [1]"})
        answer, _ = self.ask("shift_left", [("i32", [1], [1]), ("i32", [1], [3])], ("i32", [1]))
        self.assertEqual(answer["status"], "error")

    def test_what_flag_gems_does_not_have_is_declined(self):
        one, half, number = ("i32", [1], [1]), ("f32", [1], [0.5]), ("f32", [], [2], True)
        for op, operands, method, reason in (
                ("popcnt", [one], "DEFAULT", "has no pointwise.popcnt"), ("not", [("ui16", [1], [1])], "DEFAULT", "has no ui16"),
                ("sine", [half], "DEFAULT", "does not promote by DEFAULT"), ("atan2", [half, half], "INT_TO_FLOAT", "InterpreterError"),
                ("remainder", [half, half], "DEFAULT", "the sign of the divisor alone"),
                ("polar", [one, one], "INT_TO_FLOAT", "of floats alone"), ("polar", [half, number], "INT_TO_FLOAT", "no scalar there"),
                ("maximum", [one, number], "DEFAULT", "no scalar there"), ("xor", [("i1", [1], [1]), ("i1", [], [1], True)], "DEFAULT",
                                                                          "no scalar there"),
                ("select", [("i1", [], [1], True), half, half], "NO_OPMATH", "no scalar there")):
            answer, _ = self.ask(op, operands, (operands[0][0], [1]), method)
            self.assertEqual(answer["status"], "unsupported", (op, answer))
            self.assertIn(reason, answer["message"])

    def test_its_ops_and_functions_exist(self):
        program = ("import json, sys, flaggems_worker as worker\n"
                   "[worker.find(name) for names in worker.FUNCTIONS.values() for name in names.split()]\n"
                   "json.dump([*worker.FUNCTIONS, *worker.ADAPTERS], sys.stderr)")
        listed = subprocess.run([sys.executable, "-c", program], cwd=FOLDER, check=True, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL)
        functions = json.loads((SPEC / "pointwise/pointwise.json").read_text())["functions"]
        known = {path.stem for path in (SPEC / "ops").glob("*.json")} | set(functions)
        names = {re.sub(r"^pointwise\.", "", op) for op in json.loads(listed.stderr.splitlines()[-1])}
        self.assertEqual(names - known, set())


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
