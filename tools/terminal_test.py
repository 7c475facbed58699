#!/usr/bin/env python3
"""A person at a terminal sees failures by cause, the verdict last, help with unknown names, and selections.

Usage: terminal_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import subprocess
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay, with_sums

CRASHES = """
#include <stdlib.h>
#include "backends/backend.h"
static int32_t run(const AssayCall* c, char* m, size_t n) { abort(); }
static const AssayBackend backend = {
    .struct_size = sizeof(AssayBackend), .abi_major = ASSAY_ABI_MAJOR,
    .name = "crashes", .version = "1", .device = {kDLCPU, 0}, .run = run};
const AssayBackend* assay_backend(void) { return &backend; }
"""

# There are eight cases of each of two types.
LENGTHS = json.dumps({"op": "add", "cases": [
    {"id": f"{element}_{{n}}", "each": {"n": list(range(1, 9))}, "inputs": {
        name: {"type": f"tensor<{{n}}x{element}>", "draw": {"seed": 1, "profile": "uniform"}} for name in ("lhs", "rhs")}}
    for element in ("i8", "i32")]})

# Two literals are wrong, so two cases fail with every backend.
WRONG = json.dumps({"op": "add", "cases": [
    {"id": f"x{i}", "source": "hand", "inputs": {name: {"type": "tensor<1xi8>", "data": [i]} for name in ("lhs", "rhs")},
     "expect": {"result": [2 * i if i == 2 else 99]}} for i in (1, 2, 3)]})


class TerminalTest(CommandTest):
    def results(self, causes, backend="mine"):
        """Writes a results file with one or more failures of each (op, clause, type)."""
        header = {"kind": "header", "format": 4, "assay": "", "time": "", "command": [],
                  "suite": {"paths": ["cases"], "cases": 0, "sha256": ""}, "selection": {"ops": [], "cases": False},
                  "backends": [{"backend": backend, "name": "", "version": "", "path": "", "sha256": "",
                                "policy": "torch", "policy_values": {}}]}
        lines = []
        for op, clause, element, count in causes:
            for k in range(count):
                name = f"{op}/{clause}_{element}_{k}"
                lines.append({"kind": "result", "i": len(lines), "backend": backend, "case": name, "op": op,
                              "type": f"tensor<{k + 1}x{element}>", "outcome": "fail", "elements": 1, "basis": "text",
                              "clauses": [f"{op}/{clause}"], "message": "1 of 1 elements differ\nfirst at [0]",
                              "replay": f"assay run --backend mine --op {name}"})
        header["suite"]["cases"] = len(lines)
        footer = {"kind": "footer", "counts": {"fail": len(lines)}, "seconds": 1}
        return self.write("r.jsonl", with_sums([header, *lines, footer]))

    def test_failures_are_grouped_by_cause(self):
        # PyTorch had as many: 479 failures of 34 causes.
        causes = [(op, clause, element, 14 if op == "add" else 14 + (clause == "S1"))
                  for op in ("add", "subtract", "power", "sine", "floor", "sign", "tanh") for clause in ("S1", "S2", "S3")
                  for element in ("f32", "i8")][:34]
        causes[0] = (*causes[0][:3], 479 - sum(count for *_, count in causes[1:]))
        result = assay("report", self.results(causes))
        self.assertEqual(result.returncode, 1, result.stderr)
        lines = result.stdout.splitlines()
        self.assertLessEqual(len(lines), 40, result.stdout)
        self.assertIn("479 cases failed, of 34 causes:", lines)
        self.assertIn("more causes; -v shows them", result.stdout)
        self.assertIn("mine, policy torch: DOES NOT CONFORM, 479 of 479 judged cases failed", lines[-1])
        table = [line for line in lines if "assay explain 'subtract/S1_f32_0'" in line and not line.startswith("  explain")]
        self.assertRegex(table[0], r"^ *\d+  fail +subtract +float +subtract/S1 +text +assay explain 'subtract/S1_f32_0' --policy 'torch'$")
        counts = [int(line.split()[0]) for line in lines if " assay explain " in line and line.split()[0].isdigit()]
        self.assertEqual(len(counts), 20)
        self.assertEqual(counts, sorted(counts, reverse=True), "the largest first")
        everything = assay("report", self.path("r.jsonl"), "-v").stdout
        self.assertEqual(everything.count("\n  explain: assay explain "), 34)
        # JUnit and Markdown have the same causes.
        junit, markdown = self.path("j.xml"), self.path("m.md")
        assay("report", self.path("r.jsonl"), "--junit", junit, "--markdown", markdown)
        with open(junit, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count('<property name="cause"'), 34)
        self.assertEqual(text.count("<failure"), 479)
        self.assertEqual(text.count(">like "), 479 - 34)
        with open(markdown, encoding="utf-8") as file:
            self.assertIn("### Failures: 479 cases of 34 causes", file.read())

    def test_the_verdict_alone_and_in_color(self):
        cases = self.write("c.json", LENGTHS)
        run = ["run", "--backend", "simd", "--cases", cases]
        self.assertEqual(assay(*run, "-q").stdout, "simd, policy assay: conforms; 16 passed, 0 not judged\n")
        self.assertNotIn("\x1b", assay(*run).stdout)
        self.assertIn("\x1b[32msimd, policy assay: conforms", assay(*run, "--color", "always").stdout)
        self.assertIn("\x1b[31msimd", assay("run", "--backend", "simd", "--cases", self.write("w.json", WRONG),
                                            "--color", "always").stdout)
        self.assertTrue(assay(*run).stdout.endswith("simd, policy assay: conforms; 16 passed, 0 not judged\n"))
        verbose = assay(*run, "-v").stdout
        self.assertRegex(verbose, r"\n  add +16 +16 +72 +0\n")
        self.assertEqual(assay(*run, "-v", "-q").returncode, 2)
        self.assertEqual(assay(*run, "--color", "red").returncode, 2)

    def test_a_run_stops_at_the_first_failure(self):
        out = self.path("out.jsonl")
        run = ["run", "--backend", "simd", "--cases", self.write("w.json", WRONG), "--out", out]
        result = assay(*run, "--fail-fast")
        self.assertEqual(result.returncode, 1)
        self.assertIn("add/x1", result.stdout)
        self.assertNotIn("add/x3", result.stdout)
        self.assertIn("assay: stopped at the first failure, after 1 of 3 cases", result.stderr)
        result = assay(*run, "--resume")
        self.assertIn("1 passed, 2 failed, 0 skipped", result.stdout)

    def test_the_chosen_cases_are_listed(self):
        result = assay("run", "--backend", "simd", "--list", "--cases", self.write("c.json", LENGTHS), "--op", "add/i8*")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("add/i8_3", result.stdout)
        self.assertTrue(result.stdout.endswith("\n8 cases\n"), result.stdout)
        result = assay("run")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, "assay: run: --backend is required; see `assay run --help`\n")

    def test_a_crash_is_paid_for_three_times(self):
        source, plugin = self.write("crashes.c", CRASHES), self.path("crashes.so")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-shared", "-fPIC", "-I", ROOT, "-o", plugin, source],
                       check=True)
        run = ["run", "--backend", plugin, "--cases", self.write("c.json", LENGTHS)]
        outcomes = []
        for jobs in ("1", "3"):
            out = self.path(f"r{jobs}.jsonl")
            result = assay(*run, "--jobs", jobs, "--out", out)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("5  skipped: crashed like add/i8_1\n", result.stdout)
            self.assertIn("0 passed, 6 failed, 10 skipped", result.stdout)
            with open(out, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
            outcomes.append([(line["case"], line["outcome"]) for line in lines if line["kind"] == "result"])
        self.assertEqual(outcomes[0], outcomes[1])
        self.assertIn("0 passed, 16 failed, 0 skipped", assay(*run, "--crashes", "0").stdout)
        self.assertIn("0 passed, 2 failed, 14 skipped", assay(*run, "--crashes", "1").stdout)

    def test_names_that_are_not_there(self):
        shown = [
            ("did you mean '--backend'?", "run", "--backed", "simd"),
            ("did you mean '--policy'?", "explain", "add/example", "--polcy", "assay"),
            ("there is no 'foo'; there are: backends ops cases", "list", "foo"),
            ("did you mean 'report'?", "reprot", "x"),
            ("did you mean 'add/example'", "run", "--backend", "simd", "--op", "add/exampel"),
            ("did you mean 'exponential'", "run", "--backend", "simd", "--op", "exp"),
            ("did you mean 'add/*:*f32*', of ", "run", "--backend", "simd", "--op", "add:*f32"),
            ("no case matches 'add/nosuch*'", "run", "--backend", "simd", "--op", "add", "--op", "add/nosuch*"),
            ("no case matches 'add/x@gap'", "run", "--backend", "simd", "--op", "add/x@gap"),
            ("did you mean 'add/example'", "list", "cases", "--op", "add/exampel"),
            ("did you mean 'add/example'", "mutants", "--arm", "suite", "--op", "add/exampel"),
            ("did you mean 'add/example'", "explain", "add/exampel"),
            ("did you mean 'subtract'?", "explain", "substract"),
            ("did you mean 'subtract'?", "spec", "substract"),
            ("did you mean 'gaps'?", "explain", "add/example@gap"),
            ("did you mean 'add/example'", "shrink", "add/exampel", "--backend", "simd"),
            ("did you mean 'subtract'?", "worst-error", "--backend", "simd", "--op", "substract", "--type", "f32"),
            ("did you mean 'subtract'?", "fuzz", "--backend", "simd", "--op", "add", "--op", "substract"),
            ("did you mean 'add/example'", "run", "--backend", "simd", "--op", "add/example", "--after", "add/exampel"),
            ("did you mean 'report'?", "help", "reprot"),
        ]
        # The suite has the cases of one op only, because all of it is read to
        # propose a name.
        os.makedirs(self.path("suite/conformance"))
        os.symlink(os.path.join(ROOT, "cases/conformance/add.json"), self.path("suite/conformance/add.json"))
        for reason, *line in shown:
            with self.subTest(line=line):
                result = assay(*line, ASSAY_SUITE=self.path("suite"))
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertIn(reason, result.stderr)
                self.assertTrue(result.stderr.startswith("assay: "), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        result = assay("run", "--backend", "smid", "--op", "add/example")
        self.assertEqual(result.returncode, 3)
        self.assertIn("did you mean 'simd'?", result.stderr)
        for page in (assay("help"), assay("help", "run")):
            self.assertEqual(page.returncode, 0)
        self.assertEqual(assay("help").stdout, assay("--help").stdout)
        self.assertEqual(assay("help", "run").stdout, assay("run", "--help").stdout)

    def test_an_op_is_explained_by_its_cases(self):
        result = assay("explain", "popcnt")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("popcnt/narrow_i2 ", result.stdout)
        self.assertRegex(result.stdout, r"\n\d+ cases of popcnt; `assay explain 'popcnt/\w+'` explains the first\n$")
        cases = self.write("c.json", LENGTHS)
        self.assertEqual(assay("explain", "add/i8_2", "--cases", cases).returncode, 0)

    def test_a_baseline_of_a_selection(self):
        suite = self.path("suite/conformance")
        os.makedirs(suite)
        for op in ("add", "subtract"):
            self.write(f"suite/conformance/{op}.json", WRONG.replace('"add"', f'"{op}"'))
        baseline = self.path("b.json")

        def run(*flags):
            result = assay("run", "--backend", "simd", "--baseline", baseline, *flags, ASSAY_SUITE=self.path("suite"))
            return result.returncode, result.stdout + result.stderr

        code, text = run("--op", "add", "--update-baseline")
        self.assertEqual(code, 0, text)
        with open(baseline, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["backends"]["simd"]["selection"], ["add"])
        code, text = run("--op", "add")
        self.assertEqual(code, 0, text)
        self.assertIn("simd, policy assay: as its baseline says, 2 known failures; 1 passed, 0 not judged", text)
        self.assertNotIn("Not checked", text)
        self.assertEqual(run()[0], 1, "the others are not in it")
        # A failure that is waived but passes is reported.
        with open(baseline, encoding="utf-8") as file:
            waived = file.read()
        self.write("b.json", waived.replace('"add/x1"', '"add/x*"').replace('"add/x3"', '"add/y"'))
        code, text = run("--op", "add")
        self.assertEqual(code, 1, text)
        self.assertIn("simd, policy assay: NOT AS ITS BASELINE SAYS, 1 waived failures pass; 1 passed", text)
        self.write("b.json", waived)
        self.assertEqual(run("--op", "subtract", "--update-baseline")[0], 0)
        code, text = run()
        self.assertEqual(code, 0, text)

    def test_selections_of_one_suite_are_one_report(self):
        for op in ("add", "subtract"):
            self.write(f"{op}.json", WRONG.replace('"add"', f'"{op}"'))
        names = [self.path("add.json"), self.path("subtract.json")]
        cases = [flag for name in names for flag in ("--cases", name)]
        files = []
        for op in ("add", "subtract"):
            files.append(self.path(op + ".jsonl"))
            assay("run", "--backend", "simd", *cases, "--op", op, "--out", files[-1])
        merged = self.path("merged.jsonl")
        result = assay("report", *files, "--out", merged)
        self.assertEqual(result.returncode, 1, result.stderr)
        # The literal 2 * 2 is the one right sum, and no literal is a right
        # difference.
        self.assertIn("1 passed, 5 failed, 0 skipped; 6 cases", result.stdout)
        self.assertIn("1 passed, 2 failed, 0 skipped; 3 cases", assay("report", merged, "--op", "add").stdout)
        self.assertIn("did you mean 'add/x1'", assay("report", merged, "--op", "add/x").stderr)
        with open(self.path("subtract.json"), "a", encoding="utf-8") as file:
            file.write("\n")
        assay("run", "--backend", "simd", *cases, "--op", "subtract", "--op", "add/x1", "--out", self.path("other.jsonl"))
        result = assay("report", files[1], self.path("other.jsonl"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("subtract.json has other cases there", result.stderr)
        # This is the same selection of another suite.
        assay("run", "--backend", "simd", *cases, "--op", "subtract", "--out", self.path("again.jsonl"))
        result = assay("report", files[1], self.path("again.jsonl"))
        self.assertIn("subtract.json differ", result.stderr)


if __name__ == "__main__":
    unittest.main()
