#!/usr/bin/env python3
"""Tests that the findings in libraries are still shown by their plain scripts, where the libraries are installed.

This test is run by .ci/run on the build without sanitizers.

Usage: foreign_test.py ASSAY
"""

import importlib.machinery
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FINDINGS = ROOT / "docs/findings"
MOST_LINES = 10


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

    def test_gone_and_broken_scripts_are_failures(self):
        loader = importlib.machinery.SourceFileLoader("foreign", str(ROOT / "tools/foreign"))
        foreign = types.ModuleType("foreign")
        foreign.__file__ = loader.path
        loader.exec_module(foreign)
        with tempfile.TemporaryDirectory() as folder:
            for name, body, state in (("gone", "print('x is 1, for 1')", "gone"),
                                      ("shown", "print('x is 2, for 1'); raise SystemExit(1)", "shown"),
                                      ("silent", "raise SystemExit(1)", "broken"),
                                      ("wrong", "import nothing_of_this_name", "broken"),
                                      ("skipped", "print('skipped: no GPU'); raise SystemExit(77)", "skipped")):
                script = pathlib.Path(folder) / "numpy" / f"{name}.py"
                script.parent.mkdir(exist_ok=True)
                script.write_text(body, encoding="utf-8")
                self.assertEqual(foreign.state_of(script)[0], state, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
