"""The tests of the command share the command, a temporary folder of each test, and files in it.

A test script is called with the command as its first argument and imports this module before it looks at the others.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import zlib

ASSAY = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def assay(*arguments, **environment):
    return subprocess.run(
        [ASSAY, *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, **environment},
        timeout=600,
        check=False,
    )


def with_sums(lines):
    """Returns results as text: each object has the checksum of the lines up to it, as reports/README.md says."""
    text, total = "", 0
    for line in lines:
        opened = json.dumps({key: value for key, value in line.items() if key != "sum"})[:-1]
        total = zlib.crc32(opened.encode(), total)
        text += f'{opened},"sum":"{total:08x}"}}\n'
    return text


def cases_of_add(count):
    """Returns a file of the suite that has so many cases of an op, named c0 and on."""
    return {
        "op": "add",
        "cases": [
            {
                "id": f"c{i}",
                "source": "hand",
                "inputs": {
                    "lhs": {"type": "tensor<2xi8>", "data": [1, i]},
                    "rhs": {"type": "tensor<2xi8>", "data": [3, 4]},
                },
                "expect": {"result": [4, i + 4]},
            }
            for i in range(count)
        ],
    }


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)
