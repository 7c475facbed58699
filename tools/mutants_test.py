#!/usr/bin/env python3
"""`assay mutants` reports which bugs are killed, survive or are equivalent; the exit code follows from that.

Usage: mutants_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import re
import unittest

from command_test_support import CommandTest, ROOT, assay

CASE = """{"op": "add", "cases": [{"id": "one", "source": "hand", "inputs": {
  "lhs": {"type": "tensor<2xi8>", "data": [1, 2]},
  "rhs": {"type": "tensor<2xi8>", "data": [3, 4]}}, "expect": {"result": [4, 6]}}]}"""


def has_walks(op):
    """Says whether walks are made of calls of the op: of those with lists of numbers, one repeats its operand. Operands
    beside the one that is moved say where its elements go, as sizes do, and a result of rank 0 has no shape of an operand.
    """
    try:
        with open(f"{ROOT}/spec/ops/{op}.json", encoding="utf-8") as file:
            spec = json.load(file)
    except FileNotFoundError:
        return True  # a pointwise op
    operands = [part for part in spec["inputs"] if part["kind"] == "tensor"]
    if "unjudged" in spec or spec["outputs"][0].get("rank") == 0 or len(operands) > 1 and not spec["elementwise"]:
        return False
    if any("at_run_time" in part for part in operands):
        return False
    return op == "broadcast_in_dim" or bool(operands) and all(
        not part.get("variadic") and (part["kind"] in ("tensor", "enum") or
                                      part["kind"] == "constant" and "?" not in part.get("type", "?"))
        for part in spec["inputs"])


class MutantsTest(CommandTest):
    def lines(self, path):
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_arms_in_one_table(self):
        out, markdown = self.path("m.jsonl"), self.path("m.md")
        result = assay("mutants", "--bug", "SH03", "--bug", "LP03E", "--bug", "IA05", "--seeds", "2", "--budget", "2000",
                         "--op", "shift_left", "--op", "remainder", "--out", out, "--markdown", markdown)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"SH03 +op +fail +shift_left/\S+ +>= 100 +\d+ fail +2/2 +2/2\n")
        self.assertRegex(result.stdout, r"IA05 +op +crash +remainder/\S+ +\d+ +\d+ crash +2/2 +0/2\n")
        self.assertRegex(result.stdout, r"LP03E +body +equivalent +0 +> 2000 +0/2 +0/2\n")
        self.assertIn("equivalent LP03E: The tail takes", result.stdout)
        self.assertRegex(result.stdout, r"without a bug: \d+ cases, \d+ pass, \d+ unsupported, \d+ skipped\n")
        self.assertIn("suite: 2 of 3 killed, 1 equivalent, 0 survive\n", result.stdout)
        self.assertIn("fuzz: 2 of 2 killed within 2000 cases, in the median of 2 seeds", result.stdout)
        # The expected text has Wilson's interval of 1 in 2.
        self.assertIn("control, allclose(1e-3): 1 of 2 killed (50 %, Wilson 95 % interval 9 to 91 %)", result.stdout)
        self.assertEqual(result.stderr, "", "no progress in a pipe")

        lines = self.lines(out)
        self.assertEqual([line["kind"] for line in lines], ["mutants"] + 9 * ["mutant"])
        by = {(line["bug"], line["arm"]): line for line in lines[1:]}
        sh03 = by["SH03", "suite"]
        self.assertTrue(sh03["killed"])
        self.assertEqual(sh03["how"], "fail")
        self.assertEqual(sh03["clauses"], ["shift_left/S2"])
        self.assertTrue(sh03["by"].startswith("shift_left/"))
        self.assertGreater(sh03["cases"], 1)
        self.assertEqual(by["IA05", "suite"]["how"], "crash")
        self.assertFalse(by["LP03E", "suite"]["killed"])
        self.assertIn("tail", by["LP03E", "suite"]["equivalent"])
        self.assertEqual(by["SH03", "fuzz"]["kills"], 2)
        self.assertEqual(by["SH03", "fuzz"]["how"], "fail")
        self.assertEqual(by["LP03E", "fuzz"]["executions"], [2001, 2001])
        self.assertEqual(by["SH03", "control"]["kills"], 2)
        self.assertFalse(by["IA05", "control"]["killed"])
        with open(markdown, encoding="utf-8") as file:
            table = file.read()
        self.assertIn("| bug | hook | what it does | suite | first case | cases | fuzz | kills | control |\n", table)
        self.assertRegex(table, r"\| IA05 \| op \| the least value % -1 traps .* \| crash \|")
        self.assertIn("suite: 2 of 3 killed", table)

    def test_every_case_is_asked_once(self):
        out = self.path("m.jsonl")
        result = assay("mutants", "--bug", "SH03", "--arm", "suite", "--enough", "100000", "--out", out, "--op", "shift_left")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        alone = assay("run", "--backend", "broken?bug=SH03", "--op", "shift_left")
        failed = re.search(r"(\d+) failed", alone.stdout)
        self.assertEqual(self.lines(out)[1]["cases"], int(failed[1]), alone.stdout)

    def test_a_survivor_is_a_finding(self):
        result = assay("mutants", "--bug", "IA08", "--arm", "suite", "--op", "shift_left")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertRegex(result.stdout, r"IA08 +op +SURVIVES +0\n")
        self.assertIn("survives IA08: i64 is divided in f64", result.stdout)
        self.assertIn("suite: 0 of 1 killed, 0 equivalent, 1 survive\n", result.stdout)
        self.assertNotIn("control", result.stdout)

    def test_a_call_with_captures_is_said_to_be_wrong(self):
        result = assay("mutants", "--bug", "RG01", "--bug", "RG05E", "--arm", "suite", "--op", "map", "--op", "reduce")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"RG01 +bind +fail +map/\S+ +[1-9]\d*\n")
        self.assertIn("suite: 1 of 2 killed, 1 equivalent, 0 survive\n", result.stdout)

    def test_bugs_of_walks_are_judged_op_by_op(self):
        out, markdown = self.path("m.jsonl"), self.path("m.md")
        result = assay("mutants", "--bug", "WALK_REVERSED_TWICE", "--bug", "WALK_BROADCAST_VECTOR", "--arm", "suite",
                       "--op", "negate", "--op", "pointwise.add", "--out", out, "--markdown", markdown)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("\n  negate                          +s\n  pointwise.add                   ++\n", result.stdout)
        self.assertIn("\ns: shapes, as it repeats no operand\n", result.stdout)
        self.assertRegex(result.stdout, r"  a  reversed_twice +2 ops +3 cases +0 X  negative strides in two dimensions")
        self.assertIn("walks: 3 bugs of ops and kinds, 5 cases, 0 of which do not notice\n", result.stdout)
        self.assertIn("suite: 2 of 2 killed, 0 equivalent, 0 survive\n", result.stdout)
        twice = self.lines(out)[1]
        self.assertEqual(twice["walk"], "reversed_twice")
        self.assertEqual(twice["ops"], {"negate": {"cases": 1, "silent": []}, "pointwise.add": {"cases": 2, "silent": []}})
        with open(markdown, encoding="utf-8") as file:
            self.assertIn("```\nwalks, op x kind", file.read())

    def test_every_op_notices_every_kind_of_walk_that_it_can_show(self):
        with open(f"{ROOT}/backends/broken/bugs.json", encoding="utf-8") as file:
            bugs = [bug["id"] for bug in json.load(file) if "walk" in bug]
        with open(f"{ROOT}/cases/walks/walks.json", encoding="utf-8") as file:
            kinds = [walk["kind"] for walk in json.load(file)["walks"]]
        result = assay("mutants", "--arm", "suite", "--op", "*/walk_*", *[f"--bug={bug}" for bug in bugs])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        rows = dict(re.findall(r"^  ([a-z_.0-9]{1,32}) *([-+Xcostv]{%d})$" % len(kinds), result.stdout, re.M))
        ops = assay("list", "ops").stdout
        names = re.findall(r"^(\S+) +\d+ +\d+  (?!mlir)", ops, re.M) + re.findall(r"pointwise\.\w+", ops)
        # The part that the pointwise ops share is no op, and a trait of MLIR computes
        # nothing. Ops whose shapes are tied to their attributes have no walks.
        self.assertEqual(set(rows), {name for name in names if name != "pointwise" and has_walks(name)})
        for op, cells in rows.items():
            self.assertNotRegex(cells, "[-X]", op)
            self.assertGreater(cells.count("+"), len(kinds) / 2, op)

    def test_an_op_that_does_not_notice_a_walk_is_a_finding(self):
        # The bug is not in calls of this kind.
        walks = self.write("w.json", json.dumps({"walks": [
            {"kind": "rows", "text": "one row", "shape": [9], "lies": "contiguous"}]}))
        result = assay("mutants", "--bug", "WALK_ROWS", "--arm", "suite", "--cases", walks, "--op", "negate")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("\n  negate                          X\n", result.stdout)
        self.assertRegex(result.stdout, r"survives WALK_ROWS: .* \(by negate/walk_rows_[a-z0-9_]+\)\n")

    def test_a_hang_is_one_case(self):
        result = assay("mutants", "--bug", "HANG01", "--arm", "suite", "--op", "add/lengths_i8_1[234]")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"HANG01 +walk +timeout +add/lengths_i8_13 +1\n")
        self.assertIn("without a bug: 3 cases, 3 pass\n", result.stdout)

    def test_the_kernel_without_a_bug_must_pass(self):
        cases = self.write("c.json", CASE.replace("[4, 6]", "[4, 7]"))
        result = assay("mutants", "--bug", "LP09", "--arm", "suite", "--cases", cases)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("without a bug: 1 cases, 1 oracle_suspect\n  not passed: add/one\n", result.stdout)

    def test_a_search_finds_what_the_suite_finds_or_says_that_it_does_not(self):
        result = assay("mutants", "--bug", "LP04", "--bug", "HANG01", "--arm", "fuzz", "--op", "add", "--seeds", "1",
                       "--budget", "600")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"LP04 +body +\d+ guard_violation +1/1\n")
        self.assertRegex(result.stdout, r"HANG01 +walk +\d+ timeout +1/1\n")
        missed = assay("mutants", "--bug", "IA08", "--arm", "fuzz", "--op", "shift_left", "--seeds", "1", "--budget", "600")
        self.assertEqual(missed.returncode, 1, missed.stdout)
        self.assertIn("survivors (seeds that killed): IA08 (0/1)", missed.stdout)

    def test_the_control_alone_does_not_gate(self):
        result = assay("mutants", "--bug", "IA05", "--arm", "control", "--seeds", "1")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"IA05 +op +0/1\n")
        self.assertIsNone(re.search("^suite", result.stdout, re.MULTILINE))

    def test_the_bugs_of_a_device(self):
        out = self.path("m.jsonl")
        result = assay("mutants", "--device", "cuda-host", "--bug", "LA01", "--bug", "DG02", "--arm", "suite", "--op", "negate",
                       "--out", out)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"LA01 +grid +not_written +negate/\S+ +\d+\n")
        self.assertRegex(result.stdout, r"DG02 +run_empty +error +negate/\S+ +\d+\n")
        self.assertIn("--device", self.lines(out)[0]["command"])
        search = assay("mutants", "--device", "cuda-host", "--bug", "DG02", "--arm", "fuzz", "--op", "negate", "--seeds", "1",
                       "--budget", "2000")
        self.assertEqual(search.returncode, 0, search.stdout + search.stderr)
        self.assertRegex(search.stdout, r"DG02 +run_empty +\d+ error +1/1\n")
        for device, bug in (("cuda-host", "SH03"), ("cuda-host", "LA10"), ("cuda", "SH03")):
            result = assay("mutants", "--device", device, "--bug", bug)
            self.assertEqual(result.returncode, 2, bug)
            self.assertIn(f"no planted bug '{bug}'; there are LA01 LA03", result.stderr)
        self.assertEqual(assay("mutants", "--device", "tpu").returncode, 2)

    def test_bad_input_is_one_line(self):
        nowhere = self.path("no/such/folder")
        for reason, *line in (
            ("no planted bug 'SH99'; there are LP01", "--bug", "SH99"),
            ("cannot be written", "--out", nowhere),
            ("is not a regular file", "--markdown", "/dev/null"),
        ):
            result = assay("mutants", *line)
            self.assertEqual(result.returncode, 2, line)
            self.assertIn(reason, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertEqual(assay("mutants", "--arm", "none").returncode, 2)
        nothing = assay("mutants", "--bug", "LP01", "--arm", "suite", "--op", "add/x*")
        self.assertEqual(nothing.returncode, 2, nothing.stdout)


if __name__ == "__main__":
    unittest.main()
