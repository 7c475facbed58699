#!/usr/bin/env python3
"""`assay fuzz` ends in a moment when it is interrupted, however long a call takes, and goes on with --resume.

The backend is the example in C with a mistake, which sleeps in the process and at the call that the environment names. Process 1 is
asked what is declined, process 2 judges, and process 3 is that of the shrinker. Usage: fuzz_interrupted_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import json
import os
import re
import signal
import subprocess
import time
import unittest

from command_test_support import ASSAY, ROOT, CommandTest

INCLUDE = os.path.join(os.path.dirname(ASSAY), "include")
ADDS = "result[i] = lhs[i] + rhs[i];"
# SLEEPS is PROCESS:CALL, where call 0 is the start of the process.
SLEEPS = r"""
#include <stdlib.h>
#include <unistd.h>
static int g_process, g_call;
static void MaybeSleep(void) {
  int process = 0, call = 0;
  const char* sleeps = getenv("SLEEPS");
  if (!sleeps || sscanf(sleeps, "%d:%d", &process, &call) != 2) return;
  if (process != g_process || call > g_call) return;
  fclose(fopen(getenv("ASLEEP"), "w"));
  sleep(300);
}
__attribute__((constructor)) static void Start(void) {
  FILE* processes = fopen(getenv("PROCESSES"), "a");
  fputc('x', processes);
  g_process = (int)ftell(processes);
  fclose(processes);
  MaybeSleep();
}
"""
# So long may the end take, where the machine does nothing else. Any sleep is longer than what is asserted.
SECONDS = 2
SLOW = 5


class InterruptedTest(CommandTest):
    def setUp(self):
        super().setUp()
        with open(os.path.join(ROOT, "backends", "example", "example.c"), encoding="utf-8") as file:
            source = file.read()
        self.assertIn(ADDS, source)
        source = source.replace(ADDS, "result[i] = lhs[i] + rhs[i] + (rhs[i] == 0);\n  ++g_call;\n  MaybeSleep();")
        source = source.replace("static int32_t Decline(", SLEEPS + "static int32_t Decline(", 1)
        subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-shared", "-fPIC", "-I", INCLUDE, "-o", self.path("slow.so"),
                        self.write("slow.c", source)], check=True)
        self.out = self.path("out")

    def start(self, sleeps, *more):
        for name in ("processes", "asleep"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        return subprocess.Popen(
            [ASSAY, "fuzz", "--backend", self.path("slow.so"), "--op", "add", "--count", "4000", "--timeout", "200s",
             "--start-timeout", "200s", "--out", self.out, *more],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "SLEEPS": sleeps, "PROCESSES": self.path("processes"), "ASLEEP": self.path("asleep")})

    def interrupted(self, sleeps, how=signal.SIGTERM, *more):
        """Interrupts the campaign where it sleeps, and returns what it prints to both streams."""
        run = self.start(sleeps, *more)
        while run.poll() is None and not os.path.exists(self.path("asleep")):
            time.sleep(0.01)
        self.assertIsNone(run.poll(), "it sleeps")
        began = time.monotonic()
        run.send_signal(how)
        stdout, stderr = run.communicate(timeout=60)
        took = time.monotonic() - began
        print(f"{sleeps}: ended after {took:.2f} s")
        self.assertLess(took, SECONDS + SLOW)
        self.assertEqual(run.returncode, 130, stdout + stderr)
        return stdout, stderr

    def journal(self, kind):
        with open(os.path.join(self.out, "campaign.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        return [line for line in lines if line["kind"] == kind]

    def case_files(self):
        return sorted(name for name in os.listdir(self.out) if name.endswith(".json"))

    def resumed(self):
        """Goes on without a sleep, and returns what is printed."""
        run = self.start("0:0", "--resume")
        stdout, stderr = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1, stdout + stderr)
        self.assertIn("indices 0 to 4000", stdout)
        self.assertRegex(stdout, r"shrunk in \d+ executions[;\n]")
        self.assertNotIn("not to the end", stdout)
        self.assertNotIn("not shrunk", stdout)
        judged = sum(int(count) for count in re.findall(r"^  (?:pass|fail|unsupported) +(\d+)$", stdout, re.MULTILINE))
        self.assertEqual(judged, 4000, stdout)
        return stdout

    def test_what_is_shrunk_so_far_is_kept(self):
        stdout, stderr = self.interrupted("3:4")
        self.assertRegex(stdout, r"shrunk in \d+ executions, not to the end")
        self.assertIn("indices 0 to 4000", stdout)
        self.assertRegex(stdout, r"\n[1-9]\d* finding\(s\) of [1-9]\d* signature\(s\)")
        self.assertIn("interrupted; the same command with --resume goes on", stderr)
        self.assertEqual(self.journal("progress")[-1]["next"], 4000)
        self.assertGreater(len(self.case_files()), 0)
        self.assertIn("4000 cases and", self.resumed())

    def test_what_is_not_shrunk_yet_is_told_as_it_was_found(self):
        for sleeps in ("3:0", "3:1"):
            stdout, _ = self.interrupted(sleeps, signal.SIGINT, *(["--resume"] if os.path.exists(self.out) else []))
            self.assertIn("  not shrunk: interrupted\n  again: assay fuzz ", stdout)
            self.assertEqual(len(re.findall("not shrunk: interrupted", stdout)), len({line["signature"] for line in self.journal("finding")}))
            self.assertEqual(self.case_files(), [])
        self.resumed()

    def test_a_block_that_does_not_end_is_judged_again(self):
        stdout, _ = self.interrupted("2:3000")
        self.assertGreater(len(self.journal("finding")), 0)
        next_slot = self.journal("progress")[-1]["next"]
        self.assertIn(next_slot, range(512, 4000, 512))
        self.assertIn(f"indices 0 to {next_slot}", stdout)
        # The other findings are shrunk meanwhile.
        self.assertGreater(len(self.case_files()), 0)
        again = self.resumed()
        self.assertIn(f"{next_slot} cases and", again)

    def test_a_signal_to_the_group_as_well_is_one_interruption(self):
        """As timeout(1) sends it: to the process, then to its group. One that comes later ends the process."""
        run = self.start("2:3000")
        while run.poll() is None and not os.path.exists(self.path("asleep")):
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        time.sleep(0.01)
        os.killpg(run.pid, signal.SIGTERM)
        stdout, stderr = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, stdout + stderr)
        self.assertIn("indices 0 to ", stdout)
        run = self.start("3:1", "--resume")
        while run.poll() is None and not os.path.exists(self.path("asleep")):
            time.sleep(0.01)
        # It is stopped meanwhile, so that it has not ended by itself, however long this takes.
        run.send_signal(signal.SIGTERM)
        time.sleep(0.01)
        run.send_signal(signal.SIGSTOP)
        time.sleep(0.7)
        run.send_signal(signal.SIGTERM)
        run.send_signal(signal.SIGCONT)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, -signal.SIGTERM)

    def test_it_ends_while_it_asks_what_is_declined(self):
        _, stderr = self.interrupted("1:2")
        self.assertIn("interrupted before the first case", stderr)


if __name__ == "__main__":
    unittest.main()
