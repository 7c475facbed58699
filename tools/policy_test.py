#!/usr/bin/env python3
"""Policies in files are used, replayed, recorded, listed, explained and checked as the shipped ones are.

Usage: policy_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import hashlib
import json
import os
import re
import subprocess
import unittest

from command_test_support import ASSAY, CommandTest, assay

MASK = {"extends": "assay", "description": "Shifts of our hardware.", "values": {"shift_overflow": "mask"},
        "reasons": {"shift_overflow": "the count has five bits"}}
# simd saturates: 1 << 9 is 0, and 2 where the count is masked.
CASES = {"op": "shift_left", "cases": [
    {"id": "named", "source": "hand", "policy": "assay", "inputs": {
        "lhs": {"type": "tensor<1xi8>", "data": [1]}, "rhs": {"type": "tensor<1xi8>", "data": [9]}}, "expect": {"result": [0]}},
    {"id": "any", "inputs": {
        "lhs": {"type": "tensor<1xi8>", "data": [1]}, "rhs": {"type": "tensor<1xi8>", "data": [3]}}}]}


class PolicyTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.policy = self.write("it's mine.json", json.dumps(MASK))
        self.cases = self.write("c.json", json.dumps(CASES))

    def run_cases(self, *flags, policy=None):
        return assay("run", "--backend", "simd", "--cases", self.cases, "--policy", policy or self.policy, *flags)

    def expect_error(self, result, *parts):
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("assay: "), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_a_run_is_judged_by_the_file_and_replayed_with_it(self):
        out = self.path("r.jsonl")
        result = self.run_cases("--out", out)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("basis policy:shift_overflow = mask (policy it's mine.json)", result.stdout)
        self.assertIn("1 passed, 1 failed, 0 skipped", result.stdout)
        self.assertIn("1 literal expectation(s) follow an open result in their program, or hold under another policy",
                      result.stdout)
        with open(out, encoding="utf-8") as file:
            backend = json.loads(file.readline())["backends"][0]
        self.assertEqual(backend["policy"], "it's mine.json")
        self.assertEqual(backend["policy_values"]["shift_overflow"], "mask")
        self.assertEqual(backend["policy_sha256"], hashlib.sha256(json.dumps(MASK).encode()).hexdigest())
        replay = re.search(r"^ *replay: assay (.*)$", result.stdout, re.MULTILINE)[1]
        again = subprocess.run(["sh", "-c", f"'{ASSAY}' {replay}"], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn("0 passed, 1 failed, 0 skipped", again.stdout)
        self.assertIn(replay, again.stdout)

    def test_a_case_that_names_a_shipped_policy_is_skipped_under_another_shipped_one(self):
        result = self.run_cases(policy="mask")
        self.assertIn("1 passed, 0 failed, 1 skipped", result.stdout)

    def test_xla_on_cuda_may_round_factors_and_leaves_no_order(self):
        first = ("^bb0(%a: tensor<f32>, %b: tensor<f32>): %z = stablehlo.constant dense<0.0> : tensor<f32> %is = stablehlo.compare NE, "
                 "%a, %z : (tensor<f32>, tensor<f32>) -> tensor<i1> %r = stablehlo.select %is, %a, %b : tensor<i1>, tensor<f32> "
                 "stablehlo.return %r : tensor<f32>")
        reduce = self.write("reduce.json", json.dumps({"op": "reduce", "cases": [{"id": "first", "inputs": {
            "inputs": [{"type": "tensor<4xf32>", "data": [0, 7, 5, 3]}],
            "init_values": [{"type": "tensor<f32>", "data": [0]}], "dimensions": [0], "body": first}}]}))
        dot = self.write("dot.json", json.dumps({"op": "dot_general", "cases": [{"id": "one", "inputs": {
            "lhs": {"type": "tensor<1xf32>", "data": [4097]}, "rhs": {"type": "tensor<1xf32>", "data": [1]},
            "lhs_batching_dimensions": [], "rhs_batching_dimensions": [],
            "lhs_contracting_dimensions": [0], "rhs_contracting_dimensions": [0],
            "precision_config": ["DEFAULT", "DEFAULT"]}, "outputs": {"result": {"type": "tensor<f32>"}}}]}))

        def allowed(case, policy):
            result = assay("explain", case, "--policy", policy)
            self.assertEqual(result.returncode, 0, result.stderr)
            return re.search(r"^  \[\].*:  (.*?)  by ", result.stdout, re.MULTILINE)[1]

        for policy in ("xla", "xla_cuda"):
            self.assertEqual(allowed(reduce, policy), "7 = 0x1.cp+2 (0x40e00000)")
        self.assertEqual(allowed(dot, "xla"), "4097 = 0x1.001p+12 (0x45800800)")
        self.assertRegex(allowed(dot, "xla_cuda"), r"^4088\.99.* to 4105\.00")

    def test_shipped_policies_have_no_digest(self):
        out = self.path("r.jsonl")
        self.run_cases("--out", out, policy="assay")
        with open(out, encoding="utf-8") as file:
            self.assertNotIn("policy_sha256", json.loads(file.readline())["backends"][0])

    def test_results_under_two_contents_of_a_file_are_not_parts_of_one_run(self):
        parts = []
        for part in "12":
            parts.append(self.path(part + ".jsonl"))
            self.run_cases("--shard", part + "/2", "--out", parts[-1])
            # The file has other bytes but the same values.
            self.write("it's mine.json", json.dumps({**MASK, "description": "Another."}))
        self.expect_error(assay("report", *parts), "backend simd: policy sha256 '")
        os.rename(parts[0], parts[0] + ".partial")
        with open(parts[0] + ".partial", encoding="utf-8") as file:
            lines = file.readlines()
        with open(parts[0] + ".partial", "w", encoding="utf-8") as file:
            file.writelines(lines[:-1])
        self.expect_error(self.run_cases("--shard", "1/2", "--out", parts[0], "--resume"),
                          "belongs to another run (backend simd: policy sha256 '")

    def test_a_baseline_has_the_name_of_the_file(self):
        suite, baseline = self.path("suite"), self.path("b.json")
        os.makedirs(os.path.join(suite, "conformance"))
        os.rename(self.cases, os.path.join(suite, "conformance", "c.json"))

        def run(policy, *flags):
            return assay("run", "--backend", "simd", "--policy", policy, "--baseline", baseline, *flags, ASSAY_SUITE=suite)

        recorded = run(self.policy, "--update-baseline")
        self.assertEqual(recorded.returncode, 0, recorded.stdout + recorded.stderr)
        with open(baseline, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["backends"]["simd"]["policy"], "it's mine.json")
        self.assertEqual(run(self.policy).returncode, 0)
        self.expect_error(run("assay"), "under policy 'it's mine.json', and this run has policy 'assay'")

    def test_every_subcommand_that_takes_a_policy_takes_a_file(self):
        case = self.cases + "#named"
        explained = assay("explain", case, "--policy", self.policy)
        self.assertEqual(explained.returncode, 0, explained.stderr)
        self.assertIn("rhs = 9:  2 (0x02)  by S2 (policy:shift_overflow)", explained.stdout)
        self.assertIn("policy it's mine.json: shift_overflow = mask (assay: saturate; the count has five bits). A shift count",
                      explained.stdout)
        budget = {"ops": ["tanh"], "types": ["f32"], "ulp": 9.5, "reason": "a table of eight entries"}
        own = self.write("budget.json", json.dumps({**MASK, "budgets": [budget]}))
        self.assertIn("\n  f32: 9.5 ulp (policy budget.json). a table", assay("spec", "tanh", "--policy", own).stdout)
        fuzz = ["fuzz", "--backend", "simd", "--op", "shift_left", "--count", "300", "--jobs", "1", "--in-process"]
        out = self.path("found")
        found = assay(*fuzz, "--policy", self.policy, "--out", out)
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        quoted = "'" + self.policy.replace("'", "'\\''") + "'"
        self.assertIn(f"again: assay fuzz --backend 'simd' --policy {quoted} ", found.stdout)
        self.assertIn(f"replay: assay run --backend 'simd' --policy {quoted} ", found.stdout)
        self.write("it's mine.json", json.dumps({**MASK, "description": "Another."}))
        self.expect_error(assay(*fuzz, "--policy", self.policy, "--out", out, "--resume"), "is of another campaign")
        shrunk = assay("shrink", case, "--backend", "simd", "--policy", self.policy)
        self.assertIn("(policy it's mine.json)", shrunk.stdout)
        search = assay("worst-error", "--backend", "simd", "--op", "tanh", "--type", "f32", "--policy", own, "--count", "4096")
        self.assertIn("policy budget.json", search.stdout)
        self.assertIn("of the budget of 9.5", search.stdout)

    def test_a_policy_is_listed_by_its_differences(self):
        listed = assay("list", "policies", self.policy)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        lines = listed.stdout.splitlines()
        digest = hashlib.sha256(json.dumps(MASK).encode()).hexdigest()
        self.assertEqual(lines[0], f"it's mine.json extends assay, sha256 {digest}")
        self.assertEqual(lines[1], "  Shifts of our hardware.")
        self.assertEqual(lines[2], "shift_overflow = mask (assay: saturate; the count has five bits)")
        self.assertRegex(lines[-1], r"^\d+ keys are as assay has them")
        flush = assay("list", "policies", "flush").stdout
        self.assertTrue(flush.startswith("flush extends assay\n"), flush)
        self.assertIn("\nsubnormals = flush_uniformly\n", flush)
        self.assertIn("budget of sine, cosine on f32", assay("list", "policies", "cuda_fast").stdout)

    def test_lint_looks_at_it(self):
        wrong = self.write("wrong.json", json.dumps({**MASK, "extends": "asay", "values": {"shift_overflow": "maks"}}))
        result = assay("lint", wrong)
        self.assertEqual(result.returncode, 1)
        self.assertIn("/values/shift_overflow: against the schema: unknown value 'maks' (did you mean 'mask'?); there are: ", result.stdout)
        good = self.write("good.json", json.dumps(MASK))
        self.assertEqual(assay("lint", "--fix", good).returncode, 0)
        self.assertIn("1 policies", assay("lint", good).stdout)
        self.assertIn(" 0 complaints", assay("lint", good).stdout)

    def test_what_is_wrong_is_one_line(self):
        bad = self.write("bad.json", json.dumps({**MASK, "values": {"shift_overflow": "\x1b[2Jmaks"}}))
        for command in (["run", "--backend", "simd"], ["explain", self.cases + "#any"], ["spec", "add"],
                        ["fuzz", "--backend", "simd", "--count", "1"], ["shrink", self.cases + "#any", "--backend", "simd"],
                        ["worst-error", "--backend", "simd", "--op", "tanh", "--type", "f32"]):
            self.expect_error(assay(*command, "--policy", bad), "bad.json#/values/shift_overflow: unknown value '\\x1b[2Jmaks'")
            self.expect_error(assay(*command, "--policy", self.path("no.json")), "no.json: ", "No such file")
        self.expect_error(self.run_cases(policy="stablhlo"), "unknown policy 'stablhlo' (did you mean 'stablehlo'?); there are: assay, ")
        self.expect_error(assay("list", "policies", "flash"), "unknown policy 'flash' (did you mean 'flush'?); ")


if __name__ == "__main__":
    unittest.main()
