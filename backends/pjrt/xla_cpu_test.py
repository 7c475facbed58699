"""Tests the backend pjrt on XLA's CPU plugin, where it is installed.

Usage: xla_cpu_test.py ASSAY
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class XlaCpuTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plugin = os.environ.get("ASSAY_PJRT_PLUGIN", "")
        if not cls.plugin and not list((ROOT / "build/venv/xla-cpu").glob("lib/*/site-packages/*/*_plugin.so")):
            print("SKIPPED: no PJRT plugin; `tools/dev backend xla-cpu` installs one, or ASSAY_PJRT_PLUGIN names one")
            sys.exit(77)
        cls.backend = f"pjrt:{cls.plugin or 'xla-cpu'}"

    def judged(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder) / "results.jsonl"
            done = subprocess.run([ASSAY, "run", "--backend", self.backend, "--out", str(results), *arguments],
                                  capture_output=True, text=True, timeout=300)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            lines = [json.loads(line) for line in results.read_text().splitlines()]
        return done.stdout, {line["case"]: line for line in lines if line["kind"] == "result"}

    def test_integers_pass(self):
        out, verdicts = self.judged("--op", "add/example", "--op", "and/example", "--op", "if/example", "--op", "sort/example")
        self.assertEqual({v["outcome"] for v in verdicts.values()}, {"pass"}, verdicts)
        self.assertRegex(out, r"s to start, .* s to compile, .* s to run")

    def test_every_type_arrives(self):
        _, verdicts = self.judged("--op", "reshape/*")
        outcomes = {v["outcome"] for v in verdicts.values()}
        self.assertLessEqual({"pass"}, outcomes)
        self.assertLessEqual(outcomes, {"pass", "skipped", "unsupported", "rejected_valid", "crash"}, verdicts)


if __name__ == "__main__":
    ASSAY = sys.argv.pop(1)
    unittest.main()
