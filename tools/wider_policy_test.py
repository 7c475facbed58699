#!/usr/bin/env python3
"""A policy that allows more accepts what a narrower one accepts.

The backend simd conforms to policy assay, so that a policy which is wider in some keys has nothing against it. What it
finds is a fault of the judge. Usage: wider_policy_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import json
import unittest

from command_test_support import CommandTest, assay

# What has a function is judged otherwise than one call, so that it is drawn more often than among all ops.
WITH_FUNCTIONS = [flag for op in ("map", "reduce", "sort", "compare", "select", "convert", "round*", "multiply")
                  for flag in ("--op", op)]
WIDER = {
    "complex_branch_cut": "either_side",
    "complex_overflow": "by_part_or_steps",
    "contraction": "allowed",
    "excess_precision": "below_f32",
    "inexact_conversion": "nearest_even_or_by_f32",
    "logistic_formula": "real_or_steps",
    "nan_payload_in_movement": "any_nan",
    "subnormals": "flush_uniformly",
}


def fuzzed(policy, *flags):
    # In process, the time that the judge takes counts as well, and machines may be slow.
    return assay("fuzz", "--backend", "simd", "--in-process", "--jobs", "2", "--timeout", "2m", "--policy", policy, *flags)


class WiderPolicyTest(CommandTest):
    def accepts(self, policy):
        for ops, count in (([], "30000"), (WITH_FUNCTIONS, "15000")):
            fuzz = fuzzed(policy, "--seed", "5", "--count", count, *ops)
            self.assertEqual(fuzz.returncode, 0, fuzz.stdout + fuzz.stderr)
            self.assertIn("0 finding(s)", fuzz.stdout)

    def test_the_text_alone(self):
        self.accepts("stablehlo")

    def test_the_text_alone_on_hardware_that_flushes(self):
        self.accepts("stablehlo_flush")

    def test_assay_but_wider(self):
        self.accepts(self.write("wider.json", json.dumps({"extends": "assay", "values": WIDER})))

    def test_each_key_by_itself(self):
        for key, value in WIDER.items():
            with self.subTest(key=key):
                policy = self.write(f"{key}.json", json.dumps({"extends": "assay", "values": {key: value}}))
                fuzz = fuzzed(policy, "--seed", "6", "--count", "6000")
                self.assertEqual(fuzz.returncode, 0, fuzz.stdout + fuzz.stderr)


if __name__ == "__main__":
    unittest.main()
