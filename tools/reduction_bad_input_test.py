#!/usr/bin/env python3
"""Sums of 2^31 terms, and sizes up to 2^62 beside a 0, are judged or refused by a line that names the file and the case.

Usage: reduction_bad_input_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import json
import resource
import subprocess
import unittest

from command_test_support import ASSAY, CommandTest, assay

TWO_26 = 2**26
TWO_31 = 2**31
TWO_62 = 2**62
DRAWN = {"draw": {"seed": 1, "profile": "uniform"}}
NONE = {"data": []}
TOO_LARGE = "--memory allows 104857600"
OVERFLOWS = "overflows 63 bits"


def add(kind):
    return (f"^bb0(%a: tensor<{kind}>, %b: tensor<{kind}>): %r = stablehlo.add %a, %b : tensor<{kind}> "
            f"stablehlo.return %r : tensor<{kind}>")


def tensor(shape, kind, data):
    return {"type": f"tensor<{''.join(f'{size}x' for size in shape)}{kind}>", **data}


def reduce(shape, dimensions, kind="f32", data=NONE):
    return {"inputs": {"inputs": [tensor(shape, kind, data)], "init_values": [tensor([], kind, {"data": [0]})],
                       "dimensions": dimensions, "body": add(kind)}}


def reduce_window(shape, window):
    ones = [1] * len(shape)
    return {"inputs": {"inputs": [tensor(shape, "f32", NONE)], "init_values": [tensor([], "f32", {"data": [0]})],
                       "window_dimensions": window, "window_strides": ones, "base_dilations": ones,
                       "window_dilations": ones, "padding": [[0, 0] for _ in shape], "body": add("f32")}}


def dot_general(lhs, rhs, lhs_sums, rhs_sums, result, kind="f32", data=NONE):
    return {"inputs": {"lhs": tensor(lhs, kind, data), "rhs": tensor(rhs, kind, data),
                       "lhs_batching_dimensions": [], "rhs_batching_dimensions": [],
                       "lhs_contracting_dimensions": lhs_sums, "rhs_contracting_dimensions": rhs_sums,
                       "precision_config": ["DEFAULT", "DEFAULT"]},
            "outputs": {"result": tensor(result, kind, {})}}


class ReductionBadInputTest(CommandTest):
    def file(self, op, case):
        return self.write("large.json", json.dumps({"op": op, "cases": [{"id": "a", **case}]}))

    def run_case(self, op, case, megabytes=None):
        """Judges the case, in an address space of so many megabytes."""
        def limit():
            if megabytes:
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)
        memory = "1G" if megabytes else "100M"
        return subprocess.run(
            [ASSAY, "run", "--backend", "simd", "--jobs", "1", "--memory", memory, "--cases", self.file(op, case)],
            capture_output=True, text=True, preexec_fn=limit, timeout=60, check=False)

    def expect_refused(self, run, *parts):
        said = f"exit {run.returncode}, {run.stdout[-300:]} {run.stderr[-500:]}"
        self.assertEqual(run.returncode, 2, said)
        self.assertEqual(run.stderr.count("\n"), 1, said)
        for part in ("large.json#/cases/0", *parts):
            self.assertIn(part, run.stderr, said)

    def test_more_terms_than_memory_are_refused(self):
        for op, case, reason in [
                ("reduce", reduce([TWO_31], [0], "i8", DRAWN), TOO_LARGE),
                ("reduce", reduce([TWO_31], [0], "i2", DRAWN), TOO_LARGE),
                ("reduce", reduce([TWO_31, 0], [1]), TOO_LARGE),
                ("reduce", reduce([TWO_62, 0], [1]), OVERFLOWS),
                ("reduce", reduce([0, TWO_62], [0]), OVERFLOWS),
                ("dot_general", dot_general([TWO_31], [TWO_31], [0], [0], [], "i8", DRAWN), TOO_LARGE),
                ("dot_general", dot_general([TWO_31, 0], [0, 4], [1], [0], [TWO_31, 4]), TOO_LARGE),
                ("dot_general", dot_general([TWO_62, 0], [0, TWO_62], [1], [0], [TWO_62, TWO_62]), OVERFLOWS)]:
            with self.subTest(op=op, case=case):
                self.expect_refused(self.run_case(op, case), reason)

    def test_no_elements_are_judged_whatever_the_other_sizes(self):
        for op, case in [
                ("reduce", reduce([TWO_31, 0], [0])),
                ("reduce", reduce([TWO_31, 0], [0, 1])),
                ("reduce", reduce([TWO_62, 0], [0])),
                ("reduce", reduce([TWO_62, TWO_62, 0], [0, 1])),
                ("reduce", reduce([TWO_62, TWO_62, 0], [0, 1, 2])),
                ("reduce_window", reduce_window([TWO_62, 0], [TWO_62, 1])),
                ("reduce_window", reduce_window([4, 0], [TWO_62, 1])),
                ("dot_general", dot_general([2**40, 0], [2**40, 0], [0, 1], [0, 1], []))]:
            with self.subTest(op=op, case=case):
                run = self.run_case(op, case)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertIn("1 passed", run.stdout)

    def test_rows_that_nobody_adds_are_judged_or_refused(self):
        for case in (dot_general([0, TWO_62], [TWO_62, 0], [1], [0], [0, 0]),
                     dot_general([TWO_62, 0], [TWO_62, 0], [0], [0], [0, 0])):
            run = self.run_case("dot_general", case)
            if run.returncode != 0:
                self.expect_refused(run, "dot_general/a: out of memory")
                explain = assay("explain", self.file("dot_general", case))
                self.expect_refused(explain, "dot_general/a: out of memory")

    def test_where_memory_ends_the_case_is_named(self):
        for op, case in [("reduce", reduce([TWO_26], [0], "i8", DRAWN)),
                         ("dot_general", dot_general([TWO_26], [TWO_26], [0], [0], [], "i8", DRAWN))]:
            self.expect_refused(self.run_case(op, case, megabytes=400), f"{op}/a: out of memory (--memory limits")


if __name__ == "__main__":
    unittest.main()
