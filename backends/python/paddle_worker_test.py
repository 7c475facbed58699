#!/usr/bin/python3
"""Tests that the backend python:paddle hands Paddle the operands as they lie, and corrects nothing.

It runs by the first Python that has Paddle: its own, or that of build/venv/paddle (`tools/dev backend paddle`). The exit code
is 0 if it passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import itertools
import unittest

import library_test_support as support

support.enter("paddle", "Paddle", "paddle")

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


class PaddleTest(support.LibraryTest):
    script = "paddle_worker.py"
    lacks = {"round_nearest_afz", "popcnt", "count_leading_zeros", "cbrt", ("add", "f16"), ("shift_right_logical", "ui16")}

    def test_it_says_which_paddle(self):
        self.worker = self.start(self.script)
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

    def test_batches_and_their_statistics(self):
        attributes = {"epsilon": "0.0", "feature_index": "1"}
        one, two = ([1], [2.0]), ([1], [4.0])
        self.assertEqual(self.compute("batch_norm_inference", "f32", [([2, 1], [1.0, 5.0]), one, one, one, two], [2, 1],
                                      attributes=attributes), [1, 5])
        outputs = [self.worker.tensor("f32", shape) for shape in ([2, 1], [1], [1])]
        inputs = [self.worker.tensor("f32", *operand) for operand in (([2, 1], [1.0, 5.0]), one, ([1], [1.0]))]
        self.assertEqual(self.worker.call("batch_norm_training", inputs, outputs, attributes), {"status": "ok"})
        self.assertEqual([self.worker.values(output) for output in outputs], [[-1, 3], [3], [4]])

    def test_bounds_that_are_tensors(self):
        self.assertEqual(self.compute("clamp", "i32", [([2], [2, 4]), ([2], [3, 3]), ([2], [5, 5])], [2]), [3, 4])

    def test_given_outputs(self):
        self.worker = self.start(self.script, options={"out": "given"})
        self.assertEqual(self.vectors("add", "i32", [1, 2], [3, 4]), [4, 6])
        answer, _ = self.ask("tan", "f32", [([1], [0.0])], [1])
        self.assertEqual(answer, {"status": "unsupported", "message": "paddle.tan has no out"})
        self.expect_declined("reshape", "f32", [([1], [0.0])], [1], "are given the output")
        self.expect_refused("out is given or returned, not 'taken'", out="taken")

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
        one = ([1], [1.0])
        self.expect_declined("batch_norm_inference", "f32", [([1] * 6, [1.0]), one, one, one, one], [1] * 6, "must smaller than or equal to 5",
                             attributes={"epsilon": "0.5", "feature_index": "1"})
        self.expect_declined("abs", "f32", [([1] * 10, [1.0])], [1] * 10, "only supports access to dimension 0 to 9")


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
