#!/usr/bin/python3
"""Tests that functions.json has a row for every op and library, and that each worker computes the ops of its column.

Workers whose packages are not installed are left out, and said so. The exit code is 0 if it passed, and 1 if it failed.
"""

import json
import pathlib
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
SPEC = FOLDER.parent.parent / "spec/ops"
VENV = FOLDER.parent.parent / "build/venv"
TABLE = json.loads((FOLDER / "functions.json").read_text())
LIBRARIES = sorted({library for row in TABLE.values() for library in row})
MODULES = {"onnxruntime": "onnx"}  # what a library's functions are called by, where it is not the library's own name
# Prints the ops that a worker declines by the table or for want of a function, of those that the table has a function for.
PROGRAM = """
import importlib, json, os, sys
answers = os.dup(1)
worker = importlib.import_module(sys.argv[1] + "_worker")
from assay_call import Unsupported
declined = {}
for op in json.loads(sys.argv[2]):
    try:
        worker.FUNCTIONS[op]
    except Unsupported as error:
        declined[op] = str(error)
adapters = list(worker.FUNCTIONS.adapters)
os.write(answers, json.dumps([declined, adapters]).encode())
"""


def ops():
    """Returns the ops that reach a library as calls: they are judged, and the runner does not execute them itself."""
    files = {path.stem: json.loads(path.read_text()) for path in SPEC.glob("*.json")}
    return {op for op, spec in files.items()
            if not spec.get("control") and "unjudged" not in spec and spec.get("executable", True)}


class FunctionsTest(unittest.TestCase):
    def test_every_op_has_a_row_for_every_library(self):
        self.assertEqual(set(TABLE), ops())
        for op, row in TABLE.items():
            self.assertEqual(sorted(row), LIBRARIES, op)

    def test_a_row_says_a_function_or_why_there_is_none(self):
        for op, row in TABLE.items():
            for library, entry in row.items():
                self.assertTrue(("function" in entry) != ("none" in entry), (op, library))
                self.assertLessEqual(set(entry), {"function", "differs", "clauses", "why", "none"}, (op, library))
                self.assertTrue("differs" in entry or "clauses" not in entry, (op, library))
                clauses = json.loads((SPEC / f"{op}.json").read_text(encoding="utf-8"))["semantics"]
                self.assertLessEqual(set(entry.get("clauses", [])), set(clauses), (op, library))
                for text in (text for field, text in entry.items() if field != "clauses"):
                    self.assertRegex(text, r"^\S.*\S$|^\w+$", (op, library))
                    self.assertFalse(text.endswith("."), (op, library, text))

    def test_a_worker_computes_what_the_table_says(self):
        looked_at = []
        for library in LIBRARIES:
            self.assertTrue((FOLDER / f"{library}_worker.py").exists(), library)
            environments = (library, "xla-cpu") if library == "jax" else (library,)
            installed = [python for python in (VENV / name / "bin/python" for name in environments) if python.exists()]
            python = (*installed, "/usr/bin/python3")[0]  # Debian has NumPy
            has = {op for op, row in TABLE.items() if "function" in row[library]}
            listed = subprocess.run([python, "-c", PROGRAM, library, json.dumps(sorted(has))], cwd=FOLDER, text=True,
                                    stdin=subprocess.DEVNULL, capture_output=True, check=False)
            if listed.returncode != 0:
                if "No module named" in listed.stdout + listed.stderr or not listed.stderr:
                    print(f"not looked at: {library} is not installed")
                    continue
                self.fail(listed.stderr)
            declined, adapters = json.loads(listed.stdout)
            looked_at.append(library)
            # A version of a library may lack a function that a later one has.
            for op, reason in declined.items():
                self.assertRegex(reason, rf"^{library} \S+ has no {MODULES.get(library, library)}[.\w]*$", (library, op))
            self.assertEqual(set(adapters) - has, set(), library)
        print("looked at:", ", ".join(looked_at) or "none")


if __name__ == "__main__":
    unittest.main()
