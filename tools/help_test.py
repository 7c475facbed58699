#!/usr/bin/env python3
"""`--help` of every command fits a screen of 50 lines and 100 columns, and has a text for each flag.

Usage: help_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import re
import unittest

from command_test_support import assay

LINES, COLUMNS = 50, 100


def page(command):
    result = assay(*command, "--help")
    assert result.returncode == 0, result.stderr
    return result.stdout


def commands(command=()):
    """Returns every command, with and without subcommands, as the pages list them."""
    listed = re.search(r"\nCommands:\n((?:  .*\n)+)", page(command))
    below = re.findall(r"^  (\S+)", listed.group(1), re.MULTILINE) if listed else []
    return [command] + [found for name in below for found in commands((*command, name))]


class HelpTest(unittest.TestCase):
    def test_every_page_fits_a_screen_and_every_flag_has_a_text(self):
        all_commands = commands()
        for expected in ((), ("run",), ("list", "cases"), ("worker-test",), ("completion",)):
            self.assertIn(expected, all_commands)
        for command in all_commands:
            with self.subTest(command=command):
                text = page(command)
                lines = text.splitlines()
                self.assertLessEqual(len(lines), LINES, text)
                self.assertEqual([line for line in lines if len(line) > COLUMNS], [])
                # A head begins after two spaces, its text after at least two more.
                heads = [line for line in lines if re.match(r"  \S", line)]
                self.assertEqual([line for line in heads if not re.match(r"  \S.*?\S*  +\S", line)], [])
                self.assertTrue(any(line.startswith("  -h, --help ") for line in heads))

    def test_every_flag_of_a_page_is_in_the_manual_page(self):
        manual = assay("man").stdout.replace("\\-", "-")
        for command in commands():
            for flag in re.findall(r"^  (?:-\w, )?(--[\w-]+)", page(command), re.MULTILINE):
                self.assertRegex(manual, r"\\fB(-\w, )?" + flag + r"\b", command)


if __name__ == "__main__":
    unittest.main()
