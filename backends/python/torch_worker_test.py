#!/usr/bin/python3
"""Tests that the backend python:torch hands PyTorch the operands as they lie, and corrects nothing.

It runs by the first Python that has PyTorch: its own, or that of build/venv/torch (`tools/dev backend torch`). The exit code is
0 if it passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import math
import os
import unittest
from unittest import mock

import library_test_support as support

support.enter("torch", "PyTorch", "torch")


class TorchTest(support.LibraryTest):
    script = "torch_worker.py"
    lacks = {"round_nearest_afz", "popcnt", "count_leading_zeros", "cbrt", ("shift_right_logical", "ui16"), ("reduce_window", "add"),
             ("convolution", "sides")}

    def test_it_says_which_torch_and_what_it_computes_on(self):
        self.worker = self.start(self.script)
        version = importlib.metadata.version("torch").partition("+")[0]
        self.assertRegex(self.hello["hello"]["version"], rf"^{version}(\+\w+)?, (DEFAULT|AVX2|AVX512|NO AVX|VSX|Z VECTOR|SVE256)$")
        self.expect_end(self.worker)

    def test_batches_and_their_statistics(self):
        attributes = {"epsilon": "0.0", "feature_index": "1"}
        one, two = ([1], [2.0]), ([1], [4.0])
        self.assertEqual(self.compute("batch_norm_inference", "f32", [([2, 1], [1.0, 5.0]), one, one, one, two], [2, 1],
                                      attributes=attributes), [1, 5])
        outputs = [self.worker.tensor("f32", shape) for shape in ([2, 1], [1], [1])]
        inputs = [self.worker.tensor("f32", *operand) for operand in (([2, 1], [1.0, 5.0]), one, ([1], [1.0]))]
        self.assertEqual(self.worker.call("batch_norm_training", inputs, outputs, {"epsilon": "1e-12", "feature_index": "1"}),
                         {"status": "ok"})
        self.assertEqual([self.worker.values(output) for output in outputs], [[-1, 3], [3], [4]])

    def test_padding_that_cuts(self):
        attributes = {"edge_padding_low": "[2]", "edge_padding_high": "[-1]", "interior_padding": "[0]"}
        self.assertEqual(self.compute("pad", "f32", [([2], [1.0, 2.0]), ([], [9.0])], [3], attributes=attributes), [9, 9, 1])
        attributes = {**attributes, "edge_padding_low": "[4]", "edge_padding_high": "[-3]"}
        self.expect_declined("pad", "f32", [([2], [1.0, 2.0]), ([], [9.0])], [3], "narrow(): length must be non-negative.",
                             attributes=attributes)

    def test_operands_at_odd_addresses(self):
        operand = self.worker.tensor("i32", [2], [3, 4])
        odd = {**operand, "at": operand["at"] - 1}
        self.worker.memory[odd["at"] : odd["at"] + 8] = self.worker.memory[operand["at"] : operand["at"] + 8]
        self.assertEqual(self.compute("negate", "i32", [odd], [2]), [-3, -4])

    def test_what_torch_does_otherwise_is_not_mended(self):
        self.assertEqual(self.vectors("shift_right_logical", "i8", [-8], [1]), [-4], "by the sign of the type")
        answer, _ = self.ask("divide", "i32", [([1], [1]), ([1], [0])], [1])
        self.assertEqual(answer, {"status": "error", "message": "RuntimeError: ZeroDivisionError"})

    def test_types_that_a_function_does_not_have_are_declined(self):
        one, z = ([1], [1]), ([1], [1j])
        for op, element, operands, reason in (
                ("add", "ui16", [one, one], "add: \"add_stub\" not implemented for 'UInt16'"), ("add", "i4", [one, one], "has no i4"),
                ("maximum", "complex<f32>", [z, z], "maximum not implemented for complex tensors."),
                ("clamp", "complex<f32>", [z, z, z], "clamp is not supported for complex types"),
                ("imag", "f32", [one], "imag is not implemented for tensors with non-complex dtypes."),
                ("sqrt", "f8E5M2", [one], "\"sqrt_vml_cpu\" not implemented for 'Float8_e5m2'")):
            self.expect_declined(op, element, operands, [1], reason)
        attributes = {"edge_padding_low": "[1]", "edge_padding_high": "[0]", "interior_padding": "[0]"}
        self.expect_declined("pad", "complex<f32>", [z, ([], [1j])], [2], "pads with real numbers", attributes=attributes)

    def test_sizes_and_attributes_that_a_function_does_not_have_are_declined(self):
        one = ([1], [1.0])
        outputs = [self.worker.tensor("f32", shape) for shape in ([2, 1], [1], [1])]
        for rows, epsilon, reason in ((2, "0", "eps must be positive during training, but got 0"), (1, "1e-5", "more than 1 value per channel")):
            inputs = [self.worker.tensor("f32", *operand) for operand in (([rows, 1], [1.0, 5.0][:rows]), one, one)]
            answer = self.worker.call("batch_norm_training", inputs, outputs, {"epsilon": epsilon, "feature_index": "1"})
            self.assertEqual(answer["status"], "unsupported", answer)
            self.assertIn(reason, answer["message"])
        for lhs, rhs, result, reason in (([1, 2, 1], [5, 1, 1], [1, 0, 1], "Kernel size can't be greater than actual input size"),
                                         ([1, 3, 1], [2, 1, 0], [1, 2, 0], "expected weight to be at least 1 at dimension 0")):
            operands = [(shape, [1.0] * math.prod(shape)) for shape in (lhs, rhs)]
            self.expect_declined("convolution", "f32", operands, result, reason, attributes=support.CONVOLUTION)

    def test_a_fault_of_the_worker_is_no_refusal(self):
        answer, _ = self.ask("transpose", "f32", [([2, 1], [1.0, 2.0])], [1, 2], attributes={"permutation": '"[1, 0]"'})
        self.assertEqual(answer["status"], "error", answer)
        self.assertIn("must be tuple of ints", answer["message"])

    def test_compiled_functions(self):
        with mock.patch.dict(os.environ, TORCH_LOGS="graph_code"):
            self.worker = self.start(self.script, options={"compile": "yes"})
        self.assertEqual(self.vectors("add", "i32", [1, 2], [3, 4]), [4, 6])
        self.assertEqual(self.compute("reverse", "f32", [([3], [1.0, 2.0, 3.0])], [3], attributes={"dimensions": "[0]"}), [3, 2, 1])
        _, _, errors = self.worker.end()
        for function in ("torch.add", "torch.flip"):
            self.assertIn(function, errors, "the graph that was compiled")

    def test_options(self):
        with mock.patch.dict(os.environ, CUDA_VISIBLE_DEVICES=""):
            self.expect_refused("PyTorch sees no GPU", device="cuda")
        self.expect_refused("device is tpu; there are cpu and cuda", device="tpu")
        self.expect_refused("compile is much; there are yes and no", compile="much")
        self.expect_refused("unknown option 'jit'; known: compile, device", jit="yes")


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
