#!/usr/bin/env python3
"""If memory ends, the command prints a message and exits with 2, never by a signal; limits count the size after expansion.

Usage: memory_test.py ASSAY. Sanitizers reserve more address space than a limit leaves.
This test is run by .ci/run on the build without sanitizers.
"""
import json
import os
import resource
import subprocess
import sys
import unittest

from command_test_support import ASSAY, CommandTest, assay, with_sums

MEGABYTE = 1 << 20


def limited(megabytes, *arguments):
    """Runs the command in an address space of so many megabytes."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True, errors="replace", preexec_fn=limit,
                          timeout=300, check=False)


def peak(*arguments):
    """Returns the exit status and the peak of resident megabytes of the command by itself."""
    script = ("import os,resource,subprocess,sys\n"
              "r=subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)\n"
              "print(r.returncode,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024)")
    words = subprocess.run([sys.executable, "-c", script, ASSAY, *arguments], capture_output=True, text=True,
                           timeout=300, check=True).stdout.split()
    return int(words[0]), int(words[1])


class MemoryTest(CommandTest):
    def case_file(self, name, operand, more=""):
        return self.write(name, '{"op": "abs", "cases": [{"id": "a", %s"inputs": {"operand": {%s}}}]}' % (more, operand))

    def numbers(self, count, name="numbers.json"):
        return self.case_file(name, '"type": "tensor<%dxi8>", "data": [%s]' % (count, ",".join(["0"] * count)))

    def large_results(self):
        """Writes a run of 20,000 cases that all fail, each with a message of its own."""
        small = self.path("small.jsonl")
        self.assertEqual(assay("run", "--backend", "simd", "--op", "abs", "--out", small).returncode, 0)
        with open(small, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        header, result, footer = lines[0], lines[1], lines[-1]
        header["suite"]["cases"] = 20000
        footer["counts"] = {"fail": 20000}
        results = [{**result, "i": i, "case": f"abs/{i}", "outcome": "fail", "message": f"{i} " + "x" * 3000}
                   for i in range(20000)]
        return self.write("r.jsonl", with_sums([header, *results, footer]))

    def test_every_command_ends_with_a_message(self):
        numbers = self.numbers(1000000)
        results = self.large_results()
        commands = {
            "lint": ["lint", numbers],
            "run": ["run", "--backend", "simd", "--cases", numbers],
            "report": ["report", results, "--coverage"],
            "explain": ["explain", numbers],
            "shrink": ["shrink", numbers, "--backend", "simd"],
            "list": ["list", "cases"],
            "fuzz": ["fuzz", "--backend", "simd", "--count", "20", "--op", "abs"],
        }
        for name, command in commands.items():
            short = 0
            # With less memory, the libraries do not come as far as `main`.
            for megabytes in (80, 96, 128, 200, 260):
                end = limited(megabytes, *command)
                where = f"{name} in {megabytes} MB: {end.returncode} {end.stderr[-300:]}"
                self.assertGreaterEqual(end.returncode, 0, where)
                self.assertNotIn("Aborted", end.stderr, where)
                if end.returncode not in (0, 1, 4):
                    self.assertIn(end.returncode, (2, 3), where)
                    self.assertIn("assay: ", end.stderr, where)
                short += "out of memory" in end.stderr
            self.assertGreater(short, 0, f"{name} was never short of memory")

    def test_numbers_take_little_more_than_their_tensor(self):
        numbers = self.numbers(8000000)  # 16 MB
        for command in (["lint", numbers], ["run", "--backend", "simd", "--cases", numbers], ["explain", numbers]):
            code, most = peak(*command)
            self.assertIn(code, (0, 1, 2), command)
            self.assertLess(most, 500, command)

    def test_what_each_makes_is_counted(self):
        operand = '"type": "tensor<75000xi8>", "data": [%s]' % ",".join(["0"] * 75000)
        each = self.case_file("each.json", operand,
                              '"each": {"n": [%s]}, ' % ",".join(map(str, range(400)))).replace('"a"', '"a_{n}"')
        for command in (["lint", each], ["run", "--backend", "simd", "--cases", each]):
            code, most = peak(*command)
            self.assertIn(code, (1, 2), command)
            self.assertLess(most, 500, command)
        self.assertIn("#/cases/0/each: up to here the cases of the file take more than",
                      assay("run", "--backend", "simd", "--cases", each).stderr)

    def test_strides_that_overlap_take_the_memory_of_their_buffer(self):
        file = self.case_file("overlap.json", '"type": "tensor<20000x10000xi8>", "strides": [1, 1], '
                              '"draw": {"every": "boundary", "dimension": 0}')
        for command in (["lint", file], ["explain", file]):
            code, most = peak(*command)
            self.assertIn(code, (1, 2), command)
            self.assertLess(most, 200, command)

    def test_one_meaning_of_memory(self):
        numbers = self.numbers(100000)
        results = self.path("r.jsonl")
        self.assertEqual(assay("run", "--backend", "simd", "--op", "abs", "--out", results).returncode, 0)
        for command in (["lint", numbers], ["run", "--backend", "simd", "--cases", numbers], ["explain", numbers],
                        ["shrink", numbers, "--backend", "simd"], ["report", results]):
            end = assay(*command, "--memory", "10K")
            self.assertEqual(end.returncode, 2, end.stdout + end.stderr)
            self.assertEqual(end.stderr.count("\n"), 1, end.stderr)
            self.assertIn("--memory", end.stderr)
            self.assertNotIn("--memory", assay(*command, "--memory", "100M").stderr)


if __name__ == "__main__":
    if limited(400, "--version").returncode != 0:
        print("SKIPPED: the command has sanitizers")
        sys.exit(77)
    unittest.main()
