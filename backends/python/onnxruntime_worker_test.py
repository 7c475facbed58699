#!/usr/bin/python3
"""Tests that the backend python:onnxruntime hands ONNX Runtime the operands as they are, and corrects nothing.

It runs by the first Python that has ONNX Runtime: its own, or that of build/venv/onnxruntime (`tools/dev backend onnxruntime`).
The exit code is 0 if it passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import json
import math
import subprocess
import sys
import unittest

import library_test_support as support
from driver import FOLDER

support.enter("onnxruntime", "ONNX Runtime", "onnxruntime")

SPEC = FOLDER.parent.parent / "spec/ops"


class OnnxruntimeTest(support.LibraryTest):
    script = "onnxruntime_worker.py"
    lacks = {"round_nearest_afz", "popcnt", "count_leading_zeros", "cbrt", "complex", "real", "imag", "exponential_minus_one",
             "log_plus_one", ("add", "complex<f32>"), ("multiply", "complex<f64>"), ("reduce", "from 10"), ("reduce_window", "add")}

    def test_it_says_which_runtime(self):
        self.worker = self.start(self.script)
        self.assertEqual(self.hello["hello"]["version"], importlib.metadata.version("onnxruntime"))
        self.expect_end(self.worker)

    def test_operators_with_attributes(self):
        self.assertEqual(self.vectors("convert", "f32", [math.inf], result="f8E5M2"), [0x7C], "no saturation")
        self.assertEqual(self.vectors("remainder", "i32", [7, -7, 7], [2, 2, -2]), [1, -1, 1])
        self.assertEqual(self.vectors("shift_left", "i8", [1, -1], [2, 9]), [4, 0])
        self.assertEqual(self.vectors("shift_right_arithmetic", "i8", [-8, -8], [1, 9]), [-4, -1])
        attributes = {"edge_padding_low": "[2]", "edge_padding_high": "[-1]", "interior_padding": "[0]"}
        self.assertEqual(self.compute("pad", "f32", [([2], [1.0, 2.0]), ([], [9.0])], [3], attributes=attributes), [9, 9, 1])
        self.assertEqual(self.compute("dot_general", "i8", [([1, 2], [100, 100]), ([2, 1], [100, 3])], [1, 1], "i32",
                                      attributes=support.PRODUCT), [10300], "MatMulInteger")

    def test_statistics_of_a_batch(self):
        attributes = {"epsilon": "0", "feature_index": "1"}
        one, two = ([1], [2.0]), ([1], [4.0])
        self.assertEqual(self.compute("batch_norm_inference", "f32", [([2, 1], [1.0, 5.0]), one, one, one, two], [2, 1],
                                      attributes=attributes), [1, 5])
        outputs = [self.worker.tensor("f32", shape) for shape in ([2, 1], [1], [1])]
        inputs = [self.worker.tensor("f32", *operand) for operand in (([2, 1], [1.0, 5.0]), one, ([1], [1.0]))]
        self.assertEqual(self.worker.call("batch_norm_training", inputs, outputs, attributes), {"status": "ok"})
        self.assertEqual([self.worker.values(output) for output in outputs], [[-1, 3], [3], [4]])

    def test_what_the_runtime_does_otherwise_is_not_mended(self):
        self.assertEqual(self.vectors("shift_right_logical", "i8", [-8], [1]), [-4], "by the sign of the type")
        answer, _ = self.ask("divide", "i32", [([1], [1]), ([1], [0])], [1])
        self.assertEqual(answer["status"], "error")
        self.assertIn("Integer division by zero", answer["message"])

    def test_a_call_that_ends_the_process(self):
        attributes = {**support.CONVOLUTION, "padding": "[0, 0]", "input_spatial_dimensions": "[2]", "kernel_spatial_dimensions": "[2]",
                      "output_spatial_dimensions": "[2]", "input_feature_dimension": "1", "kernel_output_feature_dimension": "0",
                      "output_feature_dimension": "1"}
        answer, _ = self.ask("convolution", "f32", [([3, 4, 0], []), ([5, 4, 0], [])], [3, 5, 0], attributes=attributes)
        self.assertEqual(answer, {"status": "crash", "message": "SIGFPE"})
        self.assertEqual(self.vectors("add", "i32", [1], [2]), [3], "it lives on")

    def test_what_onnx_does_not_have_is_declined(self):
        for op, element, reason in (
                ("add", "i4", "ONNX Runtime has no i4"), ("add", "complex<f32>", "ONNX Runtime has no complex<f32>"),
                ("add", "bf16", "add of bfloat16"), ("exponential", "i32", "exponential of int32")):
            operands = [([1], [1j if element.startswith("complex") else 1])] * (2 if op == "add" else 1)
            self.expect_declined(op, element, operands, [1], reason)

    def test_options(self):
        self.worker = self.start(self.script, options={"optimize": "yes"})
        self.assertEqual(self.vectors("add", "i32", [1], [2]), [3])
        self.expect_refused("optimize is much; there are yes and no", optimize="much")

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
