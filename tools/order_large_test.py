#!/usr/bin/env python3
"""`assay order` proves that simd reduces 65,537 terms in order, whose kernel has no tail that small sums would show.

This test is run by .ci/run on the build without sanitizers. Usage: order_large_test.py ASSAY
"""

import re
import sys
import unittest

from command_test_support import CommandTest, assay


class LargeOrderTest(CommandTest):
    def test_simd_is_in_order(self):
        for kind, said in (("f32", ""), ("bf16", "each addition was asked for with some of the terms")):
            run = assay("order", "--backend", "simd", "--in-process", "--op", "reduce/vector", "--type", kind, "--size", "65537")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("0..65536 pairwise", run.stdout)
            self.assertIn("1 of 1 trees revealed, 1 of them legal", run.stdout)
            self.assertIn(said, run.stdout)
            calls = int(re.search(r"^reduce/vector .* (\d+)$", run.stdout, re.MULTILINE)[1])
            self.assertLess(calls, 1000 if kind == "f32" else 70000, "parts of one size are asked for once")


if __name__ == "__main__":
    sys.exit(unittest.main())
