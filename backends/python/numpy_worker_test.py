#!/usr/bin/python3
"""Tests that the backend python:numpy passes NumPy the operands as they lie, and corrects nothing.

The exit code is 0 if it passed, 1 if it failed, and 77 if NumPy is not installed (skipped).
"""

import cmath
import faulthandler
import importlib.util
import json
import math
import operator
import subprocess
import sys
import unittest

import driver
from driver import FOLDER, WorkerTest

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: NumPy cannot be imported ({missing})")
    sys.exit(77)

SPEC = FOLDER.parent.parent / "spec/ops"
TYPES = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")


class NumpyTest(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.start("numpy_worker.py")

    def compute(self, op, element, *operands, result=None, attributes=()):
        """Returns the result of an op on vectors. Operands are values, or (element, values)."""
        typed = [operand if isinstance(operand, tuple) else (element, operand)
                 for operand in operands]
        inputs = [self.worker.tensor(kind, [len(values)], values) for kind, values in typed]
        output = self.worker.tensor(result or element, [len(typed[0][1])])
        self.assertEqual(self.worker.call(op, inputs, [output], attributes), {"status": "ok"}, op)
        return self.worker.values(output)

    def test_it_says_which_numpy(self):
        self.assertEqual(self.hello["hello"]["version"], np.__version__)
        self.expect_end(self.worker)

    def test_every_op(self):
        for element in TYPES:
            x, y = [7, 100, 1, 64], [2, 3, 1, 9]
            for op, expected in (
                    ("add", [9, 103, 2, 73]), ("subtract", [5, 97, 0, 55]), ("and", [2, 0, 1, 0]),
                    ("or", [7, 103, 1, 73]), ("xor", [5, 103, 0, 73]), ("divide", [3, 33, 1, 7]),
                    ("remainder", [1, 1, 0, 1]), ("maximum", x), ("minimum", y)):
                self.assertEqual(self.compute(op, element, x, y), expected, (op, element))
            small = [1, 2, 3, 5]
            for op, expected in (
                    ("multiply", [3, 4, 3, 0]), ("power", [1, 4, 3, 1]),
                    ("shift_left", [8, 8, 6, 5]),
                    ("shift_right_arithmetic", [0, 0, 1, 5]),
                    ("shift_right_logical", [0, 0, 1, 5])):
                self.assertEqual(self.compute(op, element, small, [3, 2, 1, 0]), expected,
                                 (op, element))
            for side, expected in (("left", [8, 8, 6, 5]), ("right", [0, 0, 1, 5])):
                for attributes in ({}, {"is_arithmetic": "true"}, {"is_arithmetic": "false"}):
                    self.assertEqual(self.compute(f"paddle.bitwise_{side}_shift", element, small,
                                                  [3, 2, 1, 0], attributes=attributes), expected)
            self.assertEqual(self.compute("clamp", element, [2, 2], [1, 9], [5, 5]), [2, 5])
            pred = ("i1", [1, 0, 1])
            self.assertEqual(self.compute("select", element, pred, [1, 2, 3], [7, 8, 9]), [1, 8, 3])
            unsigned = element.startswith("u")
            ones = (1 << int(element.strip("ui"))) - 1 if unsigned else -1
            self.assertEqual(self.compute("not", element, [0, ones]), [ones, 0])
            self.assertEqual(self.compute("negate", element, [1, 0]), [ones, 0])
            for direction in ("EQ", "NE", "GE", "GT", "LE", "LT"):
                attributes = {"comparison_direction": direction,
                              "compare_type": "UNSIGNED" if unsigned else "SIGNED"}
                self.assertEqual(
                    self.compute("compare", element, [1, 2, 3], [2, 2, 2], result="i1",
                                 attributes=attributes),
                    [getattr(operator, direction.lower())(value, 2) for value in (1, 2, 3)])
            if not unsigned:
                self.assertEqual(self.compute("abs", element, [-5, 0, 5]), [5, 0, 5])
                self.assertEqual(self.compute("sign", element, [-5, 0, 5]), [-1, 0, 1])

    def test_booleans(self):
        x, y = [0, 0, 1, 1], [0, 1, 0, 1]
        for op, expected in (("add", [0, 1, 1, 1]), ("or", [0, 1, 1, 1]), ("maximum", [0, 1, 1, 1]),
                             ("multiply", [0, 0, 0, 1]), ("and", [0, 0, 0, 1]),
                             ("minimum", [0, 0, 0, 1]), ("xor", [0, 1, 1, 0])):
            self.assertEqual(self.compute(op, "i1", x, y), expected, op)
        self.assertEqual(self.compute("not", "i1", [0, 1]), [1, 0])
        self.assertEqual(self.compute("select", "i1", x, y, [1, 1, 0, 0]), [1, 1, 0, 1])
        self.assertEqual(self.compute("clamp", "i1", [0, 1], [1, 0], [1, 1]), [1, 1])

    def test_convert(self):
        for source, target, values, expected in (
                ("i8", "i1", [0, -1, 2], [0, 1, 1]), ("i1", "i64", [0, 1], [0, 1]),
                ("i8", "i32", [-1, 127], [-1, 127]), ("i32", "ui8", [257, -1], [1, 255]),
                ("ui64", "i8", [128, 1], [-128, 1])):
            self.assertEqual(self.compute("convert", target, (source, values)), expected)

    def test_floats(self):
        nan, inf = math.nan, math.inf
        for element in ("f16", "f32", "f64"):
            x, y = [2.5, -2.5, 16, -0.0], [1, 2, -4, 0.0]
            for op, operands, expected in (
                    ("abs", [x], [2.5, 2.5, 16, 0]), ("ceil", [x], [3, -2, 16, -0.0]),
                    ("floor", [x], [2, -3, 16, -0.0]), ("negate", [x], [-2.5, 2.5, -16, 0.0]),
                    ("round_nearest_even", [x], [2, -2, 16, -0.0]), ("sign", [x], [1, -1, 1, 0]),
                    ("sqrt", [x], [2.5**0.5, nan, 4, -0.0]), ("real", [x], x),
                    ("imag", [x], [0, 0, 0, 0]), ("add", [x, y], [3.5, -0.5, 12, 0]),
                    ("subtract", [x, y], [1.5, -4.5, 20, -0.0]),
                    ("multiply", [x, y], [2.5, -5, -64, -0.0]),
                    ("divide", [x, y], [2.5, -1.25, -4, nan]),
                    ("remainder", [x, y], [0.5, -0.5, 0, nan]),
                    ("maximum", [x, y], [2.5, 2, 16, 0]), ("minimum", [x, y], [1, -2.5, -4, 0]),
                    ("maximum", [[nan, 1, 1, 1], [1, nan, 1, 1]], [nan, nan, 1, 1]),
                    ("clamp", [y, x, x], x)):
                with self.subTest(element=element, op=op):
                    for got, value in zip(self.compute(op, element, *operands), expected):
                        self.assertTrue(got == value or got != got and value != value
                                        or math.isclose(got, value, rel_tol=1e-3), (got, value))
            self.assertEqual(self.compute("is_finite", element, [1, inf, -inf, nan], result="i1"),
                             [1, 0, 0, 0])
            attributes = {"comparison_direction": "LE", "compare_type": "FLOAT"}
            self.assertEqual(self.compute("compare", element, [1, nan, -0.0], [1, 1, 0.0],
                                          result="i1", attributes=attributes), [1, 0, 1])
            self.assertEqual(self.compute("convert", element, ("i8", [-1, 7])), [-1, 7])
            self.assertEqual(self.compute("convert", "i8", (element, [-1.75, 7.5])), [-1, 7])
        self.assertEqual(self.compute("convert", "f16", ("f64", [1 + 2**-11 + 2**-40])),
                         [1 + 2**-10], "rounds once")

    def test_complex(self):
        for element, part in (("complex<f32>", "f32"), ("complex<f64>", "f64")):
            x, y = [1 + 2j, -1.5j], [3 - 1j, 2 + 1.5j]
            self.assertEqual(self.compute("complex", element, (part, [1, 2]), (part, [3, 4])),
                             [1 + 3j, 2 + 4j])
            self.assertEqual(self.compute("real", part, (element, x)), [1, 0])
            self.assertEqual(self.compute("imag", part, (element, x)), [2, -1.5])
            self.assertEqual(self.compute("add", element, x, y), [4 + 1j, 2 + 0j])
            self.assertEqual(self.compute("negate", element, x), [-1 - 2j, 1.5j])
            self.assertEqual(self.compute("divide", element, [2 + 2j], [1 + 0j]), [2 + 2j])
            self.assertEqual(self.compute("convert", part, (element, x)), [1, 0])
            self.assertEqual(self.compute("convert", element, (part, [3, 4])), [3, 4])
            self.assertEqual(self.compute("select", element, ("i1", [1, 0]), x, y), [x[0], y[1]])

    def close(self, got, expected, tolerance):
        """Checks that both are NaN, or near. Complex numbers are compared by their distance."""
        for value, other in zip(got, expected, strict=True):
            self.assertTrue(value != value and other != other
                            or cmath.isclose(value, other, rel_tol=tolerance), (value, other))

    def test_transcendental_functions(self):
        x, y = [0.25, 0.5, 1.0, 2.0, 3.0], [2.0, -1.5, 0.5, -3.0, 4.0]
        functions = (
            ("cbrt", lambda v: v ** (1 / 3)), ("cosine", math.cos), ("exponential", math.exp),
            ("exponential_minus_one", math.expm1), ("log", math.log), ("log_plus_one", math.log1p),
            ("logistic", lambda v: 1 / (1 + math.exp(-v))), ("rsqrt", lambda v: v**-0.5),
            ("sine", math.sin), ("tan", math.tan), ("tanh", math.tanh))
        for element, tolerance in (("f16", 2e-3), ("f32", 5e-7), ("f64", 1e-15)):
            for op, function in functions:
                with self.subTest(element=element, op=op):
                    self.close(self.compute(op, element, x), map(function, x), tolerance)
            self.close(self.compute("atan2", element, y, x), map(math.atan2, y, x), tolerance)
            self.close(self.compute("power", element, x, y), map(math.pow, x, y), tolerance)
            # The worker does not correct 1 / (1 + infinity), where the real value is
            # not 0 in the type.
            least = {"f16": -11.5, "f32": -89.0, "f64": -710.0}[element]
            self.assertEqual(self.compute("logistic", element, [least]), [0])

    def test_a_scalar_is_computed_in_its_type(self):
        """A 1 of Python makes f64 of a scalar in NumPy 1, and the result would be rounded once."""
        values = np.array([1 + i / 64 for i in range(64)], np.float32)
        got = []
        for value in values.tolist():
            x = self.worker.tensor("f32", [], [value])
            result = self.worker.tensor("f32", [])
            self.assertEqual(self.worker.call("logistic", [x], [result]), {"status": "ok"})
            got += self.worker.values(result)
        one = np.ones(1, np.float32)
        self.assertEqual(got, (one / (one + np.exp(-values))).tolist())

    def test_complex_functions(self):
        x, y = [0.5 + 1j, -1.5 + 0.25j, 0.75 - 2j], [1.5 - 0.5j, 0.5 + 2j, 3 + 1j]
        functions = (
            ("cosine", cmath.cos), ("exponential", cmath.exp),
            ("exponential_minus_one", lambda v: cmath.exp(v) - 1), ("log", cmath.log),
            ("log_plus_one", lambda v: cmath.log(v + 1)),
            ("logistic", lambda v: 1 / (1 + cmath.exp(-v))),
            ("rsqrt", lambda v: 1 / cmath.sqrt(v)), ("sine", cmath.sin), ("sqrt", cmath.sqrt),
            ("tan", cmath.tan), ("tanh", cmath.tanh))
        for element, part, tolerance in (("complex<f32>", "f32", 2e-6),
                                         ("complex<f64>", "f64", 5e-15)):
            for op, function in functions:
                with self.subTest(element=element, op=op):
                    self.close(self.compute(op, element, x), map(function, x), tolerance)
            self.close(self.compute("abs", element, x, result=part), map(abs, x), tolerance)
            self.close(self.compute("multiply", element, x, y), map(operator.mul, x, y), tolerance)
            self.close(self.compute("divide", element, x, y), map(operator.truediv, x, y),
                       tolerance)
            self.close(self.compute("power", element, x, y), map(operator.pow, x, y), tolerance)
            of_real_part = np.lib.NumpyVersion(np.__version__) < "2.0.0"
            sign = [math.copysign(1, v.real) if of_real_part else v / abs(v) for v in x]
            self.close(self.compute("sign", element, x), sign, tolerance)
            z = self.worker.tensor(element, [1], [1j])
            self.assertEqual(self.worker.call("cbrt", [z], [z])["status"], "unsupported")
            self.assertEqual(self.worker.call("atan2", [z, z], [z])["status"], "unsupported")

    def test_bits(self):
        wide = self.worker.tensor("f64", [2], [1.0, -2.0])
        halves = self.worker.tensor("ui16", [2, 4])
        self.assertEqual(self.worker.call("bitcast_convert", [wide], [halves]), {"status": "ok"})
        self.assertEqual(self.worker.values(halves), [0, 0, 0, 0x3FF0, 0, 0, 0, 0xC000])
        back = self.worker.tensor("f64", [2])
        self.assertEqual(self.worker.call("bitcast_convert", [halves], [back]), {"status": "ok"})
        self.assertEqual(self.worker.values(back), [1.0, -2.0])

    def test_broadcast_in_dim(self):
        for shape, values, dimensions, result, expected in (
                ([1, 3], [1, 2, 3], [2, 1], [2, 3, 2], [1, 1, 2, 2, 3, 3] * 2),
                ([], [7], [], [2, 2], [7] * 4), ([], [7], [], [], [7]),
                ([2], [1, 2], [0], [2, 2], [1, 1, 2, 2]), ([2], [1, 2], [1], [2, 2], [1, 2, 1, 2]),
                ([2, 3], [1, 2, 3, 4, 5, 6], [1, 0], [3, 2], [1, 4, 2, 5, 3, 6]),
                ([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 0], [2, 2, 2],
                 [1, 3, 5, 7, 2, 4, 6, 8]),
                ([3, 1], [1, 2, 3], [2, 0], [2, 2, 3], [1, 2, 3] * 4),
                ([1, 2], [1, 2], [0, 1], [0, 2], []), ([0], [], [1], [2, 0], [])):
            for strides in (None, [-stride for stride in driver.dense(shape)]):
                operand = self.worker.tensor("f32", shape, values, strides)
                output = self.worker.tensor("f32", result)
                attributes = {"broadcast_dimensions": str(dimensions)}
                self.assertEqual(
                    self.worker.call("broadcast_in_dim", [operand], [output], attributes),
                    {"status": "ok"})
                self.assertEqual(self.worker.values(output), expected, (shape, dimensions))

    def move(self, op, element, operands, result, attributes=()):
        """Returns the result of an op. Operands are (shape, values), or with strides."""
        inputs = [self.worker.tensor(element, *operand) for operand in operands]
        output = self.worker.tensor(element, *result)
        answer = self.worker.call(op, inputs, [output], attributes)
        self.assertEqual(answer, {"status": "ok"}, (op, operands, attributes))
        return self.worker.values(output)

    def test_ops_of_one_operand_that_move_its_elements(self):
        for op, shape, values, attributes, result, expected in (
                ("reverse", [3, 2], [1, 2, 3, 4, 5, 6], {"dimensions": [1]}, [3, 2],
                 [2, 1, 4, 3, 6, 5]),
                ("reverse", [3, 2], [1, 2, 3, 4, 5, 6], {"dimensions": [1, 0]}, [3, 2],
                 [6, 5, 4, 3, 2, 1]),
                ("reverse", [3], [1, 2, 3], {"dimensions": []}, [3], [1, 2, 3]),
                ("reverse", [], [7], {"dimensions": []}, [], [7]),
                ("reverse", [0, 2], [], {"dimensions": [0]}, [0, 2], []),
                ("transpose", [2, 3], [1, 2, 3, 4, 5, 6], {"permutation": [1, 0]}, [3, 2],
                 [1, 4, 2, 5, 3, 6]),
                ("transpose", [2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8], {"permutation": [1, 2, 0]},
                 [2, 2, 2], [1, 5, 2, 6, 3, 7, 4, 8]),
                ("transpose", [], [7], {"permutation": []}, [], [7]),
                ("transpose", [0, 3], [], {"permutation": [1, 0]}, [3, 0], []),
                ("reshape", [2, 3], [1, 2, 3, 4, 5, 6], {}, [3, 2], [1, 2, 3, 4, 5, 6]),
                ("reshape", [1, 1], [7], {}, [], [7]), ("reshape", [], [7], {}, [1], [7]),
                ("reshape", [0, 3], [], {}, [2, 0], []),
                ("slice", [3, 4], list(range(12)),
                 {"start_indices": [1, 0], "limit_indices": [3, 4], "strides": [1, 3]}, [2, 2],
                 [4, 7, 8, 11]),
                ("slice", [3], [1, 2, 3], {"start_indices": [3], "limit_indices": [3],
                                           "strides": [1]}, [0], []),
                ("slice", [], [7], {"start_indices": [], "limit_indices": [], "strides": []}, [],
                 [7])):
            for strides in (None, [-stride for stride in driver.dense(shape)]):
                texts = {name: str(value) for name, value in attributes.items()}
                self.assertEqual(self.move(op, "f32", [(shape, values, strides)], (result,), texts),
                                 expected, (op, shape, attributes))

    def test_moves_in_place(self):
        for op, attributes, expected in (
                ("reverse", {"dimensions": "[0, 1]"}, [9, 8, 7, 6, 5, 4, 3, 2, 1]),
                ("transpose", {"permutation": "[1, 0]"}, [1, 4, 7, 2, 5, 8, 3, 6, 9]),
                ("reshape", {}, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
                ("concatenate", {"dimension": "0"}, [1, 2, 3, 4, 5, 6, 7, 8, 9])):
            operand = self.worker.tensor("i16", [3, 3], range(1, 10))
            empty = self.worker.tensor("i16", [0, 3], [])
            inputs = [empty, operand] if op == "concatenate" else [operand]
            self.assertEqual(self.worker.call(op, inputs, [operand], attributes), {"status": "ok"})
            self.assertEqual(self.worker.values(operand), expected, op)

    def test_dot_general(self):
        def dot(element, operands, result, batch=([], []), terms=([1], [0]), more=()):
            texts = {"lhs_batching_dimensions": str(batch[0]),
                     "rhs_batching_dimensions": str(batch[1]),
                     "lhs_contracting_dimensions": str(terms[0]),
                     "rhs_contracting_dimensions": str(terms[1]),
                     "precision_config": "[DEFAULT, DEFAULT]", **dict(more)}
            inputs = [self.worker.tensor(element, *operand) for operand in operands]
            output = self.worker.tensor(*result)
            return self.worker.call("dot_general", inputs, [output], texts), output

        def values(*args, **kwargs):
            answer, output = dot(*args, **kwargs)
            self.assertEqual(answer, {"status": "ok"}, args)
            return self.worker.values(output)

        x, y = ([2, 3], [1, 2, 3, 4, 5, 6]), ([3, 2], [1, 0, 0, 1, 2, 3])
        none, column = ([], []), ([2, 3, 1], [1, 0, 1, 0, 1, 0])
        for element in ("f32", "f64", "i8", "ui64", "f16"):
            self.assertEqual(values(element, [x, y], (element, [2, 2])), [7, 11, 16, 23], element)
        self.assertEqual(values("f32", [x, ([2, 3], [1, 0, 2, 0, 1, 3])], ("f32", [2, 2]),
                                terms=([1], [1])), [7, 11, 16, 23])
        self.assertEqual(values("i8", [([1, 1], [100]), ([1, 1], [100])], ("i32", [1, 1])), [10000])
        self.assertEqual(values("i32", [([1, 1], [100]), ([1, 1], [100])], ("i8", [1, 1])), [16])
        self.assertEqual(values("i8", [([2], [100, 100]), ([2], [2, 1])], ("i8", []), none,
                                ([0], [0])), [44])
        self.assertEqual(values("i1", [([1, 2], [1, 1]), ([2, 1], [1, 1])], ("i1", [1, 1])), [1])
        self.assertEqual(values("f32", [([2, 0], []), ([0, 1], [])], ("f32", [2, 1])), [0, 0])
        self.assertEqual(values("i16", [([2, 2], [1, 2, 3, 4]), ([2, 2], [1, 2, 3, 4])],
                                ("i16", [2]), batch=([0], [1]), terms=([1], [0])), [7, 22])
        for lhs, rhs, batch, terms, shape, expected in (
                (([3], [1, 2, 3]), ([3], [4, 5, 6]), none, ([0], [0]), [], [32]),
                (x, ([3], [1, 0, 2]), none, ([1], [0]), [2], [7, 16]),
                (x, ([2], [1, 2]), none, ([0], [0]), [3], [9, 12, 15]),
                (x, x, none, ([1], [1]), [2, 2], [14, 32, 32, 77]),
                (x, ([2], [1, 2]), none, none, [2, 3, 2], [1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12]),
                (x, x, ([0], [0]), ([1], [1]), [2], [14, 77]),
                (x, x, ([1], [1]), ([0], [0]), [3], [17, 29, 45]),
                (x, column, ([0], [0]), ([1], [1]), [2, 1], [4, 5]),
                (x, x, none, ([0, 1], [0, 1]), [], [91]),
                (([2, 0], []), ([0], []), none, ([1], [0]), [2], [0, 0])):
            self.assertEqual(values("f64", [lhs, rhs], ("f64", shape), batch, terms), expected)
        answer, _ = dot("f32", [x, y], ("f32", [2, 2]), more={"lhs_precision_type": "tf32"})
        self.assertEqual(answer["status"], "unsupported")

    def test_concatenate(self):
        for shapes, dimension, result, expected in (
                ([[3, 2], [1, 2]], 0, [4, 2], [0, 1, 2, 3, 4, 5, 10, 11]),
                ([[2, 2], [2, 1]], 1, [2, 3], [0, 1, 10, 2, 3, 11]),
                ([[2], [0], [1]], 0, [3], [0, 1, 20]), ([[2]], 0, [2], [0, 1]),
                ([[0], [0]], 0, [0], []),
                ([[1]] * 20, 0, [20], list(range(0, 200, 10)))):
            operands = [(shape, [10 * k + i for i in range(math.prod(shape))])
                        for k, shape in enumerate(shapes)]
            self.assertEqual(self.move("concatenate", "i64", operands, (result,),
                                       {"dimension": str(dimension)}), expected, shapes)

    def test_pad(self):
        for shape, low, high, result, expected in (
                ([2], [1], [2], [5], [9, 0, 1, 9, 9]), ([0], [1], [1], [2], [9, 9]),
                ([2, 1], [0, 1], [1, 0], [3, 2], [9, 0, 9, 1, 9, 9])):
            values = list(range(math.prod(shape)))
            attributes = {"edge_padding_low": str(low), "edge_padding_high": str(high),
                          "interior_padding": str([0] * len(shape))}
            self.assertEqual(self.move("pad", "i64", [(shape, values), ([], [9])], (result,),
                                       attributes), expected, (shape, low, high))
        for low, interior in ((-1, 0), (0, 1)):
            inputs = [self.worker.tensor("i64", [2], [1, 2]), self.worker.tensor("i64", [], [9])]
            attributes = {"edge_padding_low": str([low]), "edge_padding_high": "[0]",
                          "interior_padding": str([interior])}
            result = self.worker.tensor("i64", [2 + low + interior])
            answer = self.worker.call("pad", inputs, [result], attributes)
            self.assertEqual(answer["status"], "unsupported", (low, interior))

    def test_iota_and_constant(self):
        for element, result, dimension, expected in (
                ("i32", [2, 3], 0, [0, 0, 0, 1, 1, 1]), ("i32", [2, 3], 1, [0, 1, 2] * 2),
                ("i8", [300], 0, [*range(128), *range(-128, 0), *range(44)]),
                ("f32", [3], 0, [0.0, 1.0, 2.0]), ("complex<f32>", [2], 0, [0j, 1 + 0j]),
                ("f64", [0], 0, []), ("i16", [2, 0], 0, []), ("i64", [1, 2, 1], 1, [0, 1])):
            self.assertEqual(self.move("iota", element, [], (result,),
                                       {"iota_dimension": str(dimension)}), expected)
        halves = self.move("iota", "f16", [], ([2052],), {"iota_dimension": "0"})
        self.assertEqual(halves[2046:], [2046, 2047, 2048, 2048, 2050, 2052], "ties to even")
        for shape, values in (([2, 2], [1.5, -0.0, math.inf, 4]), ([], [7]), ([0], [])):
            value = self.worker.tensor("f64", shape, values)
            self.assertEqual(self.move("constant", "f64", [], (shape,), {"value": value}), values)

    def test_small_floats_of_ml_dtypes(self):
        """The values in bits are 1.5 + 1.5 in bf16, and 448 in f8E4M3FN from f32."""
        x = self.worker.tensor("bf16", [1], [0x3FC0])
        result = self.worker.tensor("bf16", [1])
        answer = self.worker.call("add", [x, x], [result])
        if not importlib.util.find_spec("ml_dtypes"):
            self.assertEqual(answer, {"status": "unsupported", "message": "NumPy has no bf16"})
            return
        self.assertEqual(answer, {"status": "ok"})
        self.assertEqual(self.worker.values(result), [0x4040])
        self.assertEqual(self.compute("convert", "f8E4M3FN", ("f32", [448.0, 1.0])), [0x7E, 0x38])
        byte, halves = self.worker.tensor("ui8", [1], [0x38]), self.worker.tensor("f4E2M1FN", [1, 2])
        answer = self.worker.call("bitcast_convert", [byte], [halves])
        self.assertEqual(answer["status"], "unsupported", answer)
        self.assertIn("2, 4 and 6 bits take a byte in NumPy", answer["message"])

    def test_layouts(self):
        values = list(range(24))
        for element in TYPES:
            for shape, strides in (([2, 3, 4], [12, 4, 1]), ([2, 3, 4], [1, 2, 6]),
                                   ([2, 3, 4], [-12, -4, -1]), ([4, 6], [-1, 4]), ([24], [3]),
                                   ([24], [-5]), ([2, 3, 4], [40, -8, 2]), ([4, 1, 6], [6, 99, 1])):
                with self.subTest(element=element, strides=strides):
                    operand = self.worker.tensor(element, shape, values, strides)
                    other = self.worker.tensor(element, shape, values)
                    backwards = [-stride for stride in strides]
                    result = self.worker.tensor(element, shape, strides=backwards)
                    expect = bytearray(self.worker.memory)
                    self.assertEqual(self.worker.call("add", [operand, other], [result]),
                                     {"status": "ok"})
                    self.assertEqual(self.worker.values(result), [2 * value for value in values])
                    # Only the counter was written besides the elements.
                    size = int(element.strip("ui")) // 8
                    for at in driver.offsets(result):
                        expect[at : at + size] = self.worker.memory[at : at + size]
                    expect[:8] = self.worker.memory[:8]
                    self.assertTrue(expect == self.worker.memory[:], "only elements are written")

    def test_stride_zero(self):
        row = self.worker.tensor("i16", [3, 4], [7, 8, 9, 10] * 3, [0, 1])
        one = self.worker.tensor("i16", [3, 4], [5] * 12, [0, 0])
        result = self.worker.tensor("i16", [3, 4])
        self.assertEqual(self.worker.call("subtract", [row, one], [result]), {"status": "ok"})
        self.assertEqual(self.worker.values(result), [2, 3, 4, 5] * 3)

    def test_overlapping_operands(self):
        """Calls in place are right, also if the result is a shifted or reversed view of an operand."""
        operand = self.worker.tensor("i8", [65], range(65))
        head = {**operand, "type": "tensor<64xi8>"}
        tail = {**head, "at": operand["at"] + 1}
        backwards = {**head, "at": operand["at"] + 63, "strides": [-1]}
        for result, expected in ((tail, [2 * i for i in range(64)]),
                                 (backwards, [0] + [2 * i for i in range(1, 64)])):
            for at, value in enumerate(range(65)):
                self.worker.memory[operand["at"] + at] = value
            self.assertEqual(self.worker.call("add", [head, head], [result]), {"status": "ok"})
            got = [value % 256 for value in self.worker.values(result)]
            self.assertEqual(got, expected)

    def test_empty_tensors_and_scalars(self):
        for shape in ([0], [2, 0, 3], [0, 0]):
            for strides in (None, [-1] * len(shape)):
                operand = self.worker.tensor("i32", [1], [1])
                empty = {**operand, "type": self.worker.tensor("i32", shape)["type"],
                         "strides": strides or driver.dense(shape), "at": self.worker.bytes}
                self.assertEqual(self.worker.call("add", [empty, empty], [empty]), {"status": "ok"})
        scalar = self.worker.tensor("i32", [], [21])
        result = self.worker.tensor("i32", [])
        self.assertEqual(self.worker.call("add", [scalar, scalar], [result]), {"status": "ok"})
        self.assertEqual(self.worker.values(result), [42])

    def test_what_numpy_does_otherwise_is_not_mended(self):
        self.assertEqual(self.compute("divide", "i8", [-7], [2]), [-4], "rounds down")
        self.assertEqual(self.compute("remainder", "i8", [-7, 7], [2, -2]), [-1, 1])
        self.assertEqual(self.compute("shift_right_logical", "i8", [-1], [4]), [-1])
        operands = [self.worker.tensor("i8", [1], [value]) for value in (2, -1)]
        self.assertEqual(
            self.worker.call("power", operands, operands[:1]),
            {"status": "error", "message": "ValueError: Integers to negative integer powers are "
                                           "not allowed."})

    def test_what_numpy_does_not_have_is_declined(self):
        x = self.worker.tensor("i8", [1], [1])
        self.assertEqual(self.worker.call("count_leading_zeros", [x], [x])["status"], "unsupported")
        answer = self.worker.call("popcnt", [x], [x])
        if hasattr(np, "bitwise_count"):
            self.assertEqual(answer, {"status": "ok"})
        else:
            self.assertEqual(answer, {"status": "unsupported",
                                      "message": f"numpy {np.__version__} has no numpy.bitwise_count"})
        for element in ("i2", "ui4"):
            narrow = self.worker.tensor(element, [1], [1])
            self.assertEqual(self.worker.call("add", [narrow, narrow], [narrow]),
                             {"status": "unsupported", "message": f"NumPy has no {element}"})
        answer = self.worker.call("add", [x, x], [x], {"axis": "1"})
        self.assertEqual(answer["status"], "unsupported")
        real = self.worker.tensor("f32", [1], [1])
        p = self.worker.tensor("i1", [1], [1])
        for op, inputs, result, attributes in (
                ("compare", [real, real], p,
                 {"comparison_direction": "EQ", "compare_type": "TOTALORDER"}),
                ("bitcast_convert", [p], x, {}),
                ("and", [real, real], real, {})):
            answer = self.worker.call(op, inputs, [result], attributes)
            self.assertEqual(answer["status"], "unsupported", (op, answer))

    def test_no_warning_is_printed(self):
        self.compute("divide", "i32", [1, -(1 << 31)], [0, -1])
        _, _, err = self.worker.end()
        self.assertEqual(err, "")


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
