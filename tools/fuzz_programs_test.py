#!/usr/bin/env python3
"""A finding of a program is a case in JSON and StableHLO text, and both fail again.

Usage: fuzz_programs_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import os
import re
import unittest

from command_test_support import CommandTest, assay

BACKEND = ["--backend", "broken?bug=FD12", "--granularity", "program"]


class ProgramFindingTest(CommandTest):
    def test_a_finding_of_a_program_is_text_too(self):
        out = self.path("out")
        fuzz = assay("fuzz", *BACKEND, "--op", "multiply", "--op", "subtract", "--op", "constant", "--op", "if",
                     "--count", "3000", "--findings", "2", "--out", out)
        self.assertEqual(fuzz.returncode, 1, fuzz.stdout + fuzz.stderr)
        texts = re.findall(r"^  as text: (.*\.mlir)$", fuzz.stdout, re.MULTILINE)
        self.assertGreater(len(texts), 0, fuzz.stdout)
        for text in texts:
            self.assertTrue(os.path.exists(text.removesuffix("mlir") + "json"), text)
            run = assay("run", *BACKEND, "--cases", text)
            self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
            self.assertIn("DOES NOT CONFORM, 1 of 1 judged cases failed", run.stdout)
            run = assay("run", "--backend", "broken", "--granularity", "program", "--cases", text)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_loop_shrinks_to_what_it_needs(self):
        out = self.path("loop")
        fuzz = assay("fuzz", "--backend", "broken?bug=FD09", "--granularity", "program", "--seed", "3",
                     "--count", "3000", "--findings", "1", "--out", out)
        self.assertEqual(fuzz.returncode, 1, fuzz.stdout + fuzz.stderr)
        texts = re.findall(r"^  as text: (.*\.mlir)$", fuzz.stdout, re.MULTILINE)
        self.assertEqual(len(texts), 1, fuzz.stdout)
        with open(texts[0], encoding="utf-8") as file:
            ops = re.findall(r'= "stablehlo\.(\w+)"', file.read())
        # A loop counts by one op, and another has the value that the bug takes for the same in every round, or the same op does both.
        left = [op for op in ops if op != "constant"]
        self.assertEqual(left[:2], ["while", "compare"], ops)
        self.assertIn(len(left), (3, 4), ops)


if __name__ == "__main__":
    unittest.main()
