#!/usr/bin/env python3
"""The texts of backends and files reach terminals, logs of CI, Markdown and XML as text and nothing else.

Every text that a worker, a plugin or a file can give is hostile here: it has control characters of terminals (C0, DEL, C1),
bidirectional controls, commands of CI logs, line breaks, Markdown and XML.
Usage: hostile_test.py ASSAY
"""
import json
import os
import re
import stat
import subprocess
import sys
import unittest

from command_test_support import ASSAY, CommandTest, assay, with_sums

HOSTILE = ("\x1b[31mred\r\n::error::forged\n  ::warning file=x::forged\x07\x7f\x9b31m\u202e\u2028 ##[error]forged "
           "##vso[task.complete]x | `</td>` ]]> <b>&amp;")

WORKER = f"""
import json, sys
hostile = {HOSTILE!r}
sys.stderr.write(hostile)
sys.stderr.flush()
json.loads(sys.stdin.readline())
say = lambda line: print(json.dumps(line), flush=True)
say({{"hello": {{"protocol": 1, "name": hostile, "version": hostile}}}})
ways = ["unsupported", "error", "invalid", "crash"]
for number, line in enumerate(sys.stdin):
    line = json.loads(line)
    if "call" not in line: continue
    way = ways[number % len(ways)]
    if number % 9 == 8: sys.exit(hostile)
    say({{"call": line["call"], "status": way, "message": hostile}})
"""


