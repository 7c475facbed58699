#!/usr/bin/env python3
"""`assay fuzz` and `assay shrink` hand over their findings as cases that anybody can judge again.

The kernels have planted bugs, and a few ops at a time are drawn. Usage: fuzz_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import json
import os
import re
import shlex
import signal
import subprocess
import time
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

SHIFTS = ["--backend", "broken?bug=SH03", "--op", "shift*"]
NEGATIONS = ["--backend", "broken?bug=FX01", "--op", "negate"]  # few signatures, so that little is shrunk
COUNT = 40000  # judged in half a second, of which the journal says each tenth


def commands(output, label):
    """Returns the commands that are printed behind a label, as arguments."""
    lines = re.findall(rf"^ *{label}: assay (.*)$", output, re.MULTILINE)
    return [shlex.split(line) for line in lines]


def failures(output):
    """Returns the lines with the expected and the actual value of every finding."""
    return re.findall(r"^ +(first at .*|expected .*|actual .*)$", output, re.MULTILINE)


INCLUDE = os.path.join(os.path.dirname(ASSAY), "include")


class ExpectTest(CommandTest):
    def expect(self, status, *arguments):
        run = assay(*arguments)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def refused(self, status, message, *arguments):
        run = self.expect(status, *arguments)
        self.assertIn(message, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertNotIn("pass", run.stdout)


class FuzzTest(ExpectTest):
    def journal(self, folder):
        with open(os.path.join(self.path(folder), "campaign.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def found(self, folder):
        """Returns the least index of each signature."""
        least = {}
        for line in self.journal(folder):
            if line["kind"] == "finding":
                index = least.setdefault(line["signature"], line["index"])
                least[line["signature"]] = min(index, line["index"])
        return least

    def case_files(self, folder):
        return sorted(self.path(os.path.join(folder, name)) for name in os.listdir(self.path(folder))
                      if name.endswith(".json"))

    def test_a_finding_is_a_case_that_anybody_can_judge(self):
        run = self.expect(1, "fuzz", *SHIFTS, "--count", "5000", "--out", self.path("out"))
        files = self.case_files("out")
        self.assertGreater(len(files), 0)
        self.assertIn(f"{len(files)} finding(s) of {len(self.found('out'))} signature(s)", run.stdout)
        self.assertIn("indices 0 to 5000", run.stdout)
        counts = re.findall(r"^  (pass|fail) +(\d+)$", run.stdout, re.MULTILINE)
        self.assertEqual(sum(int(count) for _, count in counts), 5000, run.stdout)
        self.expect(0, "lint", *files)
        cases = [word for file in files for word in ("--cases", file)]
        broken = self.expect(1, "run", "--backend", "broken?bug=SH03", *cases)
        self.assertIn(f"{len(files)} failed", broken.stdout)
        self.assertIn("basis policy:shift_overflow", broken.stdout)
        self.expect(0, "run", "--backend", "simd", "--backend", "broken", *cases)
        for file in files:
            with open(file, encoding="utf-8") as stream:
                case = json.load(stream)["cases"][0]
            for operand in case["inputs"].values():
                self.assertEqual(len(operand["data"]), 1, "one element is enough")
        replays = commands(run.stdout, "replay")
        self.assertEqual(len(replays), len(files))
        for replay in replays:
            self.assertIn(replay[replay.index("--cases") + 1], files)
            self.assertEqual(failures(self.expect(1, *replay).stdout),
                             failures(run.stdout)[3 * replays.index(replay):][:3])

    def test_the_printed_command_finds_it_again(self):
        run = self.expect(1, "fuzz", *SHIFTS, "--count", "600", "--seed", "3")
        first = commands(run.stdout, "again")[0]
        again = self.expect(1, *first)
        self.assertEqual(failures(again.stdout), failures(run.stdout)[:3])
        self.assertIn("--seed 3 --index", again.stdout)
        self.assertEqual(len(failures(again.stdout)), 3)

    def test_one_case_is_written_too(self):
        line = ["fuzz", "--backend", "broken?bug=FX01", "--op", "negate", "--index", "11", "--out"]
        self.expect(1, *line, self.path("new"))
        self.assertEqual(len(self.case_files("new")), 1)
        self.write("file", "")
        self.refused(2, "cannot be made a folder", *line, self.path("file"))

    def test_findings_do_not_depend_on_how_they_are_judged(self):
        outputs = []
        for how in (["--in-process"], ["--jobs", "2"]):
            folder = f"out{len(outputs)}"
            self.expect(1, "fuzz", *NEGATIONS, "--count", "800", "--out", self.path(folder), *how)
            contents = []
            for file in self.case_files(folder):
                with open(file, encoding="utf-8") as stream:
                    contents.append((os.path.basename(file), stream.read()))
            outputs.append((self.found(folder), contents))
        self.assertEqual(outputs[0], outputs[1])

    def test_what_is_right_passes(self):
        for backend in ("simd", "broken", "spec"):
            run = self.expect(0, "fuzz", "--backend", backend, "--op", "add", "--op", "*.not", "--op",
                              "reduce*", "--count", "800", "--jobs", "2")
            self.assertIn("0 finding(s) of 0 signature(s)", run.stdout)

    def test_one_index_is_one_case(self):
        right = self.expect(0, "fuzz", "--backend", "simd", "--op", "abs", "--index", "77", "--seed", "5")
        self.assertEqual(right.stdout, "pass abs/seed_5_77\n")
        more = self.expect(0, "fuzz", "--backend", "simd", "--op", "abs", "--index", "77", "--count", "3")
        self.assertIn("indices 77 to 80", more.stdout)

    def test_what_ends_a_process_is_a_finding(self):
        run = self.expect(1, "fuzz", "--backend", "broken?bug=CRASH01", "--op", "abs", "--count", "20")
        self.assertIn("crash abs/seed_0_", run.stdout)
        self.assertIn("indices 0 to 20", run.stdout)
        again = self.expect(1, *commands(run.stdout, "again")[0])
        self.assertIn("37", again.stdout)

    def test_killed_and_resumed_loses_nothing(self):
        line = ["fuzz", *NEGATIONS, "--count", str(COUNT), "--jobs", "2", "--in-process", "--out"]
        self.expect(1, *line, self.path("whole"))
        expected = self.found("whole")
        run = subprocess.Popen([ASSAY, *line, self.path("killed")], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        while run.poll() is None and self.progress("killed") < 1024:
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertTrue(0 < self.progress("killed") < COUNT)
        again = self.expect(1, *line, self.path("killed"), "--resume")
        self.assertIn(f"indices 0 to {COUNT}", again.stdout)
        self.assertIn(" findings were there already", again.stdout)
        self.assertEqual(self.found("killed"), expected)
        self.assertEqual([os.path.basename(file) for file in self.case_files("killed")],
                         [os.path.basename(file) for file in self.case_files("whole")])
        # A campaign that has come to its end has nothing left to judge.
        done = self.expect(1, *line, self.path("whole"), "--resume")
        self.assertIn(f"{COUNT} cases and", done.stdout)
        self.assertEqual(self.found("whole"), expected)

    def progress(self, folder):
        """Returns how far a campaign is by its journal, whose last line may be cut off."""
        try:
            with open(os.path.join(self.path(folder), "campaign.jsonl"), encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:
            return 0
        indices = re.findall(r'"kind":"progress","next":(\d+),.*\n', text)
        return int(indices[-1]) if indices else 0

    def test_interrupted_it_ends_in_order(self):
        out = self.path("out")
        run = subprocess.Popen([ASSAY, "fuzz", *NEGATIONS, "--time", "60s", "--in-process", "--out", out],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while run.poll() is None and self.progress("out") == 0:
            time.sleep(0.005)
        run.send_signal(signal.SIGINT)
        stdout, stderr = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, stdout + stderr)
        self.assertIn("the same command with --resume goes on", stderr)
        self.assertIn("finding(s) of", stdout)
        self.assertGreater(len(self.case_files("out")), 0)

    def test_times_are_numbers_with_units(self):
        for time in ("1ms", "0.001", ".001s", "0m1ms", "0.0001m"):
            self.expect(0, "fuzz", "--backend", "simd", "--op", "abs", f"--time={time}")

    def test_wrong_input_is_said_in_a_line(self):
        backend = ["fuzz", "--backend", "simd", "--op", "abs"]
        for time in ("0", "0.9ms", "-1s", "1 s", "1h30", "5x", "s", ".", "1e3s", "inf", "nan", "1000000001"):
            self.refused(2, f"--time: '{time}' is not a time", *backend, f"--time={time}")
        self.refused(2, "no op that runs matches 'nosuch'", "fuzz", "--backend", "simd", "--op", "nosuch",
                     "--count", "5")
        self.refused(2, "--resume: needs --out DIR", *backend, "--count", "5", "--resume")
        self.refused(2, "unknown policy", *backend, "--count", "5", "--policy", "nosuch")
        self.refused(3, "backend 'nosuch' is not there", "fuzz", "--backend", "nosuch", "--count", "5")
        file = self.write("file", "")
        self.refused(2, "cannot be made a folder for findings", *backend, "--count", "5", "--out", file)
        for flag, *values in (["--count", "0"], ["--count", "5", "--time", "3s"], ["--jobs", "0"]):
            self.assertIn(flag, self.expect(2, *backend, flag, *values).stderr)

    def test_a_journal_of_something_else_is_refused(self):
        out = self.path("out")
        line = ["fuzz", "--backend", "simd", "--op", "abs", "--count", "20", "--out", out]
        self.expect(0, *line)
        self.refused(2, "holds a campaign: --resume goes on with it", *line)
        self.refused(2, "campaign.jsonl:1: is of another campaign", *line, "--resume", "--seed", "1")
        self.expect(0, *line, "--resume")
        with open(os.path.join(out, "campaign.jsonl"), "a", encoding="utf-8") as file:
            file.write('{"kind":"finding"\n')
        number = len(self.journal_lines(out))
        self.refused(2, f"campaign.jsonl:{number}: ", *line, "--resume")

    @staticmethod
    def journal_lines(folder):
        with open(os.path.join(folder, "campaign.jsonl"), encoding="utf-8") as file:
            return file.readlines()


class PartialTest(ExpectTest):
    """The backend implements a sum on one type, in row-major order: it is the example in C, with a mistake."""

    def plugin(self, was="lhs[i] + rhs[i]", becomes="lhs[i] + rhs[i] + (rhs[i] == 0)"):
        with open(os.path.join(ROOT, "backends", "example", "example.c"), encoding="utf-8") as file:
            source = file.read()
        self.assertIn(was, source)
        library = self.path("example.so")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-shared", "-fPIC", "-I", INCLUDE, "-o", library,
                        self.write("example.c", source.replace(was, becomes))], check=True)
        return library

    def line(self, count, *more):
        return ["fuzz", "--backend", self.path("example.so"), "--op", "add", "--op", "subtract", "--op", "pointwise.add",
                "--op", "convert", "--count", str(count), *more]

    @staticmethod
    def outcomes(output):
        return {name: int(count) for name, count in re.findall(r"^  ([a-z_]+) +(\d+)$", output, re.MULTILINE)}

    def test_what_is_declined_is_not_drawn(self):
        self.plugin()
        runs = []
        for how in (["--jobs", "1"], ["--jobs", "2", "--in-process"]):
            run = self.expect(1, *self.line(1500, *how))
            outcomes = self.outcomes(run.stdout)
            self.assertEqual(sum(outcomes.values()), 1500, run.stdout)
            # One slot of 64 is asked whatever is declined.
            self.assertLessEqual(outcomes["unsupported"], 1500 // 64 + 20, run.stdout)
            self.assertRegex(run.stdout, r"declines \d+ of \d+ kinds of calls; what it declines is drawn in 1 of 64 cases only")
            self.assertIn("\n  all types but i32: add\n", run.stdout)
            self.assertRegex(run.stdout, r"\n  all types: .*subtract")
            self.assertRegex(run.stdout, r"\n  not drawn: declined +\d+\n")
            runs.append((outcomes, commands(run.stdout, "again"), failures(run.stdout)))
        strip = [[[word for word in words if word != "--in-process"] for words in again] for _, again, _ in runs]
        self.assertEqual(strip[0], strip[1])
        self.assertEqual(runs[0][2], runs[1][2])

    def test_an_index_is_the_case_whatever_is_declined(self):
        library = self.plugin()
        run = self.expect(1, "fuzz", "--backend", library, "--index", "100000000", "--count", "400")
        again = commands(run.stdout, "again")[0]
        self.assertGreater(int(again[again.index("--index") + 1]), 1 << 48)
        run = self.expect(1, *again)
        self.assertNotIn("declines", run.stdout)
        again[again.index("--backend") + 1] = "simd"
        self.expect(0, *again)

    def test_a_campaign_is_of_what_was_declined(self):
        self.plugin("lhs[i] + rhs[i]", "lhs[i] + rhs[i]")
        out = self.path("out")
        self.expect(0, *self.line(64, "--out", out))
        self.expect(0, *self.line(64, "--out", out, "--resume"))
        self.plugin('"add"', '"subtract"')
        self.refused(2, "or of a backend that declined other calls", *self.line(64, "--out", out, "--resume"))

    def test_it_ends_behind_so_many_findings(self):
        run = self.expect(1, "fuzz", *SHIFTS, "--count", "200000", "--findings", "2")
        self.assertIn("ended behind 2 finding(s), as --findings says", run.stdout)
        self.assertLess(sum(self.outcomes(run.stdout).values()), 100000)


class ShrinkTest(ExpectTest):
    """The cases are written by people."""

    def case(self, *, strides=None, value=7):
        lhs = {"type": "tensor<4x5xi16>", "data": [value + i for i in range(20)]}
        rhs = {"type": "tensor<4x5xi16>", "data": [100 + i for i in range(20)]}
        if strides:
            lhs["strides"] = strides
        return self.write("case.json", json.dumps({
            "op": "subtract", "cases": [{"id": "x", "inputs": {"lhs": lhs, "rhs": rhs}}]}))

    def test_a_case_that_passes_is_said_to(self):
        run = self.expect(4, "shrink", self.case(), "--backend", "simd")
        self.assertEqual(run.stdout, "subtract/x does not fail: pass\n")

    def test_a_case_becomes_a_file_with_its_replay(self):
        out = self.path("small.json")
        run = self.expect(1, "shrink", self.case(value=30), "--backend", "broken?bug=CRASH01", "--out", out)
        with open(out, encoding="utf-8") as file:
            operands = json.load(file)["cases"][0]["inputs"]
        self.assertEqual(operands["lhs"]["data"], [37])
        self.assertEqual(operands["rhs"]["data"], [0])
        self.assertEqual(operands["lhs"]["type"], "tensor<i32>")
        self.expect(0, "lint", out)
        self.expect(0, "run", "--backend", "simd", "--cases", out)
        replay = self.expect(1, *commands(run.stdout, "replay")[0])
        self.assertIn("crash", replay.stdout)
        # The case cannot be made smaller.
        again = self.expect(1, "shrink", out, "--backend", "broken?bug=CRASH01", "--out", self.path("2.json"))
        self.assertIn("executions", again.stdout)
        with open(out, encoding="utf-8") as one, open(self.path("2.json"), encoding="utf-8") as two:
            self.assertEqual(one.read(), two.read())

    def test_a_case_fails_in_a_layout(self):
        case, out = self.case(), self.path("small.json")
        backend = ["--backend", "broken?bug=LY01"]
        self.expect(4, "shrink", case, *backend)
        for chosen in (case + "@step2", case + "#x@step2"):
            run = self.expect(1, "shrink", chosen, *backend, "--out", out)
            self.assertIn("basis policy:layout_invariant", run.stdout)
            with open(out, encoding="utf-8") as file:
                lhs = json.load(file)["cases"][0]["inputs"]["lhs"]
            self.assertLessEqual(len(lhs["data"]), 4)
        replay = self.expect(1, *commands(run.stdout, "replay")[0])
        self.assertIn("subtract/shrunk@step2", replay.stdout)
        self.refused(2, "has no layout 'nosuch'", "shrink", case + "@nosuch", *backend)
        self.refused(2, "has no layout 'in_place'", "shrink",
                     self.write("one.json", json.dumps({"op": "compare", "cases": [
                         {"id": "x", "inputs": {
                             "lhs": {"type": "tensor<i8>", "data": [1]},
                             "rhs": {"type": "tensor<i8>", "data": [1]},
                             "comparison_direction": "LT", "compare_type": "SIGNED"}}]})) + "@in_place",
                     *backend)

    def test_executions_are_limited(self):
        run = self.expect(1, "shrink", self.case(value=30), "--backend", "broken?bug=CRASH01",
                          "--executions", "2")
        self.assertIn("2 executions, which is all that --executions allows", run.stdout)

    def test_a_case_that_is_not_there(self):
        self.refused(2, "nosuch.json", "shrink", self.path("nosuch.json"), "--backend", "simd")


if __name__ == "__main__":
    unittest.main()
