"""The tests of workers that compute ops by functions of a library share how they start, and calls whose results are known.

A test calls `enter` before it imports anything of the library, and makes its class of LibraryTest.
"""

import importlib.util
import math
import os
import sys

from driver import FOLDER, Worker, WorkerTest, offsets

VENV = FOLDER.parent.parent / "build/venv"
SIX = ([2, 3], [1, 2, 3, 4, 5, 6])
# Vectors in, and a vector out: (op, element type, operands, result).
VECTORS = (
    ("abs", "f32", ([-1.5, 2.0],), [1.5, 2]), ("add", "i32", ([1, 2], [3, 4]), [4, 6]), ("add", "f16", ([0.5], [0.25]), [0.75]),
    ("and", "i1", ([1, 1, 0, 0], [1, 0, 1, 0]), [1, 0, 0, 0]), ("ceil", "f32", ([1.5, -1.5],), [2, -1]),
    ("clamp", "i32", ([2, 2], [1, 9], [5, 5]), [2, 5]), ("divide", "i32", ([7, -7], [2, 2]), [3, -3]),
    ("divide", "f32", ([7.0], [2.0]), [3.5]), ("floor", "f32", ([1.5, -1.5],), [1, -2]),
    ("maximum", "f32", ([1.0, 2.0], [3.0, -4.0]), [3, 2]), ("minimum", "i64", ([1, 2], [3, -4]), [1, -4]),
    ("multiply", "i32", ([1, 2], [3, -4]), [3, -8]), ("negate", "f32", ([1.0, -2.0],), [-1, 2]), ("not", "i1", ([1, 0],), [0, 1]),
    ("not", "i16", ([0, 5],), [-1, -6]), ("or", "i8", ([12], [10]), [14]), ("power", "f64", ([2.0], [3.0]), [8]),
    ("round_nearest_afz", "f32", ([0.5, 2.5, -2.5],), [1, 3, -3]), ("round_nearest_even", "f32", ([0.5, 1.5, 2.5],), [0, 2, 2]),
    ("shift_left", "i8", ([3], [2]), [12]), ("shift_right_arithmetic", "i8", ([-8], [1]), [-4]),
    ("shift_right_logical", "ui16", ([0x8000], [15]), [1]), ("shift_right_logical", "ui8", ([0x80], [7]), [1]),
    ("sign", "f64", ([-3.0, 2.0],), [-1, 1]), ("sqrt", "f64", ([2.25],), [1.5]), ("subtract", "i64", ([1, 2], [3, 4]), [-2, -2]),
    ("xor", "ui8", ([12], [10]), [6]), ("popcnt", "ui8", ([7, 0],), [3, 0]), ("count_leading_zeros", "i32", ([1, -1],), [31, 0]),
    ("add", "complex<f32>", ([1 + 2j], [3 - 1j]), [4 + 1j]), ("multiply", "complex<f64>", ([1 + 2j], [3 - 1j]), [5 + 5j]))
# (op, function): by results that are rounded.
ROUNDED = (
    ("cbrt", lambda x: x ** (1 / 3)), ("cosine", math.cos), ("exponential", math.exp), ("exponential_minus_one", math.expm1),
    ("log", math.log), ("log_plus_one", math.log1p), ("logistic", lambda x: 1 / (1 + math.exp(-x))),
    ("rsqrt", lambda x: 1 / math.sqrt(x)), ("sine", math.sin), ("tan", math.tan), ("tanh", math.tanh))
