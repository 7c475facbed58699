#!/usr/bin/env python3
"""`assay bench` and the times of `simd` beside NumPy run, and say so if there is nothing to measure.

No time is checked. Usage: bench_test.py ASSAY
"""

import json
import os
import subprocess
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

NUMPY_BENCH = os.path.join(ROOT, "backends", "simd", "numpy_bench.py")
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
