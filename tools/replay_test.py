#!/usr/bin/env python3
"""A printed command, given to sh, judges that case with the settings of the run that printed it.

Usage: replay_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import json
import os
import re
import shutil
import subprocess
import unittest

from command_test_support import ASSAY, CommandTest, assay

FOLDERS = ["plain", "two words", "it's", '"$HOME" `id` \\', "a\nb", "-dash", "##[x] ::y", "esc\x1b[1m", "\u202eleft",
           "*?&;|<>()"]

# Every call is an error; a file beside the worker records the memory limit that
# it was given.
WORKER = """
import json, os, sys
hello = json.loads(sys.stdin.readline())["hello"]
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "limits.jsonl"), "a") as file:
    file.write(json.dumps(hello["limit"]) + "\\n")
say = lambda line: print(json.dumps(line), flush=True)
say({"hello": {"protocol": 1, "name": "w", "version": "1"}})
for line in sys.stdin:
    line = json.loads(line)
    if "call" in line:
        say({"call": line["call"], "status": "error", "message": "it's \\"$(wrong)\\""})
"""


# The sines of this backend are too inaccurate near pi / 2.
SEARCHED = "broken?bug=TR03"


class ReplayTest(CommandTest):
    def shell(self, command):
        folder = self.path("bin")
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "assay")):
            os.symlink(ASSAY, os.path.join(folder, "assay"))
        environment = {**os.environ, "PATH": folder + ":" + os.environ["PATH"]}
        return subprocess.run(["sh", "-c", command], capture_output=True, text=True, errors="replace", timeout=300,
                              check=False, env=environment, cwd=self.folder)

    def replays(self, text, word="replay"):
        found = re.findall(rf"^ *{word}: (assay .*)$", text, re.MULTILINE)
        self.assertTrue(found, text)
        return found

    @staticmethod
    def lines(path):
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    def prepare(self, name):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        with open(os.path.join(folder, "c.json"), "w", encoding="utf-8") as file:
            json.dump({"op": "abs", "cases": [
                {"id": case, "inputs": {"operand": {"type": "tensor<2xi8>", "data": [1, 2]}}} for case in "ab"]}, file)
        with open(os.path.join(folder, "w.py"), "w", encoding="utf-8") as file:
            file.write(WORKER)
        return folder

    def test_a_replay_is_the_run_of_one_case(self):
        for name in FOLDERS:
            folder = self.prepare(name)
            relative = os.path.join(name, "c.json")
            quoted = "'" + os.path.join(folder, "w.py").replace("'", "'\\''") + "'"
            cases = ["--cases=" + relative]
            flags = ["--timeout", "7s", "--memory", "123M", "--repeat", "2", "--max-deaths", "9", "--policy", "mask"]
            run = subprocess.run([ASSAY, "run", "--backend", "cmd:python3 " + quoted, *cases, *flags,
                                  "--out", self.path("r.jsonl")],
                                 capture_output=True, text=True, errors="replace", timeout=300, check=False, cwd=self.folder)
            self.assertEqual(run.returncode, 1, (name, run.stdout, run.stderr))
            for command, case in zip(self.replays(run.stdout), "ab"):
                limits = os.path.join(folder, "limits.jsonl")
                before = self.lines(limits)
                again = self.shell(command + " --out again.jsonl")
                self.assertEqual(again.returncode, 1, (name, command, again.stdout, again.stderr))
                self.assertIn(f"error abs/{case} ", again.stdout)
                self.assertIn("0 passed, 1 failed, 0 skipped", again.stdout)
                self.assertEqual(self.replays(again.stdout), [command])
                self.assertEqual(set(before), set(self.lines(limits)), "the same memory")
                with open(self.path("again.jsonl"), encoding="utf-8") as file:
                    header = json.loads(file.readline())
                words = header["command"]
                for flag, value in zip(flags[::2], flags[1::2]):
                    self.assertEqual(words[words.index(flag) + 1], value, words)
                os.remove(self.path("again.jsonl"))
            os.remove(self.path("r.jsonl"))
            shutil.rmtree(folder)

    def test_layouts_and_in_process_are_replayed(self):
        run = assay("run", "--backend", "broken?bug=SH03", "--op", "shift_left", "--layouts", "all", "--in-process")
        self.assertEqual(run.returncode, 1, run.stderr)
        command = self.replays(run.stdout)[0]
        self.assertIn(" --in-process ", command)
        again = self.shell(command)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("0 passed, 1 failed, 0 skipped", again.stdout)

    def test_the_ways_of_programs_are_replayed(self):
        out = self.path("r.jsonl")
        run = assay("run", "--backend", "broken?bug=FD01", "--op", "log/of_exponential_bf16", "--operands", "both",
                    "--compile-repeat", "2", "--out", out)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("op by op: pass; as one program: fail; with constants: fail; as one program, compile 2: fail; "
                      "with constants, compile 2: fail", run.stdout)
        command = self.replays(run.stdout)[0]
        self.assertIn(" --operands both --compile-repeat 2 ", command)
        for subcommand in ("run", "fuzz"):
            refused = assay(subcommand, "--backend", "broken", "--compile-repeat", "2", "--in-process")
            self.assertEqual((refused.returncode, refused.stderr),
                             (2, "assay: --compile-repeat: needs a new process for each compilation; leave out "
                                 "--in-process\n"))
        again = self.shell(command)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("with constants, compile 2: fail", again.stdout)
        refused = assay("run", "--backend", "broken", "--granularity", "op", "--operands", "both")
        self.assertEqual((refused.returncode, refused.stderr),
                         (2, "assay: --granularity: op runs no whole programs, which --operands and --compile-repeat "
                             "are of\n"))
        other = assay("run", "--backend", "broken?bug=FD01", "--op", "log/of_exponential_bf16", "--out", out, "--resume")
        self.assertEqual(other.returncode, 2)
        self.assertIn("ways of running programs", other.stdout + other.stderr)

    def test_constraints_are_replayed(self):
        file = os.path.join(self.folder, "it's.json")
        with open(file, "w", encoding="utf-8") as stream:
            json.dump({"op": "abs", "cases": [{"id": "a", "inputs": {"operand": {"type": "tensor<1xi8>"}},
                                               "expect": {"violates": "C1"}}]}, stream)
        run = assay("run", "--backend", "spec", "--cases", file)
        self.assertEqual(run.returncode, 1, run.stderr)
        again = self.shell(self.replays(run.stdout)[0])
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn("0 passed, 1 failed, 0 skipped", again.stdout)

    def test_shrunk_cases_are_replayed(self):
        for name in FOLDERS:
            folder = self.prepare(name)
            out = os.path.join(name if not name.startswith("-") else "./" + name, "small.json")
            quoted = "'" + os.path.join(folder, "w.py").replace("'", "'\\''") + "'"
            shrunk = subprocess.run([ASSAY, "shrink", os.path.join(folder, "c.json#a"), "--backend", "cmd:python3 " + quoted,
                                     "--timeout", "8s", "--memory", "124M", "--out", out],
                                    capture_output=True, text=True, errors="replace", timeout=300, check=False, cwd=self.folder)
            self.assertEqual(shrunk.returncode, 1, (name, shrunk.stdout, shrunk.stderr))
            command = self.replays(shrunk.stdout)[0]
            self.assertIn("--timeout '8s' --memory '124M'", command)
            again = self.shell(command)
            self.assertEqual(again.returncode, 1, (command, again.stdout, again.stderr))
            self.assertIn("0 passed, 1 failed, 0 skipped", again.stdout)

    def test_findings_are_found_and_replayed_again(self):
        out = os.path.join(self.folder, "it's out")
        fuzz = assay("fuzz", "--backend", "broken?bug=SH03", "--op", "shift_left", "--count", "2000", "--out", out,
                     "--timeout", "9s", "--memory", "3G", "--in-process", "--run-b-every", "3")
        self.assertEqual(fuzz.returncode, 1, fuzz.stdout + fuzz.stderr)
        again = self.replays(fuzz.stdout, "again")[0]
        for flag in ("--timeout '9s'", "--memory '3G'", "--in-process", "--run-b-every 3"):
            self.assertIn(flag, again)
        found = self.shell(again)
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        replay = self.replays(fuzz.stdout)[0]
        self.assertIn("--timeout '9s' --memory '3G'", replay)
        shown = self.shell(replay)
        self.assertEqual(shown.returncode, 1, shown.stdout + shown.stderr)
        self.assertIn("0 passed, 1 failed, 0 skipped", shown.stdout)

    def test_a_search_is_repeated(self):
        out = os.path.join(self.folder, "it's.json")
        flags = ["--op", "sine", "--type", "f32", "--count", "8192", "--timeout", "9s"]
        search = assay("worst-error", "--backend", "simd", *flags, "--out", out)
        self.assertEqual(search.returncode, 0, search.stdout + search.stderr)
        kept = self.shell(self.replays(search.stdout)[0])
        self.assertEqual(kept.returncode, 0, kept.stdout + kept.stderr)
        self.assertIn("1 passed, 0 failed, 0 skipped", kept.stdout)
        failed = assay("worst-error", "--backend", SEARCHED, *flags)
        self.assertEqual(failed.returncode, 1, failed.stdout + failed.stderr)
        command = self.replays(failed.stdout)[0]
        self.assertIn("--timeout '9s'", command)
        again = self.shell(command)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertEqual(again.stdout, failed.stdout)

    def test_lint_says_how_to_fix(self):
        for name in FOLDERS:
            folder = os.path.join(self.folder, name)
            os.makedirs(folder)
            with open(os.path.join(folder, "c.json"), "w", encoding="utf-8") as file:
                file.write('{"op":"abs","cases":[]}')
            lint = subprocess.run([ASSAY, "lint", "./" + os.path.join(name, "c.json")], capture_output=True, text=True,
                                  errors="replace", check=False, timeout=60, cwd=self.folder)
            self.assertEqual(lint.returncode, 1, lint.stdout + lint.stderr)
            (command,) = re.findall(r"`(assay lint --fix .*)` lays the file out", lint.stdout)
            self.assertEqual(self.shell(command).returncode, 0, command)
            with open(os.path.join(folder, "c.json"), encoding="utf-8") as file:
                self.assertEqual(file.read(), '{"op": "abs", "cases": []}\n')


if __name__ == "__main__":
    unittest.main()
