#!/usr/bin/env python3
"""`assay bench` and the times of `simd` beside NumPy run, and say so if there is nothing to measure.

No time is checked. Usage: bench_test.py ASSAY
"""

import json
import os
import subprocess
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

# This plugin copies operands to results, which is right of a sort of what is sorted. WRONG: but for an element of the last result.
COPIES = r"""
#include <string.h>
#include "assay/backend.h"

static int32_t run(const AssayCall* call, char* message, size_t size) {
  (void)message;
  (void)size;
  for (int32_t i = 0; i < call->num_outputs; ++i) {
    const DLTensor* from = &call->inputs[i].tensor;
    const DLTensor* to = &call->outputs[i].tensor;
    const size_t bytes = (size_t)(from->shape[0] * from->dtype.bits / 8);
    memcpy((char*)to->data + to->byte_offset, (char*)from->data + from->byte_offset, bytes);
#ifdef WRONG
    if (i == call->num_outputs - 1) *((char*)to->data + to->byte_offset) ^= 1;
#endif
  }
  return ASSAY_OK;
}

const AssayBackend* assay_backend(void) {
  static const AssayBackend backend = {
      .struct_size = sizeof(AssayBackend), .abi_major = ASSAY_ABI_MAJOR, .abi_minor = ASSAY_ABI_MINOR,
      .name = "copies", .version = "1", .device = {kDLCPU, 0}, .run = run};
  return &backend;
}
"""
COMPARATOR = ("^bb0(%l0: tensor<i64>, %r0: tensor<i64>, %l1: tensor<i8>, %r1: tensor<i8>): %p = stablehlo.compare LT, %l0, %r0, SIGNED :"
              " (tensor<i64>, tensor<i64>) -> tensor<i1> stablehlo.return %p : tensor<i1>")
SORTED_PAIRS = {"op": "sort", "cases": [{"id": "pairs", "inputs": {
    "inputs": [{"type": "tensor<300xi64>", "draw": {"every": "bits", "dimension": 0}},
               {"type": "tensor<300xi8>", "draw": {"seed": 1, "profile": "uniform"}}],
    "dimension": 0, "is_stable": True, "comparator": COMPARATOR}}]}
MATRIX = {"type": "tensor<3x4x{T}>", "draw": {"seed": 1, "profile": "uniform"}}
ROWS = {"type": "tensor<5x4x{T}>", "draw": {"seed": 2, "profile": "uniform"}}
INDICES = {"type": "tensor<5x1xi32>", "draw": {"seed": 3, "below": 3, "sorted": True}}
SMALL_MOVES = {
    "concatenate": {"inputs": [MATRIX, MATRIX], "dimension": 1},
    "dot_general": {"lhs": MATRIX, "rhs": {"type": "tensor<4x3x{T}>", "draw": {"seed": 2, "profile": "ordinary"}},
                    "lhs_batching_dimensions": [], "rhs_batching_dimensions": [],
                    "lhs_contracting_dimensions": [1], "rhs_contracting_dimensions": [0], "precision_config": ["HIGHEST", "HIGHEST"]},
    "gather": {"operand": MATRIX, "start_indices": INDICES, "offset_dims": [1], "collapsed_slice_dims": [0], "operand_batching_dims": [],
               "start_indices_batching_dims": [], "start_index_map": [0], "index_vector_dim": 1, "slice_sizes": [1, 4],
               "indices_are_sorted": True},
    "pad": {"operand": MATRIX, "padding_value": {"type": "tensor<{T}>", "data": [7]}, "edge_padding_low": [-1, 2],
            "edge_padding_high": [1, -1], "interior_padding": [0, 0]},
    "reduce": {"inputs": [MATRIX], "init_values": [{"type": "tensor<{T}>", "data": [0]}], "dimensions": [1],
               "body": "^bb0(%a: tensor<{T}>, %b: tensor<{T}>): %0 = stablehlo.add %a, %b : tensor<{T}> stablehlo.return %0 : tensor<{T}>"},
    "reverse": {"operand": MATRIX, "dimensions": [1]},
    "scatter": {"inputs": [MATRIX], "scatter_indices": INDICES, "updates": [ROWS], "update_window_dims": [1],
                "inserted_window_dims": [0], "input_batching_dims": [], "scatter_indices_batching_dims": [],
                "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1, "indices_are_sorted": True, "unique_indices": False,
                "update_computation": "^bb0(%a: tensor<{T}>, %b: tensor<{T}>): stablehlo.return %b : tensor<{T}>"},
    "slice": {"operand": MATRIX, "start_indices": [1, 1], "limit_indices": [3, 3], "strides": [1, 1]},
    "sort": {"inputs": [MATRIX], "dimension": 1, "is_stable": True,
             "comparator": "^bb0(%l: tensor<{T}>, %r: tensor<{T}>): %p = stablehlo.compare LT, %l, %r, TOTALORDER : "
                           "(tensor<{T}>, tensor<{T}>) -> tensor<i1> stablehlo.return %p : tensor<i1>"},
    "transpose": {"operand": MATRIX, "permutation": [1, 0]},
}
PEER_BENCH = os.path.join(ROOT, "tools", "bench", "peer_bench.py")
NUMPY_BENCH = os.path.join(ROOT, "backends", "simd", "numpy_bench.py")
INCLUDE = os.path.join(os.path.dirname(ASSAY), "include")
LIBRARY = os.path.join(os.path.dirname(ASSAY), "backends", "simd.so")
PYTHON = "/usr/bin/python3"  # the interpreter whose NumPy tools/setup installs


