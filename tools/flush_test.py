#!/usr/bin/env python3
"""Flushing of subnormals is found on a processor that really flushes, and with a kernel that flushes in part.

Usage: flush_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import unittest

from command_test_support import CommandTest, assay

FLUSHES = "simd?subnormals=flush"  # FTZ and DAZ of x86
ONE_WAY = (
    "1 of 23 ways explain every element: operands to a zero of their sign, "
    "results that are tiny after rounding to a zero of their sign"
)


def judge(backend, policy, *more):
    return assay("run", "--backend", backend, "--policy", policy, "--op", "multiply", *more)


class FlushTest(CommandTest):
    def test_one_way_explains_a_processor_that_flushes(self):
        run = judge(FLUSHES, "flush")
        self.assertEqual(run.returncode, 0, run.stdout)
        for element_type in ("f32", "f64"):
            self.assertIn(f"Flushing by {FLUSHES}, multiply {element_type}: {ONE_WAY}\n", run.stdout)

    def test_where_subnormals_count_it_fails_and_the_elements_are_named(self):
        run = judge(FLUSHES, "assay")
        self.assertEqual(run.returncode, 1)
        self.assertIn("fail multiply/underflow_f32", run.stdout)
        self.assertIn("first at [1]: lhs = 4e-45 = 0x1.8p-148 (0x00000003), rhs = 0.5 = 0x1p-1", run.stdout)

    def test_keeping_is_a_way_too(self):
        run = judge("simd", "flush")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("Flushing by simd: none is needed", run.stdout)
        self.assertNotIn("simd, multiply", run.stdout)

    def test_what_may_have_been_flushed_is_not_measured(self):
        # A tangent that was flushed is off by up to 2^23 units in the last
        # place.
        run = assay("run", "--backend", FLUSHES, "--policy", "flush", "--op", "tan", "-v")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertRegex(run.stdout, r"\n  tan +f32 +\d{6} +0\.\d{4} +2\.00 ")

    def test_shards_are_merged(self):
        parts = []
        for shard in ("1/2", "2/2"):
            parts.append(self.path(shard[0] + ".jsonl"))
            self.assertEqual(judge(FLUSHES, "flush", "--shard", shard, "--out", parts[-1]).returncode, 0)
        report = assay("report", *parts)
        self.assertEqual(report.returncode, 0, report.stdout)
        self.assertIn(f"multiply f32: {ONE_WAY}", report.stdout)

    def test_flushing_in_the_vector_body_only_contradicts_itself(self):
        self.assertEqual(judge("broken?bug=FL05V", "assay").returncode, 1)
        junit = self.path("j.xml")
        run = judge("broken?bug=FL05V", "flush", "--junit", junit)
        self.assertEqual(run.returncode, 1, run.stdout)
        # There is one contradiction within a case, and another between cases.
        self.assertIn("no one way of flushing subnormals explains these elements together:", run.stdout)
        self.assertRegex(run.stdout, r"multiply f32: (no way explains .*; )?no one way explains these elements together:")
        self.assertIn("agrees with: operands kept, results kept\n", run.stdout)
        with open(junit, encoding="utf-8") as file:
            self.assertIn("one way of flushing subnormals explains each op and type", file.read())


if __name__ == "__main__":
    unittest.main()
