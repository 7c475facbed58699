"""Compares the layouts of pjrt_abi.h with those of the Python package pypjrt.

Usage: abi_test.py LAYOUT_PROGRAM
The package is looked for where PYPJRT says, and in the environment that `tools/dev backend xla-cpu` makes.
"""

import ctypes
import glob
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def find_layouts():
    """Returns pypjrt's module of structures, or None."""
    places = [os.environ.get("PYPJRT", ""), *glob.glob(f"{ROOT}/build/venv/xla-cpu/lib/python*/site-packages")]
    for place in filter(None, places):
        for file in sorted(glob.glob(f"{place}/pypjrt/_abi/pjrt_0_*.py")):
            spec = importlib.util.spec_from_file_location("layouts", file)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    return None


class AbiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.theirs = find_layouts()
        if cls.theirs is None:
            print("SKIPPED: no package pypjrt; `tools/dev backend xla-cpu` installs it, or PYPJRT names its folder")
            sys.exit(77)
        cls.ours = json.loads(subprocess.run([PROGRAM], check=True, capture_output=True, text=True).stdout)

    def test_functions_have_their_numbers(self):
        self.assertEqual(self.ours["table"], self.theirs.VTABLE_OFFSET)
        self.assertGreater(len(self.ours["functions"]), 15)
        for name, number in self.ours["functions"].items():
            self.assertEqual(number, self.theirs.SLOT[name], name)

    def test_fields_have_their_places(self):
        self.assertGreater(len(self.ours["fields"]), 50)
        for name, field, at in self.ours["fields"]:
            structure = getattr(self.theirs, name)
            is_at = getattr(structure, field).offset if field else ctypes.sizeof(structure)
            self.assertEqual(at, is_at, f"{name}.{field}")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
