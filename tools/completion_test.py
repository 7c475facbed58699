#!/usr/bin/env python3
"""The shells themselves are asked what they propose with the scripts of `assay completion`; the manual page is checked, too.

Usage: completion_test.py ASSAY_BINARY
"""

import os
import re
import shutil
import subprocess
import unittest

from command_test_support import ASSAY, CommandTest, assay

POLICIES = {"assay", "numpy", "stablehlo", "torch", "xla"}
# Each entry has the line that is typed, some words that are proposed, and some
# that are not.
LINES = [
    ("assay ", {"run", "fuzz", "list", "completion"}, {"--op", "cases"}),
    ("assay ru", {"run"}, {"fuzz"}),
    ("assay run --", {"--backend", "--op", "--policy", "--layouts"}, {"--count", "run"}),
    ("assay fuzz --", {"--backend", "--count"}, {"--layouts"}),
    ("assay run --policy ", POLICIES, {"--op", "none"}),
    ("assay run --backend simd --policy st", {"stablehlo"}, {"assay", "numpy"}),
    ("assay run --policy=", POLICIES, {"--op"}),
    ("assay run --policy=num", {"numpy"}, {"assay"}),
    ("assay run --layouts ", {"none", "all"}, {"assay"}),
    ("assay run --op shift_", {"shift_left", "shift_right_arithmetic"}, {"add"}),
    ("assay list ", {"ops", "cases", "policies", "types"}, {"run"}),
    ("assay list cases --", {"--op", "--cases"}, {"--policy"}),
    ("assay list cases --op negat", {"negate"}, {"add"}),
    ("assay spec subtr", {"subtract"}, {"add"}),
    ("assay run --backend si", {"simd"}, {"eigen"}),
    ("assay run --backend python:nu", {"numpy"}, {"noop"}),
    ("assay run --out res", {"results.jsonl"}, {"add"}),
    ("assay report ", {"results.jsonl"}, set()),
    ("assay import --", {"--out", "--memory"}, {"--op"}),
    ("assay completion ", {"bash", "zsh", "fish"}, {"run"}),
]

ASK_BASH = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _assay; printf "%s\\n" "${COMPREPLY[@]}"'
ASK_FISH = 'source $argv[1]; complete -C $argv[2]'
# Completion in zsh runs in its line editor only, so the script gets that editor's builtins from here. They do not leave out words
# that do not begin as the line ends, so the test does.
ASK_ZSH = r'''
compdef() { }
compset() { PREFIX=${PREFIX#*=} }
compadd() { print -l -- "${(@P)@[-1]}" }
_describe() { local entry; for entry in "${(@P)@[-1]}"; do print -r -- "${${entry//\\:/@}%%:*}"; done }
_files() { print -l -- *(N) }
source $1
words=("${(@s: :)2}") CURRENT=$#words PREFIX=$words[-1]
_assay
'''


class CompletionTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("results.jsonl", "")

    def script(self, shell):
        if shutil.which(shell) is None:
            self.skipTest(f"{shell} is not installed, so its completion was not tried")
        result = assay("completion", shell)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(subprocess.run([shell, "-n", self.write("s." + shell, result.stdout)], check=False).returncode, 0)
        return self.path("s." + shell)

    def ask(self, *command):
        result = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False, timeout=120,
                                env={**os.environ, "HOME": self.folder})
        self.assertEqual(result.stderr, "")
        return result.stdout

    def expect(self, proposed):
        for line, some, none in LINES:
            with self.subTest(line=line):
                words = proposed(line)
                self.assertEqual(some - words, set(), "not proposed")
                self.assertEqual(none & words, set(), "proposed")

    def test_bash(self):
        script = self.script("bash")
        self.expect(lambda line: set(self.ask("bash", "--norc", "-c", ASK_BASH, "bash", script, line).splitlines()))

    def test_fish(self):
        script = self.script("fish")

        def proposed(line):
            words = {entry.split("\t")[0] for entry in self.ask("fish", "--no-config", "-c", ASK_FISH, script, line).splitlines()}
            # Fish proposes the whole word, with the text before the value.
            return {re.sub(r"^(--[a-z]+=|python:)", "", word) if line.rsplit(" ")[-1].startswith(("--policy=", "python:"))
                    else word for word in words}

        self.expect(proposed)

    def test_zsh(self):
        script = self.script("zsh")

        def proposed(line):
            typed = re.split(r"[ =]", line)[-1]
            words = self.ask("zsh", "-f", "-c", ASK_ZSH, "zsh", script, line).splitlines()
            return {word.removeprefix("python:") for word in words if word.startswith(typed)}

        self.expect(proposed)

    def test_the_manual_page(self):
        page = assay("man").stdout
        self.assertTrue(page.startswith(".TH ASSAY 1"))
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed, so the manual page was not set")
        result = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=page, capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for text in ("assay run --backend BACKEND..", "--require-judged PERCENT", "EXIT STATUS", "5 the baseline is stale",
                     "ASSAY_SUITE", "assay list cases"):
            self.assertIn(text, re.sub(r"\s+", " ", result.stdout))


if __name__ == "__main__":
    unittest.main()
