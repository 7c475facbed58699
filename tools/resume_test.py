#!/usr/bin/env python3
"""A run that is killed at a random moment and then resumed reports what an uninterrupted run reports.

Usage: resume_test.py ASSAY [KILLS].
This test is run by .ci/run on the build without sanitizers.
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

KILLS = 12
CASES = [word for op in ("add", "power")
         for word in ("--cases", os.path.join(ROOT, "cases/conformance", op + ".json"))]


def without_times(text):
    """Reports differ in the time and the duration, in the command line, and so in checksums; this removes them."""
    text = re.sub(r',"sum":"[0-9a-f]{8}"', "", text)
    text = re.sub(r'"(time|seconds)": ?("[^"]*"|[0-9.]+)', r'"\1":0', text)
    text = re.sub(r'"command": ?\[[^]]*\]', '"command":[]', text)
    return re.sub(r"\d+\.\d s\b", "0 s", text)


class ResumeTest(CommandTest):
    def line(self, out, *more):
        return ["run", "--backend", "simd", "--backend", "spec", *CASES, "--out",
                self.path(out), *more]

    def report(self, out):
        """Returns everything that `assay report` makes of results: terminal output, Markdown and JUnit."""
        markdown, junit = self.path("r.md"), self.path("r.xml")
        text = assay("report", self.path(out), "--markdown", markdown, "--junit", junit)
        self.assertEqual(text.returncode, 0, text.stderr)
        with open(markdown, encoding="utf-8") as one, open(junit, encoding="utf-8") as two:
            return without_times(text.stdout + one.read() + two.read())

    def results(self, out):
        with open(self.path(out), encoding="utf-8") as file:
            return without_times(file.read())

    def written(self, out):
        try:
            return os.path.getsize(self.path(out + ".partial"))
        except FileNotFoundError:
            return 0

    def test_killed_and_resumed(self):
        start = time.monotonic()
        whole = assay(*self.line("whole.jsonl"))
        length = time.monotonic() - start
        if length < 1:  # long enough to be killed at different moments
            CASES.extend(["--repeat", str(int(1.5 / length))])
            start = time.monotonic()
            whole = assay(*self.line("whole.jsonl"))
            length = time.monotonic() - start
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        expected, expected_report = self.results("whole.jsonl"), self.report("whole.jsonl")
        resumed_from = []
        for kill in range(KILLS):
            out = f"k{kill}.jsonl"
            run = subprocess.Popen([ASSAY, *self.line(out)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            if kill % 2:  # while it judges: reading the suite may be most of its time
                written = random.uniform(0, 0.9) * len(expected)
                while run.poll() is None and self.written(out) < written:
                    time.sleep(0.001)
            else:
                time.sleep(random.uniform(0, length))
            run.send_signal(signal.SIGKILL)
            run.wait()
            again = assay(*self.line(out, "--resume"))
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
            resumed_from.append(int(re.search(r"(\d+) verdicts were there", again.stdout).group(1)))
            self.assertEqual(self.results(out), expected)
            if kill % 5 == 0:  # it is made of the results alone
                self.assertEqual(self.report(out), expected_report)
        print(f"{KILLS} kills; resumed after {sorted(resumed_from)} verdicts", file=sys.stderr)
        self.assertGreater(len(set(resumed_from)), 2, "the kills came at different moments")

    def test_interrupted_by_ctrl_c(self):
        run = subprocess.Popen([ASSAY, *self.line("i.jsonl")], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.path("i.jsonl.partial")):
            time.sleep(0.001)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)
        self.assertIn("--resume goes on", errors)
        self.assertFalse(os.path.exists(self.path("i.jsonl")))
        again = assay(*self.line("i.jsonl", "--resume"))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.results("i.jsonl").count('"kind":"result"'),
                         json.loads(self.results("i.jsonl").splitlines()[0])["suite"]["cases"] * 2)

    def test_another_run_is_not_resumed(self):
        with open(self.path("a.jsonl.partial"), "w", encoding="utf-8") as file:
            file.write("not results\n")
        self.assertEqual(assay(*self.line("a.jsonl", "--resume")).returncode, 2)
        assay(*self.line("b.jsonl"))
        os.rename(self.path("b.jsonl"), self.path("b.jsonl.partial"))
        other = assay("run", "--backend", "simd", "--op", "abs", "--out", self.path("b.jsonl"), "--resume")
        self.assertEqual(other.returncode, 2)
        self.assertEqual(other.stderr.count("\n"), 1, other.stderr)

    def test_a_complete_run_is_run_again(self):
        self.assertEqual(assay(*self.line("c.jsonl")).returncode, 0)
        again = assay(*self.line("c.jsonl", "--resume"))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("0 verdicts were there", again.stdout)

    def test_a_backend_that_was_given_up_stays_given_up_in_reports_and_is_resumed(self):
        line = ["run", "--backend", "simd", "--backend", "broken?bug=CRASH01", "--max-deaths", "1", *CASES,
                "--out", self.path("g.jsonl")]
        self.assertEqual(assay(*line).returncode, 3)
        report = assay("report", self.path("g.jsonl"))
        self.assertEqual(report.returncode, 3, report.stdout)
        self.assertIn("was given up", report.stdout)
        self.assertEqual(assay(*line, "--resume").returncode, 3)


class ShardTest(unittest.TestCase):
    def test_four_shards_equal_one_run(self):
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name)
            whole = assay("run", "--backend", "simd", *CASES, "--out", path("whole.jsonl"))
            self.assertEqual(whole.returncode, 0, whole.stderr)
            shards = []
            for i in range(1, 5):
                shards.append(path(f"{i}.jsonl"))
                shard = assay("run", "--backend", "simd", *CASES, "--shard", f"{i}/4", "--out", shards[-1])
                self.assertEqual(shard.returncode, 0, shard.stderr)
            one = assay("report", path("whole.jsonl"), "--out", path("one.jsonl"), "--junit", path("one.xml"))
            four = assay("report", *reversed(shards), "--out", path("four.jsonl"), "--junit", path("four.xml"))
            self.assertEqual(four.returncode, 0, four.stderr)
            self.assertEqual(one.stdout, four.stdout)
            for name in ("jsonl", "xml"):
                with open(path("one." + name), encoding="utf-8") as a, \
                        open(path("four." + name), encoding="utf-8") as b:
                    self.assertEqual(without_times(a.read()), without_times(b.read()), name)
            missing = assay("report", *shards[:3])
            self.assertEqual(missing.returncode, 2)
            self.assertIn("4", missing.stderr)
            for bad in ("0/4", "5/4", "1", "a/b", "1/4x"):
                self.assertEqual(assay("run", "--backend", "simd", "--shard", bad).returncode, 2, bad)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        KILLS = int(sys.argv.pop(1))
    unittest.main()