class HostileTest(CommandTest):
    def assert_harmless(self, text, where):
        self.assertIsInstance(text, bytes)
        for line in text.decode("utf-8").split("\n"):  # strictly
            if not str(where).endswith((".json", ".jsonl")):  # data, not what a log shows
                self.assertFalse(line.lstrip().startswith("::"), (where, line))
                self.assertIsNone(re.search(r"##[a-z]*\[", line), (where, line))
            controls = [c for c in line if ord(c) < 0x20 or 0x7f <= ord(c) < 0xa0 or c in "\u202e\u2028"]
            self.assertEqual(controls, [], (where, line))

    def run_assay(self, *arguments, codes, environment=None):
        end = subprocess.run([ASSAY, *arguments], capture_output=True, timeout=300, check=False,
                             env={**os.environ, **(environment or {})})
        self.assertIn(end.returncode, codes, (arguments, end.stdout[-2000:], end.stderr[-2000:]))
        self.assert_harmless(end.stdout, arguments)
        self.assert_harmless(end.stderr, arguments)
        return end

    def assert_files_harmless(self, *paths):
        for path in paths:
            with open(path, "rb") as file:
                self.assert_harmless(file.read(), path)

    def small_suite(self):
        return ["--cases", self.write("small.json", json.dumps({"op": "abs", "cases": [
            {"id": "a", "inputs": {"operand": {"type": "tensor<1xi8>", "data": [1]}}}]}))]

    def worker(self):
        return "cmd:python3 " + self.write("worker.py", WORKER)

    def test_a_worker_that_says_anything(self):
        out, junit, page = self.path("r.jsonl"), self.path("j.xml"), self.path("m.md")
        self.run_assay("run", "--backend", self.worker(), "--op", "abs", "--out", out, "--junit", junit, "--markdown",
                       page, codes=(1, 3))
        self.run_assay("report", out, "--junit", junit, "--markdown", page, codes=(1, 3))
        self.assert_files_harmless(out, junit, page)
        with open(page, encoding="utf-8") as file:
            for line in file.read().split("\n"):
                if line.startswith("| "):  # a cell stays one
                    self.assertEqual(len(re.findall(r"(?<!\\)\|", line)) >= 3, True, line)
                    self.assertNotIn("<", line)
        subprocess.run(["xmllint", "--noout", junit], check=True)
        self.run_assay("fuzz", "--backend", self.worker(), "--op", "abs", "--count", "40", "--out", self.path("f"),
                       codes=(1, 3))
        for name in os.listdir(self.path("f")):
            self.assert_files_harmless(os.path.join(self.path("f"), name))
        self.run_assay("worker-test", "python3 " + self.path("worker.py"), codes=(1, 2, 3))
        self.run_assay("run", "--backend", f"cmd:printf '{HOSTILE}'", "--op", "abs", codes=(3,))

    def test_refusals_quote_little(self):
        long = self.write("long.py", WORKER.replace("hostile = ", "hostile = 'x' * 3000 + "))
        end = self.run_assay("run", "--backend", "cmd:python3 " + long, "--op", "abs", codes=(1, 3))
        for line in end.stdout.decode().split("\n"):
            if "unsupported: " in line:
                self.assertLess(len(line), 300)
                self.assertIn("characters)", line)

    def test_results_that_say_anything(self):
        out = self.path("r.jsonl")
        assay("run", "--backend", "simd", "--op", "abs", "--out", out)
        with open(out, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        lines[0].update(assay=HOSTILE, time=HOSTILE, command=[HOSTILE])
        lines[0]["backends"][0].update({key: HOSTILE for key in ("backend", "name", "version", "path", "policy")})
        for i, line in enumerate(lines[1:-1]):
            line.update({key: HOSTILE for key in ("backend", "op", "type", "basis", "message", "replay", "result_type")})
            line.update(case=f"{i}{HOSTILE}", clauses=[HOSTILE], violated=[HOSTILE], covered=[HOSTILE], layouts=[HOSTILE],
                        variant=HOSTILE, outcome=("fail", "unsupported", "pass")[i % 3])
        counts = {}
        for line in lines[1:-1]:
            counts[line["outcome"]] = counts.get(line["outcome"], 0) + 1
        lines[-1].update(counts=counts, failed=[HOSTILE])
        hostile = self.write("hostile.jsonl", with_sums(lines))
        junit, page = self.path("j.xml"), self.path("m.md")
        baseline = self.write("b.json", json.dumps({"format": 1, "backends": {HOSTILE: {
            "policy": HOSTILE, "judged": {HOSTILE: {HOSTILE: 7}}, "entries": [
                {"pattern": "1*", "outcomes": ["pass"], "reason": HOSTILE, "issue": HOSTILE, "owner": HOSTILE},
                {"pattern": "2*", "outcomes": ["fail"], "reason": HOSTILE},
                {"pattern": "none" , "outcomes": ["fail"], "reason": HOSTILE, "expires": "2020-01-01"}]}}}))
        for more in ([], ["--baseline", baseline], ["--coverage"], ["--compare", out], ["--require", "*"]):
            self.run_assay("report", hostile, "--junit", junit, "--markdown", page, *more, codes=(0, 1, 2, 3))
        self.assert_files_harmless(junit, page)
        subprocess.run(["xmllint", "--noout", junit], check=True)

    def test_files_that_say_anything(self):
        case = {"id": "a", "flags": [HOSTILE], "source": HOSTILE, "inputs": {
            "operand": {"type": "tensor<1xi8>", "data": [1]}}, "expect": {"result": [2]}}
        good = {"op": "abs", "notes": {HOSTILE: {"text": HOSTILE, "bug": HOSTILE, "links": [HOSTILE]}}, "cases": [case]}
        program = {"op": "abs", "cases": [{"id": "p", "inputs": {HOSTILE: {"type": "tensor<1xi8>", "data": [-1]}},
            "program": [{"op": "abs", "inputs": {"operand": HOSTILE}, "outputs": {"result": {"name": HOSTILE + "2"}}}]}]}
        wrong = [{**good, "op": HOSTILE}, {**good, HOSTILE: 1}]
        for field in ("id", "flags", "covers", "policy", "expect", "inputs", "outputs", "alias", HOSTILE):
            for value in (HOSTILE, {HOSTILE: HOSTILE}):
                wrong.append({**good, "cases": [{**case, field: value}]})
        for field in ("type", "data", "strides", "draw", HOSTILE):
            for value in (HOSTILE, [HOSTILE]):
                operand = {**case["inputs"]["operand"], field: value}
                wrong.append({**good, "cases": [{**case, "inputs": {"operand": operand}}]})
        for content in [good, program, *wrong]:
            file = self.write("c.json", json.dumps(content))
            commands = [["lint", file], ["run", "--backend", "broken", "--cases", file]]
            if content in (good, program):
                commands += [["explain", file], ["list", "cases", "--cases", file]]
            for command in commands:
                end = self.run_assay(*command, codes=(0, 1, 2, 4))
                if content not in (good, program) and command[0] == "run":
                    self.assertEqual(end.returncode, 2, content)
                    self.assertEqual(end.stderr.count(b"\n"), 1, end.stderr)
        for text in (HOSTILE, '{"op": "' + HOSTILE, b"\xff\xfe\x9b", json.dumps({"kind": HOSTILE})):
            file = self.write("t.json", text)
            for command in (["lint", file], ["run", "--backend", "simd", "--cases", file], ["report", file],
                            ["report", file, "--coverage"], ["run", "--backend", "simd", "--op", "abs", "--baseline", file]):
                self.run_assay(*command, codes=(1, 2) if command[0] == "lint" else (2,))

    def test_names_that_say_anything(self):
        name = HOSTILE.replace("/", "_")
        folder = self.path(name)
        os.mkdir(folder)
        file = os.path.join(name, name + ".json")
        self.write(file, json.dumps({"op": "abs", "cases": [
            {"id": "a", "inputs": {"operand": {"type": "tensor<1xi8>", "data": [1]}}, "covers": ["S2"]}]}))
        # The names of a small suite are looked through as those of the large one are.
        small = self.small_suite()
        for command in (["lint", self.path(file)], ["explain", self.path(file)], ["report", self.path(file)],
                        ["run", "--backend", "broken", "--cases", folder],
                        ["run", "--backend", name, "--op", "abs"], ["run", "--backend", "simd", "--op", name, *small],
                        ["run", "--backend", "simd", "--policy", name], ["run", name], ["explain", name, *small],
                        ["run", "--backend", "simd", "--timeout", name], ["run", "--backend", "simd", "--" + name],
                        ["lint", "--" + name], ["shrink", name, "--backend", "simd"], [name], ["spec", name],
                        ["mutants", "--bug", name], ["mutants", "--arm", name], ["worst-error", "--backend", "simd", "--op", name, "--type", "f32"],
                        ["fuzz", "--backend", "simd", "--op", name, "--count", "1"], ["bench", "--backend", name]):
            self.run_assay(*command, codes=range(0, 128))
        self.run_assay("list", "backends", codes=(0,))

    def test_what_has_no_end_is_not_read(self):
        pipe = self.path("pipe.json")
        os.mkfifo(pipe)
        for path in ("/dev/zero", pipe, self.folder):
            self.assertFalse(stat.S_ISREG(os.stat(path).st_mode))
            for command in (["report", path], ["report", path, "--coverage"],
                            ["run", "--backend", "simd", "--op", "abs", "--baseline", path],
                            ["run", "--backend", "simd", "--op", "abs", "--out", path],
                            ["run", "--backend", "simd", "--op", "abs", "--out", path, "--resume"]):
                end = self.run_assay(*command, codes=(2,))
                self.assertIn(b"is not a regular file", end.stderr, command)
        for path in ("/dev/zero", pipe):
            for command in (["lint", path], ["run", "--backend", "simd", "--cases", path],
                            ["explain", path + "#a" if path.endswith(".json") else path, *self.small_suite()]):
                self.run_assay(*command, codes=(2,))


if __name__ == "__main__":
    unittest.main()
