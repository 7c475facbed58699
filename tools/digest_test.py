#!/usr/bin/env python3
"""Tests `--digest`, the page of several digests, and `assay explain --against`, on runs of a small suite.

Usage: digest_test.py ASSAY_BINARY
"""

import json
import os
import tempfile
import unittest

from command_test_support import CommandTest, assay, cases_of_add, with_sums

CASES = cases_of_add(3)
WRONG = "1 of 2 elements differ\n  first at [0]: lhs = 1, rhs = 3\n    expected 4\n    actual   5"


class DigestTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        os.mkdir(os.path.join(cls.shared.name, "conformance"))
        cls.cases = os.path.join(cls.shared.name, "conformance", "add.json")
        with open(cls.cases, "w", encoding="utf-8") as file:
            json.dump(CASES, file)
        cls.right = os.path.join(cls.shared.name, "right.jsonl")
        run = assay("run", "--backend", "simd", "--out", cls.right, ASSAY_SUITE=cls.shared.name)
        assert run.returncode == 0, run.stdout + run.stderr
        cls.wrong = cls.of_other(cls, "other", {"add/c1": ("fail", WRONG), "add/c2": ("unsupported", "declined")})

    def of_other(self, backend, outcomes):
        """Returns the results of another backend, whose outcomes differ by case."""
        with open(self.right, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        lines[0]["backends"][0].update(backend=backend, name=backend)
        counts = {}
        for line in lines[1:-1]:
            line["backend"] = backend
            if line["case"] in outcomes:
                line["outcome"], line["message"] = outcomes[line["case"]]
            counts[line["outcome"]] = counts.get(line["outcome"], 0) + 1
        lines[-1]["counts"] = counts
        path = os.path.join(self.shared.name, f"{backend}.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(with_sums(lines))
        return path

    def expect(self, code, *arguments):
        result = assay(*arguments, ASSAY_SUITE=self.shared.name)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout

    def expect_error(self, reason, *arguments):
        result = assay(*arguments, ASSAY_SUITE=self.shared.name)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn(reason, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def digests(self):
        files = []
        for results, code in ((self.right, 0), (self.wrong, 1)):
            files.append(self.path("digest_" + os.path.basename(results)))
            self.expect(code, "report", results, "--digest", files[-1], "-q")
        return files

    def test_several_are_one_page(self):
        files = self.digests()
        page = self.path("page.html")
        text = self.expect(0, "report", *files, "--html", page)
        self.assertIn("simd: conforms\nother: DOES NOT CONFORM, 1 of 2 judged cases failed\n", text)
        with open(page, encoding="utf-8") as file:
            html = file.read()
        self.assertIn("2 backends, 5 judged cases", html)
        self.assertIn("Smallest case: add/c1", html)
        self.assertIn("unsupported: declined", html)
        self.assertLess(len(html.encode()), 1_000_000)

    def test_a_run_writes_one(self):
        file = self.path("run.jsonl")
        self.expect(0, "run", "--backend", "simd", "--digest", file, "-q")
        self.expect(0, "report", file, "--html", self.path("page.html"))

    def test_no_more_can_be_made_of_it(self):
        files = self.digests()
        for flags in ((), ("--markdown", self.path("x.md"), "--html", self.path("x.html")), ("--coverage",), ("--op", "add")):
            self.expect_error("is a digest, which has no verdicts", "report", files[0], *flags)
        for arguments in ((files[0], self.right), (files[0], files[0])):
            self.expect_error("digest" if arguments[1] == self.right else "has backend 'simd'", "report", *arguments,
                              "--html", self.path("x.html"))
        self.expect_error("its first line is no header", "report", self.right, files[0])
        self.expect_error("cannot be written", "report", self.right, "--digest", "/proc/x.jsonl")

    def test_explain_says_who_is_right(self):
        text = self.expect(0, "explain", "add/c1", "--against", self.right, self.wrong).partition("\nagainst\n")[2]
        self.assertRegex(text, r"  right +simd  \(.*, policy assay\)\n      all 2 elements are as allowed\n")
        self.assertRegex(text, r"  wrong +other  \(other .*\)\n      fail: 1 of 2 elements differ\n.*\n +expected 4\n +actual   5\n")
        self.assertTrue(text.endswith("right: simd\nwrong: other\n"), text)
        text = self.expect(0, "explain", "add/c2", "--against", self.wrong)
        self.assertIn("unsupported: declined", text)
        self.assertTrue(text.endswith("not judged: other\n"), text)

    def test_explain_says_what_is_not_there(self):
        other = self.write("other.json", json.dumps(CASES).replace('"id": "c', '"id": "d'))
        text = self.expect(0, "explain", other + "#d1", "--against", self.right)
        self.assertIn("has no result of this case", text)
        self.assertIn("the run did not have this version of", text)
        self.expect_error("is a digest, which has no verdicts", "explain", self.cases + "#c1", "--against", self.digests()[0])
        self.expect_error("cannot be", "explain", self.cases + "#c1", "--against", self.path("nothing.jsonl"))


if __name__ == "__main__":
    unittest.main()
