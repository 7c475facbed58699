#!/usr/bin/python3
"""Tests that the backend python:onnxruntime hands ONNX Runtime the operands as they are, and corrects nothing.

It runs by the first Python that has ONNX Runtime: its own, or that of build/venv/onnxruntime (`tools/dev backend onnxruntime`).
The exit code is 0 if it passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import importlib.util
import json
import math
import os
import subprocess
import sys
import unittest

from driver import FOLDER, WorkerTest

if not importlib.util.find_spec("onnxruntime"):
    python = FOLDER.parent.parent / "build/venv/onnxruntime/bin/python"
    if python.exists() and sys.executable != str(python):
        os.execv(python, [python, *sys.argv])
    print("skipped: there is no ONNX Runtime (tools/dev backend onnxruntime)")
    sys.exit(77)

SPEC = FOLDER.parent.parent / "spec/ops"
SIX = ([2, 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


class OnnxruntimeTest(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.start("onnxruntime_worker.py")

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

    def test_it_says_which_runtime(self):
        self.assertEqual(self.hello["hello"]["version"], importlib.metadata.version("onnxruntime"))
        self.expect_end(self.worker)

    def test_functions(self):
        p, q = [1, 1, 0, 0], [1, 0, 1, 0]
        for op, element, operands, expected in (
                ("add", "i32", ([1, 2], [3, 4]), [4, 6]), ("subtract", "i64", ([1, 2], [3, 4]), [-2, -2]),
                ("multiply", "f16", ([1.0, 2.0], [3.0, -4.0]), [3, -8]), ("divide", "i32", ([7, -7], [2, 2]), [3, -3]),
                ("divide", "f32", ([7.0], [2.0]), [3.5]), ("power", "f64", ([2.0], [3.0]), [8.0]),
                ("maximum", "f32", ([1.0, 2.0], [3.0, -4.0]), [3, 2]), ("minimum", "i64", ([1, 2], [3, -4]), [1, -4]),
                ("and", "i1", (p, q), [1, 0, 0, 0]), ("or", "i8", ([12], [10]), [14]), ("xor", "ui8", ([12], [10]), [6]),
                ("not", "i1", (p,), [0, 0, 1, 1]), ("not", "i16", ([5],), [-6]), ("negate", "i8", ([5],), [-5]),
                ("abs", "f64", ([-1.5],), [1.5]), ("sign", "i32", ([-7, 0, 7],), [-1, 0, 1]), ("ceil", "f32", ([1.5],), [2]),
                ("floor", "f32", ([-1.5],), [-2]), ("round_nearest_even", "f64", ([2.5, 3.5],), [2, 4]),
                ("sqrt", "f64", ([2.25],), [1.5]), ("rsqrt", "f32", ([4.0],), [0.5]), ("logistic", "f32", ([0.0],), [0.5]),
                ("remainder", "i32", ([7, -7, 7], [2, 2, -2]), [1, -1, 1]), ("clamp", "i32", ([2, 2], [1, 9], [5, 5]), [2, 5]),
                ("shift_left", "i8", ([1, -1], [2, 9]), [4, 0]), ("shift_right_arithmetic", "i8", ([-8, -8], [1, 9]), [-4, -1]),
                ("shift_right_logical", "ui16", ([0x8000], [15]), [1])):
            with self.subTest(op=op, element=element):
                self.assertEqual(self.vectors(op, element, *operands), expected)
        for op, function in (("cosine", math.cos), ("exponential", math.exp), ("log", math.log), ("sine", math.sin),
                             ("tan", math.tan), ("tanh", math.tanh)):
            (value,) = self.vectors(op, "f32", [0.75])
            self.assertAlmostEqual(value, function(0.75), 6, op)
        self.assertEqual(self.vectors("is_finite", "f32", [1.0, math.inf, math.nan], result="i1"), [1, 0, 0])
        self.assertEqual(self.vectors("convert", "f32", [1.75, -1.75], result="i8"), [1, -1])
        self.assertEqual(self.vectors("convert", "f32", [1.5, math.inf], result="f8E5M2"), [0x3E, 0x7C], "no saturation")
        self.assertEqual(self.vectors("bitcast_convert", "f32", [1.0], result="i32"), [0x3F800000])
        pred = self.worker.tensor("i1", [], [0])
        self.assertEqual(self.compute("select", "f32", [pred, ([2], [1.0, 2.0]), ([2], [3.0, 4.0])], [2]), [3, 4])
        clamped = self.compute("clamp", "f32", [([], [0.0]), ([3], [-1.0, 0.5, 2.0]), ([], [1.0])], [3])
        self.assertEqual(clamped, [0, 0.5, 1])
        for direction, expected in (("EQ", [0, 1, 0]), ("NE", [1, 0, 1]), ("LT", [1, 0, 0]), ("LE", [1, 1, 0]), ("GT", [0, 0, 1]),
                                    ("GE", [0, 1, 1])):
            attributes = {"comparison_direction": direction, "compare_type": "SIGNED"}
            self.assertEqual(self.vectors("compare", "i32", [1, 2, 3], [2, 2, 2], result="i1", attributes=attributes), expected)

    def test_ops_that_move_elements(self):
        for op, operands, shape, attributes, expected in (
                ("transpose", [SIX], [3, 2], {"permutation": "[1, 0]"}, [1, 4, 2, 5, 3, 6]),
                ("reshape", [SIX], [6], {}, SIX[1]), ("reshape", [([2, 0], [])], [0, 5], {}, []),
                ("reverse", [SIX], [2, 3], {"dimensions": "[0, 1]"}, [6, 5, 4, 3, 2, 1]),
                ("slice", [SIX], [1, 2], {"start_indices": "[1, 0]", "limit_indices": "[2, 3]", "strides": "[1, 2]"}, [4, 6]),
                ("concatenate", [SIX, ([2, 1], [7.0, 8.0])], [2, 4], {"dimension": "1"}, [1, 2, 3, 7, 4, 5, 6, 8]),
                ("broadcast_in_dim", [([2], [1.0, 2.0])], [2, 2], {"broadcast_dimensions": "[0]"}, [1, 1, 2, 2]),
                ("broadcast_in_dim", [([2, 1], [1.0, 2.0])], [2, 2], {"broadcast_dimensions": "[1, 0]"}, [1, 2, 1, 2]),
                ("pad", [([2], [1.0, 2.0]), ([], [9.0])], [3], {"edge_padding_low": "[2]", "edge_padding_high": "[-1]",
                                                                "interior_padding": "[0]"}, [9, 9, 1]),
                ("iota", [], [2, 3], {"iota_dimension": "1"}, [0, 1, 2, 0, 1, 2])):
            with self.subTest(op=op, shape=shape):
                self.assertEqual(self.compute(op, "f32", operands, shape, attributes=attributes), expected)
        value = self.worker.tensor("i16", [2], [3, -4])
        self.assertEqual(self.compute("constant", "i16", [], [2], attributes={"value": value}), [3, -4])
        for element in ("bf16", "f8E4M3FN", "f8E5M2"):  # bits that NumPy itself has no type for
            self.assertEqual(self.compute("transpose", element, [([2, 2], [0x7F, 0x80, 3, 0xFF])], [2, 2],
                                          attributes={"permutation": "[1, 0]"}), [0x7F, 3, 0x80, 0xFF], element)

    def test_sums_products_and_windows(self):
        body = {"regions": ["func"]}
        for monoid, init, expected in (("add", 0.0, [6, 15]), ("multiply", 1.0, [6, 120]), ("maximum", -math.inf, [3, 6]),
                                       ("minimum", math.inf, [1, 4])):
            self.assertEqual(self.compute("reduce", "f32", [SIX, ([], [init])], [2], attributes={"dimensions": "[1]"},
                                          monoids=[monoid], **body), expected, monoid)
        answer, _ = self.ask("reduce", "f32", [SIX, ([], [1.0])], [2], attributes={"dimensions": "[1]"}, monoids=["add"], **body)
        self.assertEqual(answer["status"], "unsupported", "1 is no identity of the sum")
        self.assertEqual(self.compute("reduce", "i1", [([3], [0, 1, 0]), ([], [0])], [], attributes={"dimensions": "[0]"},
                                      monoids=["or"], **body), [1])
        attributes = {"window_dimensions": "[2]", "window_strides": "[1]", "base_dilations": "[1]", "window_dilations": "[1]",
                      "padding": "[1, 0]"}
        self.assertEqual(self.compute("reduce_window", "f32", [([3], [1.0, 3.0, 2.0]), ([], [-math.inf])], [3],
                                      attributes=attributes, monoids=["maximum"], **body), [1, 3, 3])
        attributes = {"lhs_batching_dimensions": "[]", "rhs_batching_dimensions": "[]", "lhs_contracting_dimensions": "[1]",
                      "rhs_contracting_dimensions": "[0]", "precision_config": "[DEFAULT, DEFAULT]"}
        self.assertEqual(self.compute("dot_general", "f32", [SIX, ([3, 1], [1.0, 0.0, 2.0])], [2, 1], attributes=attributes),
                         [7, 16])
        self.assertEqual(self.compute("dot_general", "i8", [([1, 2], [100, 100]), ([2, 1], [100, 3])], [1, 1], "i32",
                                      attributes=attributes), [10300], "MatMulInteger")
        attributes = {"window_strides": "[1]", "padding": "[1, 0]", "lhs_dilation": "[1]", "rhs_dilation": "[1]",
                      "window_reversal": "[false]", "feature_group_count": "1", "batch_group_count": "1",
                      "input_spatial_dimensions": "[1]", "kernel_spatial_dimensions": "[0]", "output_spatial_dimensions": "[1]",
                      "input_batch_dimension": "0", "input_feature_dimension": "2", "kernel_input_feature_dimension": "1",
                      "kernel_output_feature_dimension": "2", "output_batch_dimension": "0", "output_feature_dimension": "2"}
        self.assertEqual(self.compute("convolution", "f32", [([1, 3, 1], [1.0, 2.0, 3.0]), ([2, 1, 1], [10.0, 1.0])], [1, 3, 1],
                                      attributes=attributes), [1, 12, 23])
        attributes = {"epsilon": "0", "feature_index": "1"}
        one, two = ([1], [2.0]), ([1], [4.0])
        self.assertEqual(self.compute("batch_norm_inference", "f32", [([2, 1], [1.0, 5.0]), one, one, one, two], [2, 1],
                                      attributes=attributes), [1, 5])
        comparator = ('"func.func"() ({\n^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):\n  %0 = "stablehlo.compare"(%arg0, %arg1) '
                      '<{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = '
                      '#stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>\n  "func.return"(%0) :')
        self.assertEqual(self.compute("sort", "f32", [([3], [2.0, 9.0, 4.0])], [3], regions=[comparator],
                                      attributes={"dimension": "0", "is_stable": "true"}), [9, 4, 2])

    def test_statistics_of_a_batch(self):
        outputs = [self.worker.tensor("f32", shape) for shape in ([2, 1], [1], [1])]
        inputs = [self.worker.tensor("f32", *operand) for operand in (([2, 1], [1.0, 5.0]), ([1], [2.0]), ([1], [1.0]))]
        self.assertEqual(self.worker.call("batch_norm_training", inputs, outputs, {"epsilon": "0", "feature_index": "1"}),
                         {"status": "ok"})
        self.assertEqual([self.worker.values(output) for output in outputs], [[-1, 3], [3], [4]])

    def test_layouts(self):
        values = list(range(24))
        for shape, strides in (([2, 3, 4], [1, 2, 6]), ([2, 3, 4], [-12, -4, -1]), ([24], [3]), ([4, 1, 6], [6, 99, 1])):
            operand = self.worker.tensor("i32", shape, values, strides)
            result = self.worker.tensor("i32", shape, strides=[-stride for stride in strides])
            self.assertEqual(self.worker.call("add", [operand, operand], [result]), {"status": "ok"})
            self.assertEqual(self.worker.values(result), [2 * value for value in values], strides)

    def test_what_the_runtime_does_otherwise_is_not_mended(self):
        self.assertEqual(self.vectors("shift_right_logical", "i8", [-8], [1]), [-4], "by the sign of the type")
        answer, _ = self.ask("divide", "i32", [([1], [1]), ([1], [0])], [1])
        self.assertEqual(answer["status"], "error")
        self.assertIn("Integer division by zero", answer["message"])

    def test_a_call_that_ends_the_process(self):
        attributes = {"window_strides": "[1]", "padding": "[0, 0]", "lhs_dilation": "[1]", "rhs_dilation": "[1]",
                      "window_reversal": "[false]", "feature_group_count": "1", "batch_group_count": "1",
                      "input_spatial_dimensions": "[2]", "kernel_spatial_dimensions": "[2]", "output_spatial_dimensions": "[2]",
                      "input_batch_dimension": "0", "input_feature_dimension": "1", "kernel_input_feature_dimension": "1",
                      "kernel_output_feature_dimension": "0", "output_batch_dimension": "0", "output_feature_dimension": "1"}
        answer, _ = self.ask("convolution", "f32", [([3, 4, 0], []), ([5, 4, 0], [])], [3, 5, 0], attributes=attributes)
        self.assertEqual(answer, {"status": "crash", "message": "SIGFPE"})
        self.assertEqual(self.vectors("add", "i32", [1], [2]), [3], "it lives on")

    def test_what_onnx_does_not_have_is_declined(self):
        for op, element, reason in (
                ("popcnt", "i8", "popcnt: ONNX has no such operator"), ("add", "i4", "ONNX Runtime has no i4"),
                ("add", "complex<f32>", "ONNX Runtime has no complex<f32>"), ("add", "bf16", "add of bfloat16"),
                ("exponential", "i32", "exponential of int32")):
            operands = [([1], [1j if element.startswith("complex") else 1])] * (2 if op == "add" else 1)
            answer, _ = self.ask(op, element, operands, [1])
            self.assertEqual(answer, {"status": "unsupported", "message": reason})

    def test_options(self):
        self.worker = self.start("onnxruntime_worker.py", options={"optimize": "yes"})
        self.assertEqual(self.vectors("add", "i32", [1], [2]), [3])
        answer = self.process("onnxruntime_worker.py").hello(options={"optimize": "much"})
        self.assertEqual(answer, {"error": "optimize is much; there are yes and no"})

    def test_its_ops_and_operators_exist(self):
        """A misspelt op would be declined for ever, and a misspelt operator as well."""
        table = json.loads((FOLDER / "functions.json").read_text())
        has = [op for op, row in table.items() if "function" in row["onnxruntime"]]
        program = ("import json, sys, onnxruntime_worker as worker\n"
                   "[worker.FUNCTIONS[op] for op in sys.argv[1:]]\n"
                   "json.dump(list(worker.FUNCTIONS.adapters), sys.stderr)")
        listed = subprocess.run([sys.executable, "-c", program, *has], cwd=FOLDER, check=True, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL)
        unknown = set(json.loads(listed.stderr.splitlines()[-1])) - {path.stem for path in SPEC.glob("*.json")}
        self.assertEqual(unknown, set())


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