# (op, operands, shape of the result, attributes, result), of every type.
MOVEMENT = (
    ("transpose", [SIX], [3, 2], {"permutation": "[1, 0]"}, [1, 4, 2, 5, 3, 6]), ("reshape", [SIX], [3, 2], {}, SIX[1]),
    ("reshape", [([2, 0], [])], [0, 5], {}, []), ("reverse", [SIX], [2, 3], {"dimensions": "[1]"}, [3, 2, 1, 6, 5, 4]),
    ("reverse", [SIX], [2, 3], {"dimensions": "[0, 1]"}, [6, 5, 4, 3, 2, 1]),
    ("slice", [SIX], [1, 2], {"start_indices": "[1, 0]", "limit_indices": "[2, 3]", "strides": "[1, 2]"}, [4, 6]),
    ("broadcast_in_dim", [([2], [1, 2])], [2, 2], {"broadcast_dimensions": "[0]"}, [1, 1, 2, 2]),
    ("broadcast_in_dim", [([2, 1], [1, 2])], [2, 2], {"broadcast_dimensions": "[1, 0]"}, [1, 2, 1, 2]),
    ("broadcast_in_dim", [SIX], [3, 2], {"broadcast_dimensions": "[1, 0]"}, [1, 4, 2, 5, 3, 6]),
    ("concatenate", [([1], [1]), ([0], []), ([2], [2, 3])], [3], {"dimension": "0"}, [1, 2, 3]),
    ("concatenate", [SIX, ([2, 1], [7, 8])], [2, 4], {"dimension": "1"}, [1, 2, 3, 7, 4, 5, 6, 8]),
    ("pad", [([2], [1, 2]), ([], [9])], [5], {"edge_padding_low": "[1]", "edge_padding_high": "[2]", "interior_padding": "[0]"},
     [9, 1, 2, 9, 9]),
    ("iota", [], [2, 3], {"iota_dimension": "1"}, [0, 1, 2, 0, 1, 2]), ("iota", [], [2, 2], {"iota_dimension": "0"}, [0, 0, 1, 1]))
BODY = {"regions": ["func"]}
WINDOW = {"window_dimensions": "[2]", "window_strides": "[1]", "base_dilations": "[1]", "window_dilations": "[1]", "padding": "[1, 1]"}
PRODUCT = {"lhs_batching_dimensions": "[]", "rhs_batching_dimensions": "[]", "lhs_contracting_dimensions": "[1]",
           "rhs_contracting_dimensions": "[0]", "precision_config": "[DEFAULT, DEFAULT]"}
CONVOLUTION = {"window_strides": "[1]", "padding": "[1, 1]", "lhs_dilation": "[1]", "rhs_dilation": "[1]", "window_reversal": "[false]",
               "feature_group_count": "1", "batch_group_count": "1", "input_spatial_dimensions": "[1]",
               "kernel_spatial_dimensions": "[0]", "output_spatial_dimensions": "[1]", "input_batch_dimension": "0",
               "input_feature_dimension": "2", "kernel_input_feature_dimension": "1", "kernel_output_feature_dimension": "2",
               "output_batch_dimension": "0", "output_feature_dimension": "2"}


def enter(package, library, *environments):
    """Goes on in the first Python that has a package: this one, or that of an environment. Without one the test is skipped."""
    if importlib.util.find_spec(package):
        return
    for name in environments:
        python = VENV / name / "bin/python"
        if python.exists() and sys.prefix != str(VENV / name):
            os.execv(python, [python, *sys.argv])
    print(f"skipped: there is no {library} (tools/dev backend {environments[0]})")
    sys.exit(77)


def comparator(element, kind, direction):
    """Returns the region that compares its two arguments, as the protocol writes it."""
    t = f"tensor<{element}>"
    return (f'"func.func"() ({{\n^bb0(%arg0: {t}, %arg1: {t}):\n  %0 = "stablehlo.compare"(%arg0, %arg1) <{{compare_type = '
            f"#stablehlo<comparison_type {kind}>, comparison_direction = #stablehlo<comparison_direction {direction}>}}> : "
            f'({t}, {t}) -> tensor<i1>\n  "func.return"(%0) :')


