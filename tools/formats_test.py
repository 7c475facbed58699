#!/usr/bin/env python3
"""docs/formats.md is what `assay list types` prints.

Usage: formats_test.py ASSAY_BINARY
"""

import os
import unittest

from command_test_support import ROOT, CommandTest, assay


class FormatsTest(CommandTest):
    def test_the_page_is_the_output(self):
        result = assay("list", "types")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(ROOT, "docs", "formats.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page, result.stdout, "write it again: assay list types > docs/formats.md")
        rows = [line for line in page.splitlines() if line.startswith("| f") or line.startswith("| bf")]
        self.assertEqual(len(rows), 1 + 15, "a heading and the formats")


if __name__ == "__main__":
    unittest.main()
