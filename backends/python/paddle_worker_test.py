#!/usr/bin/python3
"""Tests that the backend python:paddle hands Paddle the operands as they lie, and corrects nothing.

It runs by the first Python that has Paddle: its own, or that of build/venv/paddle (`tools/dev backend paddle`). The exit code
is 0 if it passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import importlib.util
import itertools
import math
import os
import sys
import unittest

import driver
from driver import FOLDER, WorkerTest

if not importlib.util.find_spec("paddle"):
    python = FOLDER.parent.parent / "build/venv/paddle/bin/python"
    if python.exists() and sys.executable != str(python):
        os.execv(python, [python, *sys.argv])
    print("skipped: there is no Paddle (tools/dev backend paddle)")
    sys.exit(77)

SHIFTED = ("i8", "i16", "i32", "i64", "ui8")  # the types that Paddle shifts


def shifted(element, side, is_arithmetic, x, y):
    """Returns a shift by the text of the design document, of numbers without bounds."""
    width, is_signed = int(element.strip("ui")), element.startswith("i")
    over = y < 0 or y >= width
    if side == "left":
        bits = 0 if over else x << y
    elif is_arithmetic and is_signed:
        bits = x >> (width if over else y)
    else:
        bits = 0 if over else x % (1 << width) >> y
    bits %= 1 << width
    return bits - (1 << width) if is_signed and bits >> (width - 1) else bits


class PaddleTest(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.start("paddle_worker.py")

    def ask(self, op, element, operands, shape, result=None, attributes=(), **more):
        """Returns the answer to a call, and its output. Operands are (shape, values), or (shape, values, strides)."""
        inputs = [operand if isinstance(operand, dict) else self.worker.tensor(element, *operand) for operand in operands]
        output = self.worker.tensor(result or element, shape)
        return self.worker.call(op, inputs, [output], attributes, **more), output

    def compute(self, *arguments, **more):
        answer, output = self.ask(*arguments, **more)
        self.assertEqual(answer, {"status": "ok"}, arguments)
        return self.worker.values(output)

    def vectors(self, op, element, *operands, result=None, attributes=()):
        operands = [([len(values)], values) for values in operands]
        return self.compute(op, element, operands, operands[0][0], result, attributes)

    def test_it_says_which_paddle(self):
        self.assertEqual(self.hello["hello"]["version"], importlib.metadata.version("paddlepaddle"))
        self.expect_end(self.worker)

    def test_shifts(self):
        for element, side in itertools.product(SHIFTED, ("left", "right")):
            width, is_signed = int(element.strip("ui")), element.startswith("i")
            least = -(1 << (width - 1)) if is_signed else 0
            most = (1 << (width - is_signed)) - 1
            values = [least, least + 1, 0, 1, 2, 100, most - 1, most] + ([-1, -2, -100] if is_signed else [])
            counts = [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, width - 1, width, most] + ([-1, -width, least] if is_signed else [])
            pairs = [(x, y) for x in values for y in counts if least <= y <= most]
            xs, ys = map(list, zip(*pairs))
            for attribute in (None, "true", "false"):
                attributes = {} if attribute is None else {"is_arithmetic": attribute}
                expected = [shifted(element, side, attribute != "false", x, y) for x, y in pairs]
                op = f"paddle.bitwise_{side}_shift"
                self.assertEqual(self.vectors(op, element, xs, ys, attributes=attributes), expected, (op, element, attribute))
                in_place, count = self.worker.tensor(element, [len(xs)], xs), self.worker.tensor(element, [len(ys)], ys)
                self.assertEqual(self.worker.call(op, [in_place, count], [in_place], attributes), {"status": "ok"})
                self.assertEqual(self.worker.values(in_place), expected, (op, element, attribute, "in place"))
            if side == "right":
                self.assertEqual(self.vectors("shift_right_logical", element, xs, ys), expected)

    def test_shifts_broadcast(self):
        x, y = ([2, 1, 3], [1, 2, 3, -4, 5, 6]), ([4, 1], [0, 1, 2, 40])
        expected = [shifted("i16", "left", True, v, c) for row in (x[1][:3], x[1][3:]) for c in y[1] for v in row]
        self.assertEqual(self.compute("paddle.bitwise_left_shift", "i16", [x, y], [2, 4, 3]), expected)
        self.assertEqual(self.compute("paddle.bitwise_right_shift", "i16", [([], [-64]), ([3], [1, 2, 99])], [3]), [-32, -16, -1])
        self.assertEqual(self.compute("paddle.bitwise_right_shift", "i16", [([0, 1], []), ([2], [1, 2])], [0, 2]), [])
        for strides in ([3, 1], [1, 2], [-3, -1], [0, 1], [7, -2]):
            values = [1, -2, 3] * 2
            x = self.worker.tensor("i8", [2, 3], values, strides)
            self.assertEqual(self.compute("paddle.bitwise_left_shift", "i8", [x, ([], [2])], [2, 3]),
                             [4, -8, 12] * 2, strides)

    def test_functions(self):
        p, q = [True, True, False, False], [True, False, True, False]
        for op, element, operands, expected in (
                ("add", "i32", ([1, 2], [3, 4]), [4, 6]), ("subtract", "i32", ([1, 2], [3, 4]), [-2, -2]),
                ("multiply", "i32", ([1, 2], [3, -4]), [3, -8]), ("divide", "i32", ([7, -7], [2, 2]), [3, -3]),
                ("divide", "f32", ([7.0], [2.0]), [3.5]), ("power", "f64", ([2.0], [3.0]), [8.0]),
                ("maximum", "f32", ([1.0, 2.0], [3.0, -4.0]), [3, 2]), ("minimum", "i64", ([1, 2], [3, -4]), [1, -4]),
                ("and", "i1", (p, q), [1, 0, 0, 0]), ("or", "i8", ([12], [10]), [14]), ("xor", "ui8", ([12], [10]), [6]),
                ("not", "i16", ([0, -1],), [-1, 0]), ("negate", "f32", ([1.0, -2.0],), [-1, 2]),
                ("abs", "f32", ([-1.5],), [1.5]), ("sign", "f64", ([-3.0, 2.0],), [-1, 1]), ("ceil", "f32", ([1.2],), [2]),
                ("floor", "f32", ([-1.2],), [-2]), ("round_nearest_even", "f32", ([0.5, 1.5, 2.5],), [0, 2, 2]),
                ("sqrt", "f32", ([4.0],), [2]), ("rsqrt", "f32", ([4.0],), [0.5]), ("exponential", "f32", ([0.0],), [1]),
                ("exponential_minus_one", "f32", ([0.0],), [0]), ("log", "f64", ([1.0],), [0]),
                ("log_plus_one", "f64", ([0.0],), [0]), ("logistic", "f32", ([0.0],), [0.5]), ("sine", "f32", ([0.0],), [0]),
                ("cosine", "f32", ([0.0],), [1]), ("tan", "f32", ([0.0],), [0]), ("tanh", "f32", ([0.0],), [0]),
                ("atan2", "f64", ([0.0], [1.0]), [0]), ("shift_left", "i8", ([3], [2]), [12]),
                ("shift_right_arithmetic", "i8", ([-8], [1]), [-4]), ("shift_right_logical", "i8", ([-8], [1]), [124])):
            self.assertEqual(self.vectors(op, element, *operands), expected, (op, element))
        self.assertEqual(self.vectors("is_finite", "f32", [1.0, math.inf], result="i1"), [1, 0])
        self.assertEqual(self.vectors("complex", "f32", [1.0], [2.0], result="complex<f32>"), [1 + 2j])
        for op, part in (("real", 1), ("imag", 2)):
            self.assertEqual(self.vectors(op, "complex<f32>", [1 + 2j], result="f32"), [part])
        pred = self.worker.tensor("i1", [2], [1, 0])
        self.assertEqual(self.compute("select", "f32", [pred, ([2], [1, 2]), ([2], [3, 4])], [2]), [1, 4])
        self.assertEqual(self.compute("clamp", "i32", [([], [2]), ([3], [1, 3, 9]), ([], [5])], [3]), [2, 3, 5])
        self.assertEqual(self.compute("clamp", "i32", [([2], [2, 4]), ([2], [3, 3]), ([2], [5, 5])], [2]), [3, 4])
        self.assertEqual(self.vectors("convert", "f32", [2.5, -1.0], result="i64"), [2, -1])
        for direction, expected in (("EQ", [0, 1, 0]), ("NE", [1, 0, 1]), ("GE", [0, 1, 1]), ("GT", [0, 0, 1]),
                                    ("LE", [1, 1, 0]), ("LT", [1, 0, 0])):
            attributes = {"comparison_direction": direction, "compare_type": "SIGNED"}
            self.assertEqual(self.vectors("compare", "i32", [1, 2, 3], [2, 2, 2], result="i1", attributes=attributes), expected)

    def test_movement(self):
        six = ([2, 3], [1, 2, 3, 4, 5, 6])
        for op, operands, shape, attributes, expected in (
                ("transpose", [six], [3, 2], {"permutation": [1, 0]}, [1, 4, 2, 5, 3, 6]),
                ("reshape", [six], [3, 2], {}, [1, 2, 3, 4, 5, 6]), ("reverse", [six], [2, 3], {"dimensions": [1]}, [3, 2, 1, 6, 5, 4]),
                ("slice", [six], [1, 2], {"start_indices": [1, 0], "limit_indices": [2, 3], "strides": [1, 2]}, [4, 6]),
                ("broadcast_in_dim", [([2], [1, 2])], [2, 2], {"broadcast_dimensions": [0]}, [1, 1, 2, 2]),
                ("broadcast_in_dim", [six], [3, 2], {"broadcast_dimensions": [1, 0]}, [1, 4, 2, 5, 3, 6]),
                ("concatenate", [([1], [1]), ([0], []), ([2], [2, 3])], [3], {"dimension": 0}, [1, 2, 3]),
                ("pad", [([2], [1, 2]), ([], [9])], [5],
                 {"edge_padding_low": [1], "edge_padding_high": [2], "interior_padding": [0]}, [9, 1, 2, 9, 9]),
                ("iota", [], [2, 2], {"iota_dimension": 1}, [0, 1, 0, 1])):
            texts = {name: str(value) for name, value in attributes.items()}
            more = {"groups": [len(operands)]} if op == "concatenate" else {}
            for element in ("i32", "f32"):
                self.assertEqual(self.compute(op, element, operands, shape, attributes=texts, **more), expected, (op, element))
        self.assertEqual(self.compute("constant", "f64", [], [2], attributes={"value": self.worker.tensor("f64", [2], [1.5, -0.0])}),
                         [1.5, -0.0])
        self.assertEqual(self.vectors("bitcast_convert", "f32", [1.0], result="i32"), [0x3F800000])
        for element in ("bf16", "f8E4M3FN", "f8E5M2"):  # bits that NumPy has no type for
            self.assertEqual(self.compute("transpose", element, [([2, 2], [1, 2, 3, 4])], [2, 2],
                                          attributes={"permutation": "[1, 0]"}), [1, 3, 2, 4], element)

    def test_sums_products_and_windows(self):
        six = ([2, 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        body = {"regions": ["func"]}
        for monoid, expected in (("add", [16, 25]), ("multiply", [60, 1200]), ("maximum", [10, 10]), ("minimum", [1, 4])):
            self.assertEqual(self.compute("reduce", "f32", [six, ([], [10.0])], [2], attributes={"dimensions": "[1]"},
                                          monoids=[monoid], **body), expected, monoid)
        attributes = {"window_dimensions": "[2]", "window_strides": "[1]", "base_dilations": "[1]", "window_dilations": "[1]",
                      "padding": "[1, 0]"}
        self.assertEqual(self.compute("reduce_window", "i64", [([3], [1, 2, 3]), ([], [0])], [3], attributes=attributes,
                                      monoids=["add"], **body), [1, 3, 5])
        attributes = {"lhs_batching_dimensions": "[]", "rhs_batching_dimensions": "[]", "lhs_contracting_dimensions": "[1]",
                      "rhs_contracting_dimensions": "[0]", "precision_config": "[DEFAULT, DEFAULT]"}
        self.assertEqual(self.compute("dot_general", "f32", [six, ([3, 1], [1.0, 0.0, 2.0])], [2, 1], attributes=attributes),
                         [7, 16])
        attributes = {"window_strides": "[1]", "padding": "[1, 0]", "lhs_dilation": "[1]", "rhs_dilation": "[1]",
                      "window_reversal": "[false]", "feature_group_count": "1", "batch_group_count": "1",
                      "input_spatial_dimensions": "[1]", "kernel_spatial_dimensions": "[0]", "output_spatial_dimensions": "[1]",
                      "input_batch_dimension": "0", "input_feature_dimension": "2", "kernel_input_feature_dimension": "1",
                      "kernel_output_feature_dimension": "2", "output_batch_dimension": "0", "output_feature_dimension": "2"}
        self.assertEqual(self.compute("convolution", "f32", [([1, 3, 1], [1.0, 2.0, 3.0]), ([2, 1, 1], [10.0, 1.0])], [1, 3, 1],
                                      attributes=attributes), [1, 12, 23])
        attributes = {"epsilon": "0.0", "feature_index": "1"}
        one, two = ([1], [2.0]), ([1], [4.0])
        self.assertEqual(self.compute("batch_norm_inference", "f32", [([2, 1], [1.0, 5.0]), one, one, one, two], [2, 1],
                                      attributes=attributes), [1, 5])
        comparator = ('"func.func"() ({\n^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):\n  %0 = "stablehlo.compare"(%arg0, %arg1) '
                      '<{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = '
                      '#stablehlo<comparison_direction GT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>\n  "func.return"(%0) :')
        self.assertEqual(self.compute("sort", "i64", [([3], [2, 9, 4])], [3], regions=[comparator],
                                      attributes={"dimension": "0", "is_stable": "true"}), [9, 4, 2])

    def test_layouts(self):
        values = list(range(24))
        for shape, strides in (([2, 3, 4], [12, 4, 1]), ([2, 3, 4], [1, 2, 6]), ([2, 3, 4], [-12, -4, -1]), ([24], [3]),
                               ([24], [-5]), ([2, 3, 4], [40, -8, 2]), ([4, 1, 6], [6, 99, 1])):
            operand = self.worker.tensor("i32", shape, values, strides)
            other = self.worker.tensor("i32", shape, values)
            result = self.worker.tensor("i32", shape, strides=[-stride for stride in strides])
            expect = bytearray(self.worker.memory)
            self.assertEqual(self.worker.call("add", [operand, other], [result]), {"status": "ok"})
            self.assertEqual(self.worker.values(result), [2 * value for value in values], strides)
            for at in driver.offsets(result):
                expect[at : at + 4] = self.worker.memory[at : at + 4]
            expect[:8] = self.worker.memory[:8]
            self.assertTrue(expect == self.worker.memory[:], "only elements are written")

    def test_given_outputs(self):
        self.worker = self.start("paddle_worker.py", options={"out": "given"})
        self.assertEqual(self.vectors("add", "i32", [1, 2], [3, 4]), [4, 6])
        answer, _ = self.ask("tan", "f32", [([1], [0.0])], [1])
        self.assertEqual(answer, {"status": "unsupported", "message": "paddle.tan has no out"})
        answer, _ = self.ask("reshape", "f32", [([1], [0.0])], [1])
        self.assertEqual(answer["status"], "unsupported")
        answer = self.process("paddle_worker.py").hello(options={"out": "taken"})
        self.assertEqual(answer, {"error": "out is given or returned, not 'taken'"})

    def test_what_paddle_does_otherwise_is_not_mended(self):
        self.assertEqual(self.vectors("remainder", "i32", [-7, 7], [2, -2]), [1, -1], "the sign of the divisor")
        answer, _ = self.ask("divide", "i32", [([1], [1]), ([1], [0])], [1])
        self.assertEqual(answer["status"], "error")
        self.assertIn("Integer division by zero", answer["message"])

    def test_what_paddle_does_not_have_is_declined(self):
        for op, element, attributes, reason in (
                ("popcnt", "i8", {}, "has no such function"), ("add", "ui16", {}, "has no ui16"), ("add", "i4", {}, "has no i4"),
                ("add", "bf16", {}, "has no add of bfloat16"), ("shift_left", "i1", {}, "has no bitwise_left_shift of bool"),
                ("add", "i32", {"axis": "1"}, "axis is not known"),
                ("compare", "f32", {"comparison_direction": "EQ", "compare_type": "TOTALORDER"}, "no total order")):
            operands = [([1], [1])] * (1 if op == "popcnt" else 2)
            answer, _ = self.ask(op, element, operands, [1], "i1" if op == "compare" else None, attributes)
            self.assertEqual(answer["status"], "unsupported", (op, element, answer))
            self.assertIn(reason, answer["message"])


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