class LibraryTest(WorkerTest):
    """Tests of every such worker. `lacks` has the ops, and pairs of an op and a type, that it must decline of the calls above."""

    script = ""
    lacks = frozenset()
    moved = ("i32", "f32")  # the types of MOVEMENT

    @classmethod
    def setUpClass(cls):
        # Libraries take seconds to import, so that the tests share a worker.
        super().setUpClass()
        cls.shared = Worker(FOLDER / cls.script)
        cls.addClassCleanup(cls.shared.__exit__)
        cls.shared.hello()

    def setUp(self):
        super().setUp()
        self.worker = self.shared

    def ask(self, op, element, operands, shape, result=None, attributes=(), **more):
        """Returns the answer to a call, and its output. Operands are (shape, values), or (shape, values, strides)."""
        inputs = [operand if isinstance(operand, dict) else self.worker.tensor(element, *operand) for operand in operands]
        output = self.worker.tensor(result or element, shape)
        if op == "concatenate":
            more["groups"] = [len(operands)]
        return self.worker.call(op, inputs, [output], attributes, **more), output

    def compute(self, *arguments, **more):
        answer, output = self.ask(*arguments, **more)
        self.assertEqual(answer, {"status": "ok"}, arguments)
        return self.worker.values(output)

    def vectors(self, op, element, *operands, result=None, attributes=()):
        operands = [([len(values)], values) for values in operands]
        return self.compute(op, element, operands, operands[0][0], result, attributes)

    def expect(self, expected, op, element, *arguments, key=None, **more):
        """Expects the result of a call, or that it is declined if `lacks` says so."""
        with self.subTest(op=op, element=element, key=key):
            answer, output = self.ask(op, element, *arguments, **more)
            if {op, (op, element), (op, key)} & self.lacks:
                self.assertEqual(answer["status"], "unsupported", answer)
            else:
                self.assertEqual(answer, {"status": "ok"})
                self.assertEqual(self.worker.values(output), expected)

    def expect_declined(self, op, element, operands, shape, reason, **more):
        """Expects that a call is declined, and why."""
        answer, _ = self.ask(op, element, operands, shape, **more)
        self.assertEqual(answer["status"], "unsupported", (op, element, answer))
        self.assertIn(reason, answer["message"])

    def expect_refused(self, reason, **options):
        """Expects that no session is opened with these options."""
        worker = self.process(self.script)
        self.assertEqual(worker.hello(options=options), {"error": reason})
        self.expect_end(worker, status=1)

    def test_elements(self):
        for op, element, operands, expected in VECTORS:
            self.expect(expected, op, element, [([len(values)], values) for values in operands], [len(expected)])
        for op, function in ROUNDED:
            if op not in self.lacks:
                self.assertAlmostEqual(self.vectors(op, "f32", [0.75])[0], function(0.75), 6, op)
            else:
                self.expect_declined(op, "f32", [([1], [0.75])], [1], op)
        self.expect([1, 0, 0], "is_finite", "f32", [([3], [1.0, math.inf, math.nan])], [3], "i1")
        self.expect([1 + 2j], "complex", "f32", [([1], [1.0]), ([1], [2.0])], [1], "complex<f32>")
        for op, part in (("real", 1), ("imag", 2)):
            self.expect([part], op, "complex<f32>", [([1], [1 + 2j])], [1], "f32")
        pred = self.worker.tensor("i1", [2], [1, 0])
        self.expect([1, 4], "select", "f32", [pred, ([2], [1.0, 2.0]), ([2], [3.0, 4.0])], [2])
        self.expect([0, 0.5, 1], "clamp", "f32", [([], [0.0]), ([3], [-1.0, 0.5, 2.0]), ([], [1.0])], [3])

    def test_comparisons(self):
        for element, kind in (("i32", "SIGNED"), ("f32", "FLOAT"), ("ui8", "UNSIGNED")):
            for direction, expected in (("EQ", [0, 1, 0]), ("NE", [1, 0, 1]), ("LT", [1, 0, 0]), ("LE", [1, 1, 0]), ("GT", [0, 0, 1]),
                                        ("GE", [0, 1, 1])):
                attributes = {"comparison_direction": direction, "compare_type": kind}
                self.expect(expected, "compare", element, [([3], [1, 2, 3]), ([3], [2, 2, 2])], [3], "i1", attributes)
        attributes = {"comparison_direction": "EQ", "compare_type": "TOTALORDER"}
        self.expect_declined("compare", "f32", [([1], [1.0])] * 2, [1], "total order", result="i1", attributes=attributes)

    def test_conversions(self):
        self.expect([2, -1], "convert", "f32", [([2], [2.5, -1.75])], [2], "i64")
        self.expect([1, 0], "convert", "i32", [([2], [7, 0])], [2], "i1")
        self.expect([0x3FC0, 0xFF80], "convert", "f32", [([2], [1.5, -math.inf])], [2], "bf16")
        self.expect([0x3E, 0xBC], "convert", "f32", [([2], [1.5, -1.0])], [2], "f8E5M2")
        self.expect([0x3F800000], "bitcast_convert", "f32", [([1], [1.0])], [1], "i32")

    def test_movement(self):
        for op, operands, shape, attributes, expected in MOVEMENT:
            for element in self.moved:
                self.expect(expected, op, element, operands, shape, attributes=attributes)
        value = self.worker.tensor("f64", [2], [1.5, -0.0])
        self.assertEqual(str(self.compute("constant", "f64", [], [2], attributes={"value": value})), "[1.5, -0.0]")
        for element in ("bf16", "f8E4M3FN", "f8E5M2"):  # Their bits are kept, those of NaNs, too.
            self.expect([0x7F, 3, 0x80, 0xFF], "transpose", element, [([2, 2], [0x7F, 0x80, 3, 0xFF])], [2, 2],
                        attributes={"permutation": "[1, 0]"})

    def test_reductions(self):
        rows = ([2, 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        for monoid, init, expected in (("add", 0.0, [6, 15]), ("multiply", 1.0, [6, 120]), ("maximum", -math.inf, [3, 6]),
                                       ("minimum", math.inf, [1, 4])):
            self.expect(expected, "reduce", "f32", [rows, ([], [init])], [2], attributes={"dimensions": "[1]"}, monoids=[monoid], **BODY)
        self.expect([16, 25], "reduce", "f32", [rows, ([], [10.0])], [2], attributes={"dimensions": "[1]"}, monoids=["add"],
                    key="from 10", **BODY)
        self.expect([1], "reduce", "i1", [([3], [0, 1, 0]), ([], [0])], [], attributes={"dimensions": "[0]"}, monoids=["or"], **BODY)
        self.expect([1, 3, 5, 3], "reduce_window", "i64", [([3], [1, 2, 3]), ([], [0])], [4], attributes=WINDOW, monoids=["add"],
                    key="add", **BODY)
        self.expect([1, 3, 3, 2], "reduce_window", "f32", [([3], [1.0, 3.0, 2.0]), ([], [-math.inf])], [4], attributes=WINDOW,
                    monoids=["maximum"], **BODY)
        self.expect_declined("reduce", "f32", [rows, ([], [0.0])], [2], "a body that", attributes={"dimensions": "[1]"}, monoids=[None],
                             **BODY)

    def test_sorts(self):
        for element, kind in (("i64", "SIGNED"), ("f32", "FLOAT")):
            for direction, expected in (("GT", [9, 4, 2]), ("LT", [2, 4, 9])):
                self.expect(expected, "sort", element, [([3], [2, 9, 4])], [3], regions=[comparator(element, kind, direction)],
                            attributes={"dimension": "0", "is_stable": "true"}, key=direction)
        self.expect_declined("sort", "f32", [([3], [2.0, 9.0, 4.0])], [3], "a comparator that",
                             regions=[comparator("f32", "TOTALORDER", "LT")], attributes={"dimension": "0", "is_stable": "true"})

    def test_products(self):
        rows, column = ([2, 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), ([3, 1], [1.0, 0.0, 2.0])
        self.expect([7, 16], "dot_general", "f32", [rows, column], [2, 1], attributes=PRODUCT)
        batches = {**PRODUCT, "lhs_batching_dimensions": "[1]", "rhs_batching_dimensions": "[0]", "lhs_contracting_dimensions": "[0]",
                   "rhs_contracting_dimensions": "[1]"}
        # Of each column of the one and row of the other, the product.
        self.expect([1 + 4, 20 + 50, 300 + 600], "dot_general", "f32", [rows, ([3, 2], [1.0, 1.0, 10.0, 10.0, 100.0, 100.0])], [3],
                    attributes=batches)
        self.expect_declined("dot_general", "f32", [rows, column], [2, 1], "an algorithm", attributes={**PRODUCT, "lhs_precision_type": "f32"})
        features = ([1, 3, 2], [float(i) for i in range(1, 7)]), ([2, 2, 3], [float(i) for i in range(1, 13)])
        self.expect([27, 30, 33, 70, 80, 90, 114, 132, 150, 29, 40, 51], "convolution", "f32", features, [1, 4, 3], attributes=CONVOLUTION)
        signal, kernel = ([1, 3, 1], [1.0, 2.0, 3.0]), ([2, 1, 1], [10.0, 1.0])
        self.expect([1, 12, 23, 30], "convolution", "f32", [signal, kernel], [1, 4, 1], attributes=CONVOLUTION)
        self.expect([1, 12, 23], "convolution", "f32", [signal, kernel], [1, 3, 1], attributes={**CONVOLUTION, "padding": "[1, 0]"},
                    key="sides")
        self.expect_declined("convolution", "f32", [signal, kernel], [1, 4, 1], "windows",
                             attributes={**CONVOLUTION, "window_reversal": "[true]"})

    def test_layouts(self):
        values = list(range(24))
        for shape, strides in (([2, 3, 4], [12, 4, 1]), ([2, 3, 4], [1, 2, 6]), ([2, 3, 4], [-12, -4, -1]), ([24], [3]), ([24], [-5]),
                               ([2, 3, 4], [40, -8, 2]), ([4, 1, 6], [6, 99, 1])):
            operand, other = self.worker.tensor("i32", shape, values, strides), self.worker.tensor("i32", shape, values)
            result = self.worker.tensor("i32", shape, strides=[-stride for stride in strides])
            expect = bytearray(self.worker.memory)
            self.assertEqual(self.worker.call("add", [operand, other], [result]), {"status": "ok"})
            self.assertEqual(self.worker.values(result), [2 * value for value in values], strides)
            for at in offsets(result):
                expect[at : at + 4] = self.worker.memory[at : at + 4]
            expect[:8] = self.worker.memory[:8]
            self.assertTrue(expect == self.worker.memory[:], "only elements are written")
        operand = self.worker.tensor("i32", [2, 3], [1, 2, 3] * 2, [0, 1])
        self.assertEqual(self.compute("negate", "i32", [operand], [2, 3]), [-1, -2, -3] * 2)

    def test_what_is_not_known_is_declined(self):
        for op, element, attributes, reason in (
                ("add", "tf32", {}, " has no tf32"), ("nosuch", "i32", {}, "nosuch"),
                ("add", "i32", {"axis": "1"}, "axis is not known")):
            self.expect_declined(op, element, [([1], [1])] * 2, [1], reason, attributes=attributes)
        operand = self.worker.tensor("i32", [1], [1])
        for outputs, more in (([operand], {"captures": 1}), ([operand, operand], {})):
            answer = self.worker.call("add", [operand, operand], outputs, **more)
            self.assertEqual(answer, {"status": "unsupported", "message": "add of several operands, or of captured values"})

    def test_options_that_are_not_known(self):
        answer = self.process(self.script).hello(options={"colour": "red"})
        self.assertRegex(answer["error"], r"^unknown option 'colour'; known: [\w, ]+$")
