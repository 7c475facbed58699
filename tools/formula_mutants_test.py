#!/usr/bin/env python3
"""`assay mutants --arm formulas`: the cases tell the formulas of every op from their mutants, or an argument says that no call does.

Usage: formula_mutants_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import re
import unittest

from command_test_support import CommandTest, ROOT, assay

SUM = (r"formulas: (\d+) of (\d+) mutants of (\d+) formulas of (\d+) ops killed, (\d+) equivalent, (\d+) survive; "
       r"(\d+) changes left out that do not parse, (\d+) that have wrong types\n$")


def listed(op):
    """The mutants of an op that are listed as equivalent."""
    with open(f"{ROOT}/tools/mutants/equivalent_formulas.json", encoding="utf-8") as file:
        return [name for entry in json.load(file) for name in entry["mutants"] if name.startswith(f"{op} ")]


class FormulaMutantsTest(CommandTest):
    def sums(self, result):
        match = re.search(SUM, result.stdout)
        self.assertIsNotNone(match, result.stdout + result.stderr)
        return dict(zip(("killed", "mutants", "formulas", "ops", "equivalent", "survive", "unparsed", "untyped"),
                        map(int, match.groups())))

    def cases_of(self, op, keep):
        """Writes the cases of an op whose ids `keep` accepts to a file."""
        with open(f"{ROOT}/cases/conformance/{op}.json", encoding="utf-8") as file:
            cases = json.load(file)
        cases["cases"] = [case for case in cases["cases"] if keep(case["id"])]
        return self.write("cases.json", json.dumps(cases))

    def test_no_mutant_of_any_formula_survives(self):
        result = assay("mutants", "--arm", "formulas", "--all")
        sums = self.sums(result)
        self.assertEqual((result.returncode, sums["survive"]), (0, 0), result.stdout)
        self.assertGreater(sums["mutants"], 10000)
        self.assertEqual(sums["killed"] + sums["equivalent"], sums["mutants"])

    def test_ten_mutants_of_a_formula_are_some_of_all(self):
        some, every = (self.sums(assay("mutants", "--arm", "formulas", "--op", "dot_general", *all))
                       for all in ((), ("--all",)))
        self.assertEqual(some["formulas"], every["formulas"])
        self.assertLess(some["mutants"], every["mutants"])
        self.assertLessEqual(some["mutants"], 10 * some["formulas"])
        self.assertEqual(some["ops"], 1)

    def test_a_mutant_that_no_case_kills_is_shown_with_a_call_that_would(self):
        cases = self.cases_of("transpose", lambda id: "violates_C4" not in id and "per_axis" not in id)
        result = assay("mutants", "--arm", "formulas", "--all", "--op", "transpose", "--cases", cases)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertGreater(self.sums(result)["survive"], 0)
        self.assertRegex(result.stdout, r"^op +label +change +replay\n")
        self.assertRegex(result.stdout, r"\ntranspose +C1 +\d+: 'storage_min' -> 'storage_max' +"
                         r"assay mutants --arm formulas --all --op 'transpose' --cases \S+\n")
        self.assertRegex(result.stdout, r"\nsurvives transpose C\d .*\n  but not transpose\(operand: tensor<.*\) -> \(result: .*\)\n")

    def test_the_list_of_equivalent_mutants_is_held_against_calls(self):
        self.assertGreater(len(listed("transpose")), 2)
        result = assay("mutants", "--arm", "formulas", "--all", "--op", "transpose")
        self.assertEqual(self.sums(result)["equivalent"], len(listed("transpose")), result.stdout)
        self.assertNotIn("not equivalent", result.stdout)
        self.assertNotIn("no mutant", result.stdout)

    def test_flags_of_other_arms_are_refused(self):
        for line in (["--bug", "SH03"], ["--device", "cuda-host"], ["--out", self.path("m.jsonl")], ["--markdown", self.path("m.md")]):
            result = assay("mutants", "--arm", "formulas", *line)
            self.assertEqual(result.returncode, 2, line)
            self.assertIn("--arm: formulas have no bugs", result.stderr)
        result = assay("mutants", "--all")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--all: only --arm formulas chooses among mutants", result.stderr)


if __name__ == "__main__":
    unittest.main()