def preloaded(library):
    """Returns the environment that an interpreter without sanitizers needs to load a library that has them."""
    with open(library, "rb") as file:
        if b"libasan.so" not in file.read():
            return {}
    name = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    return {"LD_PRELOAD": name.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0"}


class BenchTest(CommandTest):
    def test_what_matches_nothing_is_said(self):
        for chosen in (["--op", "add/nosuch"], ["--op", "nosuch*", "--op", "add/x"]):
            run = assay("bench", "--backend", "simd", *chosen)
            self.assertIn(run.returncode, (2, 4), run.stdout)
            self.assertTrue(run.stderr.startswith("assay: "), run.stderr)
            self.assertIn(chosen[1], run.stderr)
            self.assertEqual(run.stdout, "")

    def test_a_kernel_is_judged_and_measured(self):
        operand = {"type": "tensor<300xi32>", "draw": {"seed": 1, "profile": "uniform"}}
        cases = self.write("c.json", json.dumps({"op": "add", "cases": [
            {"id": "x", "inputs": {"lhs": operand, "rhs": operand}}]}))
        run = assay("bench", "--backend", "simd", "--cases", cases)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"\nadd/x +300 +[\d.]+ +[\d.]+ +[\d.]+ +\d+\n")

    def test_all_results_of_a_call_are_judged(self):
        cases = self.write("c.json", json.dumps(SORTED_PAIRS))
        source = self.write("copies.c", COPIES)
        for flags, code, row in (([], 0, r"\nsort/pairs +300 +[\d.]+ +[\d.]+ +[\d.]+ +\d+\n"),
                                 (["-DWRONG"], 1, r"\nsort/pairs +not measured: 1 of 300 elements of results\[1\] are wrong\n")):
            plugin = self.path(f"copies{code}.so")
            subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-shared", "-fPIC", *flags, "-I", INCLUDE, "-o", plugin, source],
                           check=True)
            run = assay("bench", "--backend", plugin, "--cases", cases)
            self.assertEqual(run.returncode, code, run.stdout + run.stderr)
            self.assertRegex(run.stdout, row)

    def test_a_call_in_place_is_refused(self):
        operand = {"type": "tensor<3xi32>", "data": [1, 2, 3]}
        cases = self.write("c.json", json.dumps({"op": "not", "cases": [
            {"id": "x", "inputs": {"operand": operand}, "alias": {"result": "operand"}}]}))
        run = assay("bench", "--backend", "simd", "--cases", cases)
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("in place", run.stderr)

    def test_the_policy_is_that_of_the_flag(self):
        # simd saturates: 1 << 9 is 0, and 2 where the count is masked.
        cases = self.write("c.json", json.dumps({"op": "shift_left", "cases": [{"id": "x", "inputs": {
            "lhs": {"type": "tensor<1xi8>", "data": [1]}, "rhs": {"type": "tensor<1xi8>", "data": [9]}}}]}))
        file = self.write("mine.json", json.dumps({"extends": "assay", "description": "Ours.", "values": {"shift_overflow": "mask"}}))
        for policy, code, text in (("assay", 0, "simd, policy assay: "), ("mask", 1, "1 of 1 elements of result are wrong"),
                                   (file, 1, "not measured"), ("stablehlo", 0, "  1 of 1 elements accepted unseen\n"),
                                   ("nosuch", 2, "")):
            run = assay("bench", "--backend", "simd", "--cases", cases, "--policy", policy)
            self.assertEqual(run.returncode, code, run.stdout + run.stderr)
            self.assertIn(text, run.stdout)
        self.assertIn("nosuch", run.stderr)
        for other in ("--workers", "--regions"):
            run = assay("bench", other, "--policy", "mask", *(["--backend", "simd"] if other == "--workers" else []))
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertIn(other, run.stderr)

    def test_regions_of_the_oracle_are_judged_and_measured(self):
        run = assay("bench", "--regions", "--op", "map/*")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"\nmap/two_products_f32 +applications +[\d.]+ *\n$")
        run = assay("bench", "--regions", "--op", "nosuch/*")
        self.assertEqual((run.returncode, run.stderr), (4, "assay: no row matches --op 'nosuch/*'\n"))
        for flags in (["--backend", "simd"], ["--workers"], ["--cases", "x.json"]):
            run = assay("bench", "--regions", *flags)
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertIn("--regions", run.stderr)
        run = assay("bench")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--backend is required", run.stderr)

    def test_peers_run_on_cases_of_bench(self):
        folder = self.path("small")
        os.mkdir(folder)
        for op, inputs in SMALL_MOVES.items():
            case = {"id": "{T}", "each": {"T": ["f32"]}, "inputs": inputs}
            if op == "dot_general":
                case["outputs"] = {"result": {"type": "tensor<3x3x{T}>"}}
            self.write(f"small/{op}.json", json.dumps({"op": op, "cases": [case]}))
        run = assay("bench", "--backend", "simd", "--cases", folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        measured = [line.split()[0] for line in run.stdout.splitlines()[2:]]
        self.assertEqual(measured, [f"{op}/f32" for op in sorted(SMALL_MOVES)])
        run = subprocess.run([PYTHON, PEER_BENCH, "--cases", folder], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([line.split()[0] for line in run.stdout.splitlines()[2:]], measured)

    def test_simd_runs_beside_numpy(self):
        run = subprocess.run([PYTHON, NUMPY_BENCH, "--library", LIBRARY, "--log2", "8", "--repeat", "1"],
                             capture_output=True, text=True, check=False, timeout=300,
                             env={**os.environ, **preloaded(LIBRARY)})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        rows = [line.split() for line in run.stdout.splitlines()]
        measured = {tuple(row[:3]) for row in rows if len(row) > 8 and row[0] != "op"}
        self.assertEqual(len(measured), 8 * 7, run.stdout)
        self.assertIn(("compare", "i4", "broadcast"), measured)


if __name__ == "__main__":
    unittest.main()
