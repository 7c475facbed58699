#!/usr/bin/env python3
"""README.md says how many ops there are, and this test counts them.

Usage: readme_test.py ASSAY_BINARY
       readme_test.py --fix    writes the numbers again
"""

import json
import os
import re
import sys
import unittest

if __name__ == "__main__" and sys.argv[1:] == ["--fix"]:
    ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    CommandTest = unittest.TestCase
else:
    from command_test_support import ROOT, CommandTest, assay

PAGE = os.path.join(ROOT, "README.md")
NUMBERS = re.compile(r"\d+( ops of StableHLO.*? and )\d+( pointwise calls as FlagGems makes them)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def count_of_ops():
    """Returns the number of op files of StableHLO, and of the pointwise calls that are made of them and of functions."""
    folder = os.path.join(ROOT, "spec", "ops")
    ops = [json.loads(read(os.path.join(folder, name))) for name in os.listdir(folder)]
    stablehlo = [op for op in ops if op["source"] == "stablehlo"]
    pointwise = json.loads(read(os.path.join(ROOT, "spec", "pointwise", "pointwise.json")))
    made = [op for op in stablehlo if op.get("elementwise") and op["op"] not in pointwise["without"]]
    return len(stablehlo), len(made) + len(pointwise["functions"])


def with_numbers(page):
    stablehlo, pointwise = count_of_ops()
    return NUMBERS.sub(rf"{stablehlo}\g<1>{pointwise}\g<2>", page)


class ReadmeTest(CommandTest):
    def test_the_numbers_of_ops_are_those_of_the_files(self):
        page = read(PAGE)
        self.assertRegex(page, NUMBERS)
        self.assertEqual(page, with_numbers(page), "write it again: tools/readme_test.py --fix")

    def test_the_command_has_as_many(self):
        listed = assay("list", "ops").stdout.splitlines()
        sources = [line.split()[3].rstrip(",") for line in listed if re.match(r"\S+ +\d+ +\d+ +\S", line)]
        self.assertEqual(sources.count("stablehlo"), count_of_ops()[0])


if __name__ == "__main__":
    if sys.argv[1:] == ["--fix"]:
        page = with_numbers(read(PAGE))
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)
    else:
        unittest.main()
