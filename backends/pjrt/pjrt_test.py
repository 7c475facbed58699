"""Tests the backend pjrt on plugins that are none.

Usage: pjrt_test.py ASSAY FOLDER_OF_FAKE_PLUGINS
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest


def run(*arguments):
    done = subprocess.run([ASSAY, "run", *arguments], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


class BadPluginTest(unittest.TestCase):
    def refused(self, plugin, *reasons):
        code, _, error = run("--backend", f"pjrt:{plugin}", "--op", "abs/example")
        self.assertEqual(code, 3, error)
        self.assertEqual(error.count("\n"), 1, error)
        for reason in reasons:
            self.assertIn(reason, error)

    def test_no_plugin(self):
        self.refused("/nowhere/x.so", "no such file")
        self.refused(FAKES / "no_pjrt_plugin.so", "does not export GetPjrtApi")
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "text.so"
            text.write_text("no library")
            self.refused(text, "text.so")

    def test_another_api(self):
        self.refused(FAKES / "fake_wrong_major.so", "it has version 7.81", "needs 0.81")
        self.refused(FAKES / "fake_small.so", "16 bytes", "too small")
        self.refused(FAKES / "fake_without_function.so", "lacks function number 70")

    def test_an_environment_that_is_not_there(self):
        self.refused("nothing", "no file '*_plugin.so'", "tools/dev backend nothing")

    def test_a_plugin_must_be_named(self):
        code, _, error = run("--backend", "pjrt", "--op", "abs/example")
        self.assertEqual((code, error.count("\n")), (3, 1))
        self.assertIn("pjrt:PATH.so", error)

    def test_calls_of_one_op_are_refused(self):
        code, _, error = run("--backend", f"pjrt:{FAKES}/fake.so", "--op", "abs/example", "--granularity", "op")
        self.assertEqual(code, 3)
        self.assertIn("whole programs alone", error)


if __name__ == "__main__":
    ASSAY, FAKES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
    unittest.main()
