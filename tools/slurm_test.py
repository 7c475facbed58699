#!/usr/bin/env python3
"""On a cluster of one node, shards and campaigns of which tasks are killed and requeued are merged into what one run says.

What `submit` refuses is tested without Slurm as well; then the rest is skipped.
Usage: slurm_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""

import os
import re
import signal
import subprocess
import sys
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay
from documented_test import commands
from resume_test import without_times
from slurm_test_support import Cluster, missing

SUBMIT = os.path.join(ROOT, "tools", "slurm", "submit")
# A part of these takes seconds, in which it can be killed.
RUN = ["--backend", "simd", "--op", "add", "--op", "convert/*:tensor<*x*>", "--repeat", "40"]
FUZZ = ["--backend", "broken?bug=FL05", "--op", "add", "--op", "subtract", "--op", "convert", "--count", "200000"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def verdicts(path):
    """Returns the results without what differs between two runs: times, command lines and the sums over them."""
    return without_times(read(path)).splitlines()


class SubmitTest(CommandTest):
    """What `submit` refuses, with a program in the place of sbatch."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        self.sbatch = self.write("bin/sbatch", '#!/bin/sh\nprintf "[%s]" "$@" >>"$LOG"\necho >>"$LOG"\necho 7\n')
        os.chmod(self.sbatch, 0o755)

    def submit(self, *arguments, **environment):
        environment = {**os.environ, "PATH": self.path("bin") + ":/usr/bin:/bin", "ASSAY": ASSAY, "LOG": self.path("log"),
                       **environment}
        return subprocess.run([SUBMIT, *arguments], capture_output=True, text=True, env=environment, check=False, cwd=self.folder)

    def refused(self, reason, *arguments, **environment):
        result = self.submit(*arguments, **environment)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn(reason, result.stderr)
        self.assertTrue(result.stderr.startswith("tools/slurm/submit: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertFalse(os.path.exists(self.path("log")), "nothing is submitted")

    def test_what_is_refused(self):
        run = ["run", "--tasks", "4", "--out", "out", "--backend", "simd"]
        self.refused("name run or fuzz")
        self.refused("--tasks needs a number", "run", "--tasks", "0", "--out", "out")
        self.refused("--tasks needs a value", "run", "--tasks")
        self.refused("--out needs a folder", "run", "--tasks", "4")
        self.refused("Slurm reads %", "run", "--tasks", "4", "--out", "a%a")
        for flag in ("--shard=1/4", "--fail-fast", "--list"):
            self.refused("leave it out", *run, flag)
        self.refused("--cpus-per-task", *run, "--jobs", "4")
        self.refused("stands behind --", *run, "--baseline", "known.json")
        self.refused("--count is a flag of fuzz", *run, "--count", "4")
        self.refused("two or more for each task", "fuzz", "--tasks", "4", "--out", "out", "--count", "7")
        self.refused("leave it out", "fuzz", "--tasks", "4", "--out", "out", "--count", "100", "--index", "3")
        self.refused("is not there: tools/dev build", *run, ASSAY=self.path("nosuch"))
        self.refused("holds nothing to go on with", *run, "--resume")
        os.mkdir(self.path("out"))
        self.refused("out is there already", *run)
        os.remove(self.sbatch)
        self.refused("sbatch is not there", *run, PATH=self.without_slurm())

    def without_slurm(self):
        """Returns a folder with the programs that `submit` takes before it looks for sbatch."""
        for name in ("bash", "dirname", "env"):
            os.symlink(os.path.join("/usr/bin", name), self.path("bin/" + name))
        return self.path("bin")

    def test_what_is_submitted(self):
        run = ["--partition=p", "run", "--tasks=3", "--out", "out", "--op", "a b*", "--backend", "simd"]
        result = self.submit(*run, "--", "--require", "add/*")
        self.assertEqual(result.returncode, 0, result.stderr)
        array, merge = read(self.path("log")).splitlines()
        self.assertIn("[--partition=p][--array=1-3]", array)
        self.assertIn("[3][--op][a b*][--backend][simd]", array)
        self.assertIn("[--partition=p][--dependency=afterany:7]", merge)
        self.assertTrue(merge.endswith("[3][--require][add/*]"), merge)
        self.assertEqual(self.submit(*run, "--resume").returncode, 0)
        os.remove(self.path("log"))
        self.refused("out is of another command", *run, "--op", "c", "--resume")

    def test_help(self):
        text = self.submit("--help").stdout
        self.assertIn("tools/slurm/submit [SBATCH FLAGS] fuzz --tasks N", text)
        self.assertNotIn("set -euo", text)


class JoinTest(CommandTest):
    """Journals of ranges, of which one is missing, cut off or of another campaign."""

    def part(self, name, first, *more):
        assay("fuzz", "--backend", "simd", "--op", "abs", "--index", first, "--count", "300", "--out", self.path(name), *more)
        return self.path(name + "/campaign.jsonl")

    def join(self, count, *journals):
        return subprocess.run([os.path.join(ROOT, "tools/slurm/join_journals"), self.path("whole"), count, *journals],
                              capture_output=True, text=True, check=False)

    def refused(self, reason, count, *journals):
        result = self.join(count, *journals)
        self.assertEqual(result.returncode, 1)
        self.assertIn(reason, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertFalse(os.path.exists(self.path("whole")))

    def test_parts_that_are_not_one_campaign(self):
        parts = [self.part(str(first), str(first)) for first in (0, 300, 600)]
        self.refused("indices 300 to 600 were not judged", "900", parts[2], parts[0])
        self.refused("indices 900 to 1200 were not judged", "1200", *parts)
        self.refused("is of another campaign", "900", *parts[:2], self.part("other", "600", "--seed", "1"))
        lines = read(parts[1])
        self.write("300/campaign.jsonl", lines[:-9])
        self.refused("300/campaign.jsonl:2: ", "900", *parts)
        self.write("300/campaign.jsonl", lines.splitlines(True)[0])
        self.refused("nothing was judged", "900", *parts)
        self.write("300/campaign.jsonl", lines)
        self.assertEqual(self.join("900", *reversed(parts)).returncode, 0)
        whole = assay("fuzz", "--backend", "simd", "--op", "abs", "--count", "900", "--out", self.path("whole"), "--resume")
        self.assertIn("900 cases and 0 findings were there already", whole.stdout)


class ClusterTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        if missing():
            raise unittest.SkipTest("Slurm is not installed: " + " ".join(missing()))

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("cluster"))
        self.cluster = Cluster(self.path("cluster"))
        self.cluster.environment["ASSAY"] = ASSAY
        self.addCleanup(self.cluster.stop)
        self.cluster.start()
        self.out = self.path("results of a cluster")  # words for a shell

    def submit(self, *arguments):
        result = self.cluster.run(SUBMIT, *arguments, cwd=ROOT)
        self.assertEqual(result.returncode, 0, result.stderr)
        ids = re.findall(r"^(?:array|merge) (\d+):", result.stdout, re.M)
        self.assertEqual(len(ids), 2, result.stdout)
        self.assertIn(f"progress: squeue --array --jobs {ids[0]}\n", result.stdout)
        return ids

    def task(self, words):
        """Returns the process of a task by words of its command line. Those that judge for it look the same but for their parents."""
        lines = {process: (parent, line) for process, parent, line in self.cluster.processes()}
        return next(process for process, (parent, line) in lines.items()
                    if line[:1] == [ASSAY] and f" {words} " in " ".join(line)
                    and any(word.endswith("/resumable") for word in lines.get(parent, (0, []))[1]))

    def stopped(self, journal, lines, words):
        """Stops the process of a task when its journal has so many lines, and returns it. It cannot have ended then."""
        self.cluster.wait_for(lambda: os.path.exists(journal) and read(journal).count("\n") > lines)
        process = self.task(words)
        os.kill(process, signal.SIGSTOP)
        return process

    def state(self, job):
        return self.cluster.run("scontrol", "show", "job", job).stdout

    def ended(self, job):
        self.cluster.wait_for(lambda: "JobState=COMPLETED" in self.state(job) or "JobState=FAILED" in self.state(job), 200)
        return self.state(job)

    def log(self, task):
        return read(os.path.join(self.out, "log", f"{task}.txt"))

    def shard(self, number):
        return os.path.join(self.out, f"shard-{number}.jsonl")

    def test_shards(self):
        array, merge = self.submit("run", "--tasks", "4", "--out", self.out, *RUN)
        # One task is killed, as when it takes too much memory, one is put back into the queue, as when its node fails, and one is
        # told that its time ends.
        processes = {number: self.stopped(self.shard(number) + ".partial", 50, f"--shard {number}/4") for number in (2, 3, 4)}
        written = {}
        for number in processes:
            self.assertFalse(os.path.exists(self.shard(number)), "it has not ended")
            partial = read(self.shard(number) + ".partial")
            self.assertNotIn('"kind":"footer"', partial)
            written[number] = partial.count('"kind":"result"')
        os.kill(processes[2], signal.SIGKILL)
        self.assertEqual(self.cluster.run("scontrol", "requeue", f"{array}_3").returncode, 0)
        self.assertEqual(self.cluster.run("scancel", "--batch", "--signal=TERM", f"{array}_4").returncode, 0)
        os.kill(processes[4], signal.SIGCONT)
        state = self.ended(merge)
        self.assertIn("ExitCode=0:0", state, read(os.path.join(self.out, "report.txt")))
        for number in range(1, 5):
            restarted = number in written
            self.assertIn(f"Restarts={int(restarted)} ", self.state(f"{array}_{number}"))
            there = re.findall(r"(\d+) verdicts were there", self.log(number))
            if restarted:
                print(f"task {number} was ended after {written[number]} verdicts and resumed after {there[-1]}", file=sys.stderr)
                self.assertGreaterEqual(int(there[-1]), written[number])
        self.assertIn("ended with 137: requeued", self.log(2))
        self.assertIn("ended with 130: requeued", self.log(4))
        whole = self.path("whole.jsonl")
        one = assay("run", *RUN, "--out", whole)
        self.assertEqual(one.returncode, 0, one.stderr)
        merged = os.path.join(self.out, "results.jsonl")
        self.assertEqual(verdicts(merged), verdicts(whole))
        report = assay("report", whole, "--junit", self.path("one.xml"), "--markdown", self.path("one.md"))
        self.assertEqual(without_times(read(os.path.join(self.out, "report.txt"))), without_times(report.stdout))
        self.assertEqual(without_times(read(os.path.join(self.out, "junit.xml"))), without_times(read(self.path("one.xml"))))
        self.assertEqual(without_times(read(os.path.join(self.out, "report.md"))), without_times(read(self.path("one.md"))))

    def test_a_campaign(self):
        array, merge = self.submit("fuzz", "--tasks", "2", "--out", self.out, *FUZZ)
        journal = os.path.join(self.out, "part-2", "campaign.jsonl")
        killed = self.stopped(journal, 5, "--index 100000")
        os.kill(killed, signal.SIGKILL)
        state = self.ended(merge)
        self.assertIn("ExitCode=1:0", state, "there are findings\n" + read(os.path.join(self.out, "report.txt")))
        self.assertIn("Restarts=1 ", self.state(f"{array}_2"), self.log(2))
        self.assertIn("ended with 137: requeued", self.log(2))
        one = assay("fuzz", *FUZZ, "--out", self.path("one"))
        self.assertEqual(one.returncode, 1, one.stderr)
        self.assertEqual(self.campaign(read(os.path.join(self.out, "report.txt")), os.path.join(self.out, "merged")),
                         self.campaign(one.stdout, self.path("one")))
        cases = [name for name in os.listdir(self.path("one")) if name != "campaign.jsonl"]
        self.assertGreater(len(cases), 1)
        self.assertEqual(sorted(cases), sorted(name for name in os.listdir(os.path.join(self.out, "merged"))
                                               if name != "campaign.jsonl"))
        for name in cases:
            self.assertEqual(read(os.path.join(self.out, "merged", name)), read(self.path(f"one/{name}")))

    def campaign(self, text, folder):
        """Returns what a campaign prints, without its speed and its folder."""
        text = re.sub(r"\d+ cases a second", "", text.replace(folder, "FOLDER"))
        return re.sub(r"\d+ cases and \d+ findings were there already\n", "", text)

    def test_the_commands_of_the_page(self):
        # The folder looks like a built checkout, with a plugin, what is known of it, and a small suite.
        os.symlink(os.path.join(ROOT, "tools"), self.path("tools"))
        self.compile(self.path("mine.so"))
        os.makedirs(self.path("suite/conformance"))
        os.symlink(os.path.join(ROOT, "cases/conformance/add.json"), self.path("suite/conformance/add.json"))
        self.cluster.environment["ASSAY_SUITE"] = self.path("suite")
        known = [ASSAY, "run", "--backend", "./mine.so", "--layouts", "all", "--baseline", "known.json", "--update-baseline"]
        self.assertEqual(self.cluster.run(*known, cwd=self.folder).returncode, 0)
        shown = [command for _, command in commands(os.path.join(ROOT, "docs", "scale.md")) if command.startswith("tools/slurm/")]
        self.assertEqual([len(shown), sum("--resume" in command for command in shown)], [3, 1])
        for command in shown:
            words = re.sub("--count 10+", "--count 4000", command.replace("--tasks 16", "--tasks 2").replace("task=8", "task=2"))
            if "--resume" in words:
                os.remove(self.path("conformance/shard-2.jsonl"))
            result = self.cluster.run("bash", "-c", words.replace("submit", "submit --wait", 1), cwd=self.folder)
            report = os.path.join(self.folder, "campaign" if " fuzz " in words else "conformance", "report.txt")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr + read(report))
            self.assertRegex(read(report), r"mine.so, policy stablehlo: conforms|\n0 finding\(s\)")
        self.assertIn("shard-1.jsonl is there", read(self.path("conformance/log/1.txt")))

    def compile(self, plugin):
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-shared", "-fPIC", "-I",
                        os.path.join(os.path.dirname(ASSAY), "include"), "-o", plugin,
                        os.path.join(ROOT, "backends", "example", "example.c")], check=True)

    def test_a_part_that_is_missing_is_named_and_judged_later(self):
        # The first time, the array ends at once because its worker cannot be started.
        plugin = self.path("mine.so")
        run = ["run", "--tasks", "2", "--out", self.out, "--backend", plugin, "--op", "add"]
        _, merge = self.submit(*run)
        self.assertIn("ExitCode=2:0", self.ended(merge))
        self.assertIn("shard 1 of 2 is not complete: ", read(os.path.join(self.out, "report.txt")))
        self.compile(plugin)
        _, merge = self.submit(*run, "--resume")
        self.assertIn("ExitCode=0:0", self.ended(merge), read(os.path.join(self.out, "report.txt")))
        self.assertIn("conforms", read(os.path.join(self.out, "report.txt")))

    def test_a_cancelled_task_does_not_come_back(self):
        array, merge = self.submit("run", "--tasks", "1", "--out", self.out, *RUN)
        process = self.stopped(self.shard(1) + ".partial", 50, "--shard 1/1")
        self.cluster.run("scancel", array)
        self.assertIn("ExitCode=2:0", self.ended(merge))
        self.assertIn("JobState=CANCELLED", self.state(array))
        self.assertTrue(os.path.exists(self.shard(1) + ".partial"), "--resume goes on with it")


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    if result.wasSuccessful() and result.skipped:
        print(f"SKIPPED: {result.skipped[0][1]}")
        sys.exit(77)
    sys.exit(not result.wasSuccessful())
