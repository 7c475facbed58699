#!/usr/bin/env python3
"""Tests that the findings in libraries are still shown by their plain scripts, where the libraries are installed.

This test is run by .ci/run on the build without sanitizers.

Usage: foreign_test.py ASSAY
"""

import importlib.machinery
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

import foreign_reasons

ROOT = pathlib.Path(__file__).resolve().parent.parent
FINDINGS = ROOT / "docs/findings"
MOST_LINES = 10
UNEXPLAINED = "not yet explained"


def run(*words):
    return subprocess.run([ROOT / "tools/foreign", *words], capture_output=True, text=True, check=False)


def scripts():
    return sorted([*FINDINGS.glob("*/*.py"), *FINDINGS.glob("*/*.cc")])


class ForeignTest(unittest.TestCase):
    def test_every_finding_is_shown(self):
        done = run("confirm")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = [line for line in done.stdout.splitlines() if line.startswith(("shown", "skipped"))]
        self.assertEqual(len(lines), len(scripts()), done.stdout)
        self.assertTrue(any(line.startswith("shown") for line in lines), done.stdout)
        for line in lines:
            if line.startswith("skipped"):
                print(line)

    def test_a_script_is_short_and_plain(self):
        for script in scripts():
            text = script.read_text(encoding="utf-8")
            beside = ("import ", "from ", "#include", '"""', "//")  # what it imports, and the clause that it quotes
            own = [line for line in text.splitlines() if line.strip() and not line.startswith(beside)]
            self.assertLessEqual(len(own), MOST_LINES, script)
            self.assertRegex(text, r'^(""")?(// )?[\w.]+/[\w-]+: ', script)
            self.assertNotIn("assay", text, script)

    def test_every_script_stands_on_a_page(self):
        pages = "".join(page.read_text(encoding="utf-8") for page in FINDINGS.glob("*.md"))
        for script in scripts():
            name = f"{script.parent.name}/{script.name}"
            self.assertTrue(name in pages, name)

    def test_what_is_not_there_is_said_in_one_line(self):
        for words in (("confirm", "nothing"), ("judge", "nothing")):
            done = run(*words)
            self.assertEqual(done.returncode, 1, words)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_an_entry_of_a_baseline_has_the_reason_of_its_verdict(self):
        scripts = foreign_reasons.scripts_by_clause([FINDINGS / "torch"])
        from_the_end = "jax.lax.dynamic_slice: a negative index counts from the end before it is clamped"
        for name, verdict, reason in (
                ("torch", {"outcome": "fail", "clauses": ["sign/S4"]}, "by a clause of sign_of_nan.py"),
                ("torch", {"outcome": "fail", "op": "pointwise.sign", "clauses": ["convert/S9", "sign/S4"]}, "by a clause of sign_of_nan.py"),
                ("jax", {"outcome": "fail", "clauses": ["dynamic_slice/S1", "dynamic_slice/S3"]}, from_the_end),
                ("torch", {"outcome": "fail", "clauses": ["dynamic_slice/S3"], "basis": "text"}, "dynamic_slice/S3: contradicts the text"),
                ("torch", {"outcome": "fail", "clauses": ["cbrt/S2"], "basis": "budget"}, "cbrt/S2: less accurate than the budget"),
                ("paddle", {"outcome": "fail", "clauses": ["x/S1"], "basis": "text"}, "x/S1: contradicts the text"),
                ("x", {"outcome": "fail", "clauses": ["x/S1"], "basis": "policy:k"}, "x/S1: open, and the policy decides k otherwise"),
                ("x", {"outcome": "accepted_invalid", "message": "run A: the backend accepts a call that violates C1, C3"},
                 "not checked: C1, C3"),
                ("x", {"outcome": "rejected_valid", "message": "run A: the backend calls a valid call invalid: /a/b/no\nmore"},
                 "a valid call is refused: no"),
                ("x", {"outcome": "crash", "message": "run A: signal 8 at 0x7f0012345678"},
                 "the call ends the process: signal 8 at 0x.."),
                ("x", {"outcome": "timeout", "message": ""}, "the call does not return in time")):
            self.assertEqual(foreign_reasons.reason_of({"op": "x", **verdict}, scripts, foreign_reasons.differences_by_clause(name)), reason)

    def test_what_fails_on_one_machine_alone_may_pass(self):
        def baseline(**entries):
            return {"backends": {"x": {"entries": [
                {"pattern": case, "outcomes": outcomes, "reason": "known"} for case, outcomes in entries.items()]}}}

        before = baseline(both=["fail"], other=["fail"], declined=["fail"], another=["crash"], gone=["fail"])
        here = baseline(both=["fail"], another=["fail"], new=["error"])
        outcomes = {"both": "fail", "other": "pass", "declined": "unsupported", "another": "fail", "new": "error"}
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as results:
            for case, outcome in outcomes.items():
                print(json.dumps({"kind": "result", "case": case, "outcome": outcome}), file=results, flush=True)
            foreign_reasons.keep(before, here, results.name)
        kept = here["backends"]["x"]
        self.assertEqual({entry["pattern"]: entry["outcomes"] for entry in kept["entries"]},
                         {"both": ["fail"], "other": ["pass", "fail"], "another": ["crash", "fail"], "new": ["pass", "error"]})

    def test_a_library_may_have_several_folders_of_scripts(self):
        scripts = foreign_reasons.scripts_by_clause([FINDINGS / "jax", FINDINGS / "xla_cpu"])
        self.assertEqual(scripts["broadcast_in_dim/S3"], ["broadcast_in_dim_of_square.py"])
        self.assertEqual(scripts["dynamic_update_slice/S2"],
                         ["dynamic_update_slice_of_negative_i8_index.py", "dynamic_update_slice_of_i8_index.py"])

    def test_every_entry_of_a_baseline_has_a_reason(self):
        for path in (ROOT / "cases/baselines").glob("*.json"):
            for backend in json.loads(path.read_text(encoding="utf-8"))["backends"].values():
                for entry in backend["entries"]:
                    self.assertNotEqual(entry["reason"], UNEXPLAINED, f"{path.name}: {entry['pattern']}")
                    if not entry["reason"].startswith("by a clause of "):  # messages of libraries name their own sources
                        continue
                    for script in re.findall(r"[\w]+\.(?:py|cc)", entry["reason"]):
                        self.assertTrue(list(FINDINGS.glob(f"*/{script}")), f"{path.name}: {script}")

    def test_gone_and_broken_scripts_are_failures(self):
        loader = importlib.machinery.SourceFileLoader("foreign", str(ROOT / "tools/foreign"))
        foreign = types.ModuleType("foreign")
        foreign.__file__ = loader.path
        loader.exec_module(foreign)
        with tempfile.TemporaryDirectory() as folder:
            for name, body, state in (("gone", "print('x is 1, for 1')", "gone"),
                                      ("shown", "print('x is 2, for 1'); raise SystemExit(1)", "shown"),
                                      ("silent", "raise SystemExit(1)", "broken"),
                                      ("numpy_bool", "import numpy; print('x'); raise SystemExit(numpy.float64(1) != 1)", "broken"),
                                      ("wrong", "import nothing_of_this_name", "broken"),
                                      ("skipped", "print('skipped: no GPU'); raise SystemExit(77)", "skipped")):
                script = pathlib.Path(folder) / "numpy" / f"{name}.py"
                script.parent.mkdir(exist_ok=True)
                script.write_text(body, encoding="utf-8")
                self.assertEqual(foreign.state_of(script)[0], state, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
