#!/usr/bin/env python3
"""`assay worker-test` accepts workers that keep the protocol, and finds the rule that others break.

Usage: worker_check_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import subprocess
import sys
import unittest

from command_test_support import ASSAY, CommandTest


# This worker declines every call; each test breaks a rule by changing its text.
WORKER = r"""
import json, mmap, os, struct, sys
def say(answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        hello = message["hello"]
        if hello["protocol"] != 1 or hello["options"]:
            say({"error": "another protocol, or an option"})
            sys.exit(1)
        memory = mmap.mmap(os.open(hello["memory"], os.O_RDWR), hello["bytes"])
        say({"hello": {"protocol": 1, "name": "declines", "version": "1"}})
    elif "call" in message:
        memory[0:8] = struct.pack("<Q", message["call"])
        say({"call": message["call"], "status": "unsupported"})
"""

# Each entry replaces a text of the worker and names the rule that is then
# broken.
BREAKS = [
    ('"version": "1"', '"versions": "1"', "says hello"),
    ('memory[0:8] = struct.pack("<Q", message["call"])', "pass", "writes the number"),
    ('"status": "unsupported"})', '"status": "ok"})', "declines an op"),
    ('or hello["options"]', "", "refuses an option"),
    ('hello["protocol"] != 1 or', "", "refuses another protocol"),
    ("message = json.loads(line)", "message = json.loads(line) if line[0] == '{' else {}",
     "answers what came before a line that is no message"),
    ('say({"call": message["call"], "status": "unsupported"})',
     'say({"call": message["call"] ^ (message["call"] > 100), "status": "unsupported"})',
     "answers 300 pipelined calls in order"),
    ('for line in sys.stdin:', 'print("loading") or sys.stdout.flush()\nfor line in sys.stdin:', "says hello"),
]


class WorkerCheckTest(CommandTest):
    def check(self, command, *flags):
        return subprocess.run([ASSAY, "worker-test", command, *flags], capture_output=True, text=True,
                              timeout=120, check=False)

    def worker(self, text):
        return f"{sys.executable} {self.write('worker.py', text)}"

    def test_workers_that_keep_the_protocol(self):
        for command in ("plugin:simd", "plugin:broken", self.worker(WORKER)):
            result = self.check(command)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("14 rules, 0 broken", result.stdout)

    def test_each_rule_can_be_broken(self):
        for old, new, rule in BREAKS:
            self.assertIn(old, WORKER)
            result = self.check(self.worker(WORKER.replace(old, new)), "--timeout", "3")
            self.assertEqual(result.returncode, 1, rule + result.stdout)
            self.assertRegex(result.stdout, f"BROKEN +{rule}")

    def test_a_kernel_that_ignores_strides_is_seen(self):
        result = self.check("plugin:broken?bug=MEM04")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("it changed an input", result.stdout)

    def test_what_is_no_worker(self):
        self.assertEqual(self.check("no-such-command-anywhere").returncode, 1)
        self.assertEqual(self.check("plugin:nosuch").returncode, 3)


if __name__ == "__main__":
    unittest.main()
