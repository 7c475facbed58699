#!/usr/bin/env python3
"""A sweep has one result, whatever the number of workers, and however often it is killed.

Usage: sweep_test.py ASSAY [KILLS]. 2^21 elements in 32 chunks stand for 2^32 in 4096.
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay, with_sums

KILLS = 8
CHUNKS = 32
SWEEP = {
    "op": "exponential",
    "cases": [
        {"id": "sweep", "chunk": 65536,
         "inputs": {"operand": {"type": "tensor<2097152xf32>", "draw": {"seed": 1, "profile": "uniform"}}}},
        {"id": "after", "inputs": {"operand": {"type": "tensor<1xf32>", "data": [1]}}},
    ],
}


class SweepTest(CommandTest):
    def line(self, out, *more, elements=2097152):
        cases = self.write("sweep.json", json.dumps(SWEEP).replace("2097152", str(elements)))
        return ["run", "--backend", "simd", "--cases", cases, "--out", self.path(out), *more]

    def results(self, out):
        with open(self.path(out), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        # The header has the time, so the checksums differ.
        return [{**line, "sum": ""} for line in lines if line["kind"] == "result"]

    def chunks(self, out):
        try:
            with open(self.path(out + ".chunks"), "rb") as file:
                return file.read().count(b"\n")
        except FileNotFoundError:
            return 0

    def test_one_line_and_the_worst_element(self):
        run = assay(*self.line("a.jsonl", "--jobs", "2"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        sweep, after = self.results("a.jsonl")
        self.assertEqual(sweep["elements"], 2097152)
        self.assertEqual((sweep["chunks"], sweep["run_twice"]), (CHUNKS, 1))
        self.assertNotIn("chunks", after)
        self.assertEqual(sum(sweep["accuracy"]["histogram"]), sweep["accuracy"]["elements"])
        # The text has the index, the operand and the result, in decimal, as a
        # hexadecimal float and as bits.
        worst = sweep["accuracy"]["at"]
        self.assertRegex(worst, r"^\[\d+\]: operand = \S+ = -?0x\S+ \(0x[0-9a-f]{8}\): result \S+ = 0x")
        self.assertEqual(int(re.match(r"\[(\d+)\]", worst).group(1)), sweep["accuracy"]["index"])
        self.assertIn("2097152 elements in 32 chunks", run.stdout)
        self.assertIn("worst " + worst, run.stdout)
        report = assay("report", self.path("a.jsonl"))
        self.assertIn("worst " + worst, report.stdout)

    def test_killed_and_resumed(self):
        whole = assay(*self.line("whole.jsonl"))
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        resumed_from = set()
        for kill in range(KILLS):
            out = f"k{kill}.jsonl"
            resumed = []
            for _ in range(2):  # also a run that is resumed
                run = subprocess.Popen([ASSAY, *self.line(out, *resumed)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
                end = random.randint(0, CHUNKS - 1)
                while run.poll() is None and self.chunks(out) < end:
                    time.sleep(0.001)
                run.send_signal(signal.SIGKILL)
                run.wait()
                resumed = ["--resume"]
            again = assay(*self.line(out, "--resume", "--jobs", "2"))
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
            self.assertEqual(self.results(out), self.results("whole.jsonl"))
            self.assertFalse(os.path.exists(self.path(out + ".chunks")))
            there = re.search(rf"(\d+) of {CHUNKS} chunks were there already", again.stdout)
            resumed_from.add(int(there.group(1)) if there else 0)
        print(f"resumed after {sorted(resumed_from)} chunks", file=sys.stderr)
        self.assertGreater(len(resumed_from), 2, "the kills came at different moments")

    def test_a_journal_of_another_run_is_refused(self):
        whole = assay(*self.line("whole.jsonl"))
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        run = subprocess.Popen([ASSAY, *self.line("j.jsonl")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while run.poll() is None and self.chunks("j.jsonl") < 2:
            time.sleep(0.001)
        run.send_signal(signal.SIGKILL)
        run.wait()
        with open(self.path("j.jsonl.chunks"), encoding="utf-8") as file:
            chunk = json.loads(file.readline())
        foreign = [{**chunk, "i": 9999}, {**chunk, "i": 1}, {**chunk, "chunk": CHUNKS},
                   {**chunk, "case": "exponential/other"}]
        for line in foreign:
            self.write("j.jsonl.chunks", with_sums([line]))
            again = assay(*self.line("j.jsonl", "--resume"))
            self.assertEqual(again.returncode, 2, again.stdout)
            self.assertIn("j.jsonl.chunks: ", again.stderr)
            self.assertIn("is not of this run", again.stderr)

    def test_interrupted_by_ctrl_c(self):
        long = 1 << 25  # not over before the signal comes
        run = subprocess.Popen([ASSAY, *self.line("i.jsonl", elements=long)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        while run.poll() is None and self.chunks("i.jsonl") == 0:
            time.sleep(0.001)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=600)
        self.assertEqual(run.returncode, 130, errors)
        again = assay(*self.line("i.jsonl", "--resume", elements=long))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("chunks were there already", again.stdout)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        KILLS = int(sys.argv.pop(1))
    unittest.main()
