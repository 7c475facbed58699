#!/usr/bin/python3
"""Tests that the backend python:jax hands jax.lax the calls as they are made, and corrects nothing.

It runs by the first Python that has JAX: its own, or that of build/venv/jax (`tools/dev backend jax`). The exit code is 0 if it
passed, 1 if it failed, and 77 if there is none (skipped).
"""

import faulthandler
import importlib.metadata
import os
import unittest
from unittest import mock

import library_test_support as support

support.enter("jax", "JAX", "jax", "xla-cpu")

GATHER = {"offset_dims": "[1]", "collapsed_slice_dims": "[0]", "operand_batching_dims": "[]", "start_indices_batching_dims": "[]",
          "start_index_map": "[0]", "index_vector_dim": "1", "slice_sizes": "[1, 3]", "indices_are_sorted": "false"}
SCATTER = {"update_window_dims": "[1]", "inserted_window_dims": "[0]", "input_batching_dims": "[]", "scatter_indices_batching_dims": "[]",
           "scatter_dims_to_operand_dims": "[0]", "index_vector_dim": "1", "indices_are_sorted": "false", "unique_indices": "false"}


class JaxTest(support.LibraryTest):
    script = "jax_worker.py"
    lacks = {("sort", "GT")}

    def indices(self, shape, values):
        return self.worker.tensor("i32", shape, values)

    def test_it_says_which_jax_and_what_it_computes_on(self):
        self.worker = self.start(self.script)
        versions = [importlib.metadata.version(name) for name in ("jax", "jaxlib")]
        self.assertEqual(self.hello["hello"]["version"], "{}, jaxlib {}, cpu".format(*versions))
        self.expect_end(self.worker)

    def test_integers_of_4_bits(self):
        self.assertEqual(self.vectors("add", "ui4", [3, 9], [4, 9]), [7, 2])

    def test_slices_at_indices(self):
        six = ([2, 3], [1, 2, 3, 4, 5, 6])
        at = [self.indices([], [index]) for index in (1, 5)]
        self.assertEqual(self.compute("dynamic_slice", "f32", [six, *at], [1, 2], attributes={"slice_sizes": "[1, 2]"}), [5, 6], "clamped")
        self.assertEqual(self.compute("dynamic_update_slice", "f32", [six, ([1, 2], [8, 9]), *at], [2, 3]), [1, 2, 3, 4, 8, 9])

    def test_gather(self):
        six = ([2, 3], [1, 2, 3, 4, 5, 6])
        rows = [4, 5, 6, 1, 2, 3, 4, 5, 6]
        self.assertEqual(self.compute("gather", "f32", [six, self.indices([3, 1], [1, 0, 7])], [3, 3], attributes=GATHER), rows, "clamped")
        for shape, vector in (([3], "1"), ([1, 3], "0")):
            attributes = {**GATHER, "index_vector_dim": vector}
            self.assertEqual(self.compute("gather", "f32", [six, self.indices(shape, [1, 0, 7])], [3, 3], attributes=attributes), rows)

    def test_batches_of_gather_and_scatter_behind_the_vectors(self):
        """Of each row of the operand the element at an index, where the vectors are the first dimension of the indices."""
        six, indices = ([2, 3], [1, 2, 3, 4, 5, 6]), self.indices([1, 2], [2, 0])
        attributes = {**GATHER, "offset_dims": "[]", "collapsed_slice_dims": "[1]", "operand_batching_dims": "[0]",
                      "start_indices_batching_dims": "[1]", "start_index_map": "[1]", "index_vector_dim": "0", "slice_sizes": "[1, 1]"}
        self.assertEqual(self.compute("gather", "f32", [six, indices], [2], attributes=attributes), [3, 4])
        attributes = {**SCATTER, "update_window_dims": "[]", "inserted_window_dims": "[1]", "input_batching_dims": "[0]",
                      "scatter_indices_batching_dims": "[1]", "scatter_dims_to_operand_dims": "[1]", "index_vector_dim": "0"}
        self.assertEqual(self.compute("scatter", "f32", [six, indices, ([2], [10, 20])], [2, 3], attributes=attributes, monoids=["add"],
                                      **support.BODY), [1, 2, 13, 24, 5, 6])

    def test_scatter(self):
        six, indices, updates = ([2, 3], [1, 2, 3, 4, 5, 6]), self.indices([2, 1], [1, 9]), ([2, 3], [3] * 6)
        for monoid, row in (("add", [7, 8, 9]), ("multiply", [12, 15, 18]), ("minimum", [3, 3, 3]), ("maximum", [4, 5, 6])):
            self.assertEqual(self.compute("scatter", "f32", [six, indices, updates], [2, 3], attributes=SCATTER, monoids=[monoid],
                                          **support.BODY), [1, 2, 3, *row], monoid)
        self.expect_declined("scatter", "f32", [six, indices, updates], [2, 3], "a body that jax.lax does not have", attributes=SCATTER,
                             monoids=["divide"], **support.BODY)

    def test_reduce_precision(self):
        self.assertEqual(self.compute("reduce_precision", "f32", [([1], [1.26])], [1],
                                      attributes={"exponent_bits": "8", "mantissa_bits": "2"}), [1.25])

    def test_shifts_with_an_attribute(self):
        for attributes, expected in (({}, [-4]), ({"is_arithmetic": "true"}, [-4]), ({"is_arithmetic": "false"}, [124])):
            self.assertEqual(self.vectors("paddle.bitwise_right_shift", "i8", [-8], [1], attributes=attributes), expected)
            self.assertEqual(self.vectors("paddle.bitwise_left_shift", "i8", [3], [2], attributes=attributes), [12])
        six = ([2, 3], [1, 2, 3, 4, 5, 6])
        for element in ("i8", "ui8"):
            self.assertEqual(self.vectors("paddle.bitwise_right_shift", element, [64], [1]), [32])
            for other in (([], [1]), ([2, 1], [1, 1])):
                self.assertEqual(self.compute("paddle.bitwise_left_shift", element, [six, other], [2, 3]), [2, 4, 6, 8, 10, 12])
        self.assertEqual(self.vectors("paddle.bitwise_right_shift", "ui8", [0x80], [7]), [1], "without a sign")
        for side in ("left", "right"):
            self.expect_declined(f"paddle.bitwise_{side}_shift", "i8", [six, ([3], [1, 1, 1])], [2, 3], "the same number of dimensions")

    def test_windows_that_torch_and_paddle_do_not_have(self):
        attributes = {**support.CONVOLUTION, "lhs_dilation": "[2]"}  # of each side, one element of padding
        operands = [([1, 3, 1], [1.0, 2.0, 3.0]), ([2, 1, 1], [10.0, 1.0])]
        self.assertEqual(self.compute("convolution", "f32", operands, [1, 6, 1], attributes=attributes), [1, 10, 2, 20, 3, 30])

    def test_types_that_a_function_does_not_have_are_declined(self):
        one = ([1], [1])
        for op, element, count, reason in (
                ("power", "i32", 2, "pow does not accept dtype int32 at position 0."), ("real", "f32", 1, "real does not accept dtype float32."),
                ("abs", "i4", 1, "abs does not accept dtype int4."), ("add", "f6E2M3FN", 2, "Unknown NumPy dtype dtype(float6_e2m3fn)")):
            self.expect_declined(op, element, [one] * count, [1], reason)
        self.expect_declined("reduce_window", "i1", [([3], [1, 0, 1]), ([], [0])], [4], "must have a number dtype, got bool",
                             attributes=support.WINDOW, monoids=["add"], **support.BODY)
        self.expect_declined("bitcast_convert", "i1", [one], [1], "bitcast_convert_type does not support bool", result="i8")
        self.expect_declined("bitcast_convert", "i4", [([3], [1, 2, 3])], [3, 4], "from int4 of size 4 bits to bool", result="i1")

    def test_reductions_in_another_type_are_declined(self):
        operands = [([3], [1, 2, 3]), ([], [0])]
        for op, attributes, shape in (("reduce", {"dimensions": "[0]"}, []), ("reduce_window", support.WINDOW, [4])):
            self.expect_declined(op, "i8", operands, shape, f"{op}: JAX reduces in the type of the operand", attributes=attributes,
                                 monoids=["add"], result="i32", **support.BODY)

    def test_errors_of_jax_and_of_the_worker_are_no_refusals(self):
        attributes = {"permutation": "[0, 0]"}
        answer, _ = self.ask("transpose", "f32", [([2, 1], [1.0, 2.0])], [1, 2], attributes=attributes)
        self.assertEqual(answer["status"], "error", answer)

    def test_calls_in_jit(self):
        with mock.patch.dict(os.environ, JAX_LOG_COMPILES="1"):
            self.worker = self.start(self.script, options={"jit": "yes"})
        self.assertEqual(self.vectors("clamp", "i32", [2, 2], [1, 9], [5, 5]), [2, 5])
        self.expect_declined("power", "i32", [([1], [1])] * 2, [1], "pow does not accept dtype")
        _, _, errors = self.worker.end()
        self.assertIn("jit(<lambda>)", errors)

    def test_options(self):
        self.expect_refused("jit is much; there are yes and no", jit="much")
        self.expect_refused("unknown option 'device'; known: jit", device="cuda")


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # a worker that keeps an answer hangs
    unittest.main()
