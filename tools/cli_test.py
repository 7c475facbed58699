#!/usr/bin/env python3
"""The command as a person meets it has the right exit codes, errors of one line, and leaves nothing half-written.

Usage: cli_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import subprocess
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

CASE = """{"op": "add", "cases": [{"id": "one", "source": "hand", "inputs": {
  "lhs": {"type": "tensor<2xi8>", "data": [1, 2]},
  "rhs": {"type": "tensor<2xi8>", "data": [3, 4]}}, "expect": {"result": [4, 6]}}]}"""


class CliTest(CommandTest):
    def expect_error(self, code, reason, *arguments):
        result = assay(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(reason, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("assay: "), result.stderr)

    def test_a_run_passes_and_writes_results(self):
        cases, out = self.write("c.json", CASE), self.path("r.jsonl")
        result = assay("run", "--backend", "simd", "--cases", cases, "--out", out)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("1 passed, 0 failed, 0 skipped", result.stdout)
        self.assertEqual(result.stderr, "", "no progress in a pipe")
        with open(out, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual([line["kind"] for line in lines], ["header", "result", "footer"])
        self.assertEqual(lines[1]["outcome"], "pass")

    def test_a_wrong_literal_is_a_finding(self):
        cases = self.write("c.json", CASE.replace("[4, 6]", "[4, 7]"))
        result = assay("run", "--backend", "simd", "--cases", cases)
        self.assertEqual(result.returncode, 1)
        self.assertIn("oracle_suspect add/one", result.stdout)
        self.assertIn("replay: assay run", result.stdout)

    def test_bad_input_is_one_line_and_exit_2(self):
        bad = self.write("bad.json", CASE.replace("[3, 4]", "[3, 400]"))
        out = self.path("r.jsonl")
        run = ["run", "--backend", "simd", "--out", out, "--cases"]
        self.expect_error(2, "bad.json#/cases/0/inputs/rhs/data/1: 400 is out of range", *run, bad)
        self.expect_error(2, "missing.json: no such file", *run, self.folder + "/missing.json")
        malformed = self.write("m.json", "{")
        self.expect_error(2, "m.json: parse error at line 1", *run, malformed)
        utf8 = self.write("u.json", b'{"op": "\xff"}')
        self.expect_error(2, "u.json: parse error", *run, utf8)
        self.assertFalse(os.path.exists(out))
        self.assertFalse(os.path.exists(out + ".partial"))
        good = self.write("good.json", CASE)
        self.expect_error(2, "unknown policy 'x' (did you mean 'xla' or 'xla_cuda'?); there are: assay", "run", "--backend", "simd",
                          "--policy", "x", "--cases", good)
        self.expect_error(2, "unknown op 'ad'", "run", "--backend", "simd", "--op", "ad")
        self.expect_error(2, "'1T' is not a size", "run", "--backend", "simd", "--memory", "1T")
        self.expect_error(2, "unknown op 'ad'", "spec", "ad")
        self.expect_error(2, "no case 'add/nosuch'", "explain", "add/nosuch")

    def test_bad_floats_are_one_line_and_exit_2(self):
        bad = [
            ("f32", "1e39", "data/0: 1e39: f32 is exceeded"),
            ("f8E4M3FN", "500", "data/0: 500: f8E4M3FN is exceeded"),
            ("f8E8M0FNU", "0", "data/0: 0: f8E8M0FNU has no zero"),
            ("f4E2M1FN", '"nan"', "data/0: nan: f4E2M1FN has no NaN"),
            ("f32", '"0x1.8q3"', "data/0: '0x1.8q3' is not a floating-point literal"),
            ("f32", '"0x1.8"', "data/0: '0x1.8' is not a floating-point literal"),
            ("f32", '"0x7fc0"', "data/0: '0x7fc0' is not a bit pattern of f32: 0x and 8 hexadecimal digit(s)"),
            ("f16", "true", "data/0: true is not a floating-point literal"),
            ("complex<f32>", "1.5", "data/0: expected [real, imaginary], found 1.5"),
            ("i32", "1.5", "data/0: 1.5 is not an integer"),
        ]
        for element_type, value, reason in bad:
            cases = self.write("c.json", """{"op": "negate", "cases": [{"id": "x", "source": "hand",
                "inputs": {"operand": {"type": "tensor<1x%s>", "data": [%s]}}}]}""" % (element_type, value))
            with self.subTest(element_type=element_type, value=value):
                self.expect_error(2, "c.json#/cases/0/inputs/operand/" + reason, "run", "--backend", "simd",
                                  "--cases", cases)
        cases = self.write("r.json", """{"op": "reduce_precision", "cases": [{"id": "x", "source": "hand", "inputs": {
            "operand": {"type": "tensor<1xf32>", "data": [1]}, "exponent_bits": 0, "mantissa_bits": 3}}]}""")
        self.expect_error(2, "r.json#/cases/0: reduce_precision/x violates reduce_precision/C2", "run", "--backend",
                          "simd", "--cases", cases)
        for op, values, reason in [
                ("sine", '"atol": 0, "rtol": -1, "ulps": 2', "result_accuracy/rtol: expected a number of 0 or more"),
                ("sine", '"atol": 0, "ulps": 2', "result_accuracy"),
                ("sine", '"atol": 0, "rtol": 0, "ulps": 0.5', "result_accuracy/ulps"),
                ("sine", '"atol": 1e999, "rtol": 0, "ulps": 2', "atol"),
                ("floor", '"atol": 0, "rtol": 0, "ulps": 2', "only an op with an accuracy budget has one"),
                ("pointwise.sine", '"atol": 0, "rtol": 0, "ulps": 2', "which a pointwise call does not pass on")]:
            methods = '"promotion_methods": [[0, "INT_TO_FLOAT"]], ' if op.startswith("pointwise.") else ""
            cases = self.write("m.json", """{"op": "%s", "cases": [{"id": "x", "result_accuracy": {%s}, "inputs": {
                %s"operand": {"type": "tensor<1xf32>", "data": [1]}}}]}""" % (op, values, methods))
            self.expect_error(2, reason, "run", "--backend", "simd", "--cases", cases)

    def test_tensors_above_the_limit_are_bad_input(self):
        cases = self.write("c.json", CASE.replace("tensor<2xi8>", "tensor<1000000000000xi8>"))
        self.expect_error(2, "--memory allows", "run", "--backend", "simd", "--cases", cases)
        cases = self.write("d.json", CASE)
        self.expect_error(2, "--memory allows 5", "run", "--backend", "simd", "--cases", cases,
                          "--memory", "5")

    def test_what_is_no_backend_is_exit_3_and_the_others_are_judged(self):
        cases, text = self.write("c.json", CASE), self.write("text.so", "no library")
        self.expect_error(3, "is not there", "run", "--backend", "nosuch", "--cases", cases)
        self.expect_error(3, "text.so", "run", "--backend", text, "--cases", cases)
        self.expect_error(3, "target", "run", "--backend", "simd?target=mmx", "--cases", cases)
        self.expect_error(3, "already in use as 'simd?target=sse4'", "run", "--in-process", "--backend",
                          "simd?target=sse4", "--backend", "simd", "--cases", cases)
        result = assay("run", "--backend", "nosuch", "--backend", "simd", "--cases", cases)
        self.assertEqual(result.returncode, 3)
        self.assertIn("1 passed, 0 failed", result.stdout)

    def test_exit_inside_a_call_is_not_success(self):
        source = self.write("exits.c", """
            #include <stdlib.h>
            #include "backends/backend.h"
            static int32_t run(const AssayCall* c, char* m, size_t n) { exit(0); }
            static const AssayBackend backend = {
                .struct_size = sizeof(AssayBackend), .abi_major = ASSAY_ABI_MAJOR,
                .name = "exits", .version = "1", .device = {kDLCPU, 0}, .run = run};
            const AssayBackend* assay_backend(void) { return &backend; }""")
        plugin = self.path("exits.so")
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-std=c11", "-shared", "-fPIC", "-I", ROOT, "-o", plugin,
                        source], check=True)
        line = ["run", "--backend", plugin, "--cases", self.write("c.json", CASE)]
        result = assay(*line, "--in-process")
        self.assertEqual(result.returncode, 1)
        self.assertIn("called exit() inside a call", result.stderr)
        self.assertIn("crash add/one", assay(*line).stdout)

    def test_a_folder_that_loops_is_bad_input(self):
        os.symlink("loop.json", self.path("loop.json"))
        result = assay("run", "--backend", "simd", "--cases", self.folder)
        self.assertIn(result.returncode, (2, 4), result.stderr)
        self.assertLessEqual(result.stderr.count("\n"), 1)

    def test_plugins_are_judged_by_the_texts_alone_unless_told(self):
        cases = self.write("c.json", CASE)
        out = self.path("r.jsonl")
        simd = os.path.join(os.path.dirname(ASSAY), "backends", "simd.so")
        for backend, policy in (("simd", "assay"), (simd, "stablehlo"), ("spec", "assay")):
            assay("run", "--backend", backend, "--cases", cases, "--out", out)
            with open(out, encoding="utf-8") as file:
                header = json.loads(file.readline())
            self.assertEqual(header["backends"][0]["policy"], policy)

    def test_nothing_judged_is_exit_4(self):
        cases = self.write("c.json", CASE.replace('"source"', '"policy": "mask", "source"'))
        result = assay("run", "--backend", "simd", "--cases", cases)
        self.assertEqual(result.returncode, 4, result.stdout)
        self.assertIn("1  skipped: needs policy mask", result.stdout)
        self.assertIn("simd, policy assay: NOT JUDGED, of 1 cases", result.stdout)
        # One of the two shards has the case.
        texts = [assay("run", "--backend", "simd", "--cases", self.write("d.json", CASE), "--shard", shard).stdout
                 for shard in ("1/2", "2/2")]
        self.assertEqual(sorted("Nothing was judged: there is no case." in text for text in texts), [False, True])
        self.assertEqual(sorted("Every case was judged." in text for text in texts), [False, True])

    def test_elements_that_are_accepted_unseen_are_counted_and_can_be_required_not_to_be(self):
        inputs = {
            "lhs": {"type": "tensor<4xi8>", "data": [1, 1, 1, 1]},
            "rhs": {"type": "tensor<4xi8>", "data": [1, 2, 3, 8]},
        }
        cases = self.write("shift.json", json.dumps({"op": "shift_left", "cases": [{"id": "wide", "inputs": inputs}]}))
        results, junit, markdown = (self.path(name) for name in ("r.jsonl", "j.xml", "m.md"))

        def run(policy, *flags):
            files = ("--junit", junit, "--markdown", markdown)
            return assay("run", "--backend", "simd", "--cases", cases, "--policy", policy, *files, *flags)

        line = "Accepted unseen: 1 of 4 elements, whole or in part, because an open clause decides them"
        result = run("stablehlo", "--require-judged", "75", "--out", results)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(line, result.stdout)
        self.assertIn("simd: 3 of 4 elements were judged, 75.0000 %, and --require-judged asks for 75 %.", result.stdout)
        result = run("stablehlo", "--require-judged", "75.1")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("asks for 75.1 %: not met.", result.stdout)
        for file, texts in ((markdown, (line, "too many elements accepted unseen")), (junit, ("as many elements are judged",))):
            with open(file, encoding="utf-8") as stream:
                page = stream.read()
            for text in texts:
                self.assertIn(text, page)
        self.assertIn("<failure", page)
        # A report may ask for more than the run did, and our own policy leaves no element open.
        self.assertEqual(assay("report", results, "--require-judged", "100").returncode, 1)
        result = run("assay", "--require-judged", "100")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("Accepted unseen: 0 of 4 elements", result.stdout)
        for wrong in ("101", "-1", "nan", "most"):
            result = run("assay", "--require-judged=" + wrong)
            self.assertEqual(result.returncode, 2, wrong)
            self.assertIn("--require-judged", result.stderr)

    def test_wrong_usage_is_exit_2(self):
        for line in ([], ["run"], ["run", "--backend"], ["frobnicate"], ["run", "--nosuch"]):
            self.assertEqual(assay(*line).returncode, 2, line)
        self.assertEqual(assay("--help").returncode, 0)
        self.assertIn("--policy", assay("run", "--help").stdout)

    def test_a_suite_that_is_not_there(self):
        result = assay("run", "--backend", "simd", ASSAY_SUITE=self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("no suite", result.stderr)

    def test_explain_names_the_budget_of_each_part(self):
        result = assay("explain", "sine/example", "--policy", "cuda_fast")
        self.assertEqual(result.returncode, 0)
        for part in ("operand in [-pi, pi]: absolute 2^-21.41 (policy cuda_fast): __sinf(x): ",
                     "operand in [-100*pi, 100*pi]: absolute 2^-14.7 (policy cuda_fast): ",
                     "any value (policy cuda_fast): "):
            self.assertIn("  budget: " + part, result.stdout)
        self.assertIn("  budget: 2 ulp (policy assay): ", assay("explain", "sine/example").stdout)

    def test_explain_names_clause_policy_and_value(self):
        result = assay("explain", "shift_right_arithmetic/saturates_i8")
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in ("shift_right_arithmetic/S2", "shift_overflow = saturate", "-1 (0xff)"):
            self.assertIn(text, result.stdout)
        cases = self.write("c.json", CASE)
        self.assertEqual(assay("explain", cases).stdout, assay("explain", cases + "#one").stdout)

    def test_lists(self):
        self.assertIn("paddle.bitwise_right_shift", assay("list", "ops").stdout)
        self.assertRegex(assay("list", "backends").stdout, r"simd +available")
        self.assertIn("shift_overflow", assay("list", "policies").stdout)
        self.assertIn("add/example", assay("list", "cases", "--op", "add").stdout)
        self.assertEqual(json.loads(assay("spec", "add", "--json").stdout)["op"], "add")

    def test_spec_prints_every_op(self):
        table = assay("list", "ops").stdout.split("\n\n")[0]
        ops = [line.split()[0] for line in table.splitlines()[1:]]
        self.assertIn("while", ops)
        for op in ops:
            with self.subTest(op):
                self.assertTrue(assay("spec", op).stdout.startswith(op + "  ("))

    def test_spec_names_the_kinds_of_inputs_and_outputs(self):
        loop = assay("spec", "while").stdout
        self.assertRegex(loop, r"\n  I1 +operand +any number of: tensor or quantized or token\n")
        self.assertRegex(loop, r"\n  I2 +cond +function\n")
        self.assertRegex(loop, r"\n +results +any number of: tensor or quantized or token\n")
        member = assay("spec", "get_tuple_element").stdout
        self.assertRegex(member, r"\n  I1 +operand +tuple\n  I2 +index +constant tensor<i32>\n")
        self.assertRegex(member, r"\n +result +tensor, token or tuple\n")
        self.assertRegex(assay("spec", "func.call").stdout, r"\n  I1 +callee +name of a function\n")
        self.assertRegex(assay("spec", "after_all").stdout, r"\n  I1 +inputs +any number of: token\n")
        self.assertRegex(assay("spec", "compare").stdout, r"\n  I4 +compare_type +one of FLOAT, ")

    def test_spec_names_the_budgets_of_a_policy(self):
        fast = assay("spec", "tanh", "--policy", "cuda_fast").stdout
        self.assertIn("\n  f32: relative 2^-11 (policy cuda_fast). ", fast)
        self.assertIn("\n  complex: 8 ulp (policy cuda_fast). ", fast)
        # The row of policy assay for all narrow types is hidden by a row of the
        # policy that extends it.
        self.assertNotIn("narrow: 0.51 ulp", fast)
        self.assertIn("\n  narrow: 0.51 ulp (policy assay). ", assay("spec", "tanh").stdout)
        sine = assay("spec", "sine", "--policy", "cuda_fast").stdout
        self.assertIn("\n  f32, operand in [-pi, pi]: absolute 2^-21.41 (policy cuda_fast). ", sine)
        self.assertNotIn("policy assay", sine)
        self.assertEqual(assay("spec", "sine", "--policy", "nosuch").returncode, 2)


if __name__ == "__main__":
    unittest.main()
