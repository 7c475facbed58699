#!/usr/bin/env python3
"""Files of StableHLO text are cases of the command, by the same flags as files in JSON.

Usage: mlir_cases_test.py ASSAY. With $ASSAY_PEER_DIR, StableHLO's own tests are judged, which `simd` passes.
This test is run by .ci/run on the build without sanitizers.
"""

import os
import re
import shlex
import sys
import unittest

from command_test_support import CommandTest, assay

SUM = """
func.func @sum() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %b = stablehlo.add %a, %a : tensor<2xi8>
  check.expect_eq_const %b, dense<[2, 4]> : tensor<2xi8>
  return
}
"""
SORT = """
func.func @later() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %b = "stablehlo.no_such_op"(%a) : (tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %b, dense<[2, 4]> : tensor<2xi8>
  return
}
"""


DRAWN = """
func.func @main(%x: tensor<3xi8>) {
  %r = "stablehlo.add"(%x, %x) : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  return
}
"""


class MlirCasesTest(CommandTest):
    def run_cases(self, text, *flags):
        path = self.write("own.mlir", text)
        return path, assay("run", "--backend", "simd", "--cases", path, *flags)

    def test_a_file_and_a_folder_are_judged(self):
        path, run = self.run_cases(SUM + "// -----" + SORT)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("functions of StableHLO text left out: 1 (stablehlo.no_such_op 1)\n", run.stdout)
        self.assertIn("1 passed", run.stdout)
        run = assay("run", "--backend", "simd", "--cases", self.folder, "--list")
        self.assertRegex(run.stdout, r"own/sum +tensor<2xi8>")
        for op in ("add", "own/sum", "own/*"):
            run = assay("run", "--backend", "simd", "--cases", path, "--op", op)
            self.assertEqual((op, run.returncode), (op, 0))
            self.assertIn("1 passed", run.stdout)
            self.assertEqual("left out" in run.stdout, op == "own/*")
        run = assay("run", "--backend", "simd", "--cases", path, "--op", "own/some")
        self.assertEqual(run.returncode, 2)
        self.assertIn("did you mean 'own/sum'?", run.stderr)

    def test_a_wrong_kernel_fails_and_is_shown_again(self):
        path = self.write("own.mlir", SUM)
        run = assay("run", "--backend", "broken?bug=LY02", "--cases", path, "--layouts", "all")
        self.assertEqual(run.returncode, 1)
        for what in ("replay", "explain"):
            shown = re.search(rf"^  {what}: assay (.*own/sum.*)$", run.stdout, re.M)
            again = assay(*shlex.split(shown[1]))
            self.assertEqual(again.returncode, 1 if what == "replay" else 0)
            self.assertIn("own/sum", again.stdout)

    def test_a_wrong_literal_accuses_no_backend(self):
        _, run = self.run_cases(SUM.replace("[2, 4]", "[2, 5]"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("oracle_suspect", run.stdout)
        self.assertIn("the checks of @sum", run.stdout)

    def test_a_case_is_explained_by_its_name_or_its_file(self):
        path = self.write("own.mlir", SUM)
        for argument in (["own/sum", "--cases", path], [path], [path + "#sum"]):
            run = assay("explain", *argument)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("own/sum", run.stdout)
            self.assertIn("lhs = 2, rhs = 2", run.stdout)
        run = assay("explain", path + "#some")
        self.assertEqual(run.returncode, 2)
        self.assertIn("did you mean 'sum'?", run.stderr)

    def test_bad_text_is_an_error_with_its_place(self):
        path, run = self.run_cases(SUM.replace("%a, %a", "%a, %x"))
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, rf"{re.escape(path)}:4:\d+: .*x")
        self.assertEqual(len(run.stderr.splitlines()), 1)

    def test_a_program_without_checks_is_drawn(self):
        path = self.write("model.mlir", DRAWN)
        run = assay("run", "--backend", "simd", "--cases", path)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("1 passed", run.stdout)
        self.assertRegex(assay("list", "cases", "--cases", path).stdout, r"^model/main +tensor<3xi8> +\n$")
        explained = assay("explain", path)
        self.assertEqual(explained.returncode, 0, explained.stderr)
        self.assertEqual(explained.stdout, assay("explain", path).stdout)
        self.assertIn("allowed", explained.stdout)

    def test_a_text_that_must_be_refused_is_judged_on_spec(self):
        wrong = DRAWN.replace("@main", "@add_c1").replace("  %r", "  // expected-error@+1 {{wrong}}\n  %r")
        bad = wrong.replace("-> tensor<3xi8>\n", "-> tensor<3xi16>\n")
        path = self.write("own.mlir", bad)
        run = assay("run", "--backend", "spec", "--backend", "simd", "--cases", path)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("skipped: does not validate", run.stdout)
        self.assertRegex(assay("list", "cases", "--cases", path).stdout, r"^own/add_c1 +violates C1\n$")
        explained = assay("explain", path + "#add_c1")
        self.assertEqual(explained.returncode, 0, explained.stderr)
        self.assertRegex(explained.stdout, r"refused at 4:8: add violates C1: ")
        self.assertEqual(assay("lint", path).returncode, 0)
        path = self.write("own.mlir", wrong)
        run = assay("run", "--backend", "spec", "--cases", path)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("accepted_invalid own/add_c1", run.stdout)
        self.assertIn("accepted, and an error is expected", assay("explain", path).stdout)
        lint = assay("lint", path)
        self.assertEqual((lint.returncode, lint.stderr), (2, f"assay: {path}:1:1: an error is expected, and there is none\n"))

    def test_lint_reads_checks(self):
        path = self.write("own.mlir", SUM + "// -----" + SORT + "// -----" + SUM.replace("%a, %a", "%a, %x"))
        lint = assay("lint", path)
        self.assertEqual(lint.returncode, 2)
        self.assertIn("3 programs of StableHLO text, 2 of them wrong", lint.stdout)
        self.assertEqual([re.sub("^assay: .*?mlir:", "", line)[:9] for line in lint.stderr.splitlines()], ["11:8: 'st", "18:26: %x"])

    def test_lint_reads_functions_that_check_nothing(self):
        path = self.write("l.mlir", SUM + "func.func @bad(%a: tensor<i8>, %b: tensor<i16>) {\n"
                          '  %c = "stablehlo.add"(%a, %b) : (tensor<i8>, tensor<i16>) -> tensor<i8>\n  return\n}\n')
        result = assay("lint", path)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertRegex(result.stderr, r"l.mlir:\d+:\d+: add violates C1")

    def test_memory_is_limited(self):
        large = SUM.replace("[1, 2]", "1").replace("[2, 4]", "2").replace("2xi8", "2000000xi8")
        # The memory of a worker, which is larger, would be looked at only if a call lasts long enough.
        path, run = self.run_cases(SUM + "// -----" + large, "--memory", "2M", "--in-process")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("(more memory than is allowed 1)\n", run.stdout)

    def test_simd_passes_the_tests_of_stablehlo(self):
        peer = os.environ.get("ASSAY_PEER_DIR")
        if peer is None:
            print("SKIPPED: ASSAY_PEER_DIR is not set, so StableHLO's tests are not judged", file=sys.stderr)
            self.skipTest("no ASSAY_PEER_DIR")
        run = assay("run", "--backend", "simd", "--cases", os.path.join(peer, "stablehlo/interpret"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        passed = re.search(r"(\d+) passed", run.stdout)
        # cases/read/mlir_peer.jsonl has the exact number.
        self.assertGreater(int(passed[1]), 100)
        self.assertIn("functions of StableHLO text left out: ", run.stdout)
        run = assay("run", "--backend", "simd", "--cases", os.path.join(peer, "stablehlo/testdata"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        # What is left is quantized, random, or an op that is not judged.
        passed, skipped = re.search(r"(\d+) passed, 0 failed, (\d+) skipped", run.stdout).groups()
        self.assertGreater(int(passed), 1100)
        self.assertLess(int(skipped), 100)


if __name__ == "__main__":
    unittest.main()
