#!/usr/bin/env python3
"""Libraries that are missing, of a version never seen, or that fail when they are imported are one line each.

The line names the backend, the reason, and what to do; the other backends are judged, and the exit code is 3.
Usage: backend_bad_input_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

WORKERS = pathlib.Path(ROOT) / "backends/python"
NAMES = sorted(re.fullmatch("requirements-(.*).txt", path.name)[1] for path in WORKERS.glob("requirements-*.txt"))
PACKAGES = "numpy torch triton jax jaxlib ml_dtypes paddle onnx onnxruntime iree flag_gems".split()
CASE = {"op": "add", "cases": [{"id": "one", "source": "hand", "inputs": {
    "lhs": {"type": "tensor<2xi8>", "data": [1, 2]}, "rhs": {"type": "tensor<2xi8>", "data": [3, 4]}}}]}
# Debian's Python without any package but those of the test.
PYTHON = '#!/bin/sh\n{before}\nPYTHONPATH={packages} exec /usr/bin/python3 -S "$@"\n'


class BackendBadInputTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.cases = self.write("c.json", json.dumps(CASE))

    def install(self, library=None, before=""):
        """Copies the command and its workers, with environments that have `library` for each package. Returns the command."""
        copy, built, packages = pathlib.Path(self.path("copy")), pathlib.Path(ASSAY).parent, pathlib.Path(self.path("packages"))
        shutil.rmtree(packages, ignore_errors=True)
        packages.mkdir()
        if library is not None:
            for name in PACKAGES:
                (packages / f"{name}.py").write_text(library)
        if not copy.exists():
            (copy / "backends").mkdir(parents=True)
            for file in ("assay", "assay-worker", "backends/simd.so"):
                shutil.copy(built / file, copy / file)
            shutil.copytree(WORKERS, copy / "share/assay/python", ignore=shutil.ignore_patterns("__pycache__"))
        for name in NAMES:
            python = copy / "share/assay/venv" / name / "bin/python"
            python.parent.mkdir(parents=True, exist_ok=True)
            python.write_text(PYTHON.format(before=before, packages=packages))
            python.chmod(0o755)
        return copy / "assay"

    def expect(self, reason, library=None, before=""):
        """Expects a line for each worker, with a reason and what to do. Returns the lines."""
        backends = [f"--backend=python:{name}" for name in NAMES]
        run = subprocess.run([self.install(library, before), "run", *backends[:2], "--backend=simd", *backends[2:], "--cases", self.cases,
                              "--start-timeout=2s", "--policy=assay"], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("\nsimd, policy assay: conforms; 1 passed, 0 not judged\n", run.stdout)
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), len(NAMES), run.stderr)
        for name, line in zip(NAMES, lines):
            self.assertIn(f"python:{name} could not be started.\n", run.stdout)
            self.assertRegex(line, rf"^assay: backend 'python:{name}': .*{reason}.*(; | or )install \S+/requirements-{name}\.txt")
            self.assertLess(len(line), 800)
        return lines

    def test_there_are_workers(self):
        self.assertLessEqual({"jax", "numpy", "onnxruntime", "paddle", "torch"}, set(NAMES))

    def test_a_library_that_is_missing(self):
        self.expect("ModuleNotFoundError: No module named '[a-z]+'")

    def test_a_version_never_seen(self):
        self.expect(r"(AttributeError|ImportError|ModuleNotFoundError): .* \([a-z]+ 99\.0\)", "__version__ = '99.0'\n")

    def test_a_library_that_ends_the_process(self):
        before_hello = "the worker ended before it said hello: "
        self.expect(before_hello + "it exited with status 3", "import os; os._exit(3)\n")
        self.expect(before_hello + r"signal 6 \(Aborted\)", "import os; os.abort()\n")
        self.expect(before_hello + r"signal 6 \(Aborted\); it last said 'no such GPU'",
                    "import os; os.write(2, b'no such GPU\\n'); os.abort()\n")
        self.expect(before_hello + "it exited with status 1; it last said 'no licence'", "raise SystemExit('no licence')\n")

    def test_a_library_that_raises(self):
        self.expect("RuntimeError: two lines", "raise RuntimeError('two\\nlines')\n")
        self.expect("ImportError: x{50}", f"raise ImportError('{'x' * 10000}')\n")
        self.expect("SyntaxError: ", "this is no Python\n")

    def test_a_library_that_hangs(self):
        self.expect("no hello from the worker within 2000 ms, which is what --start-timeout allows; allow more,",
                    "import time; time.sleep(100)\n")

    def test_a_library_that_writes_anything(self):
        garbage = r"import os; print('garbage {{'); os.write(1, b'\x00\xff{}\n'); os.write(2, b'\x1b[31m\n')" "\n"
        self.expect(r"\([a-z]+ 99\.0\)", garbage + "__version__ = '99.0'\n")
        # What a package makes Python write at its start is before the worker's first line.
        self.expect("its first line on standard output is 'garbage', not a hello", "", before="echo garbage")

    def test_an_environment_without_a_python(self):
        command = self.install()
        for name, python in (("torch", "no script"), ("paddle", "#!/no/such/interpreter\n")):
            path = pathlib.Path(self.path("copy")) / "share/assay/venv" / name / "bin/python"
            path.write_text(python)
            path.chmod(0o755 if python.startswith("#!") else 0o644)
            run = subprocess.run([command, "run", f"--backend=python:{name}", "--backend=simd", "--cases", self.cases], capture_output=True,
                                 text=True, timeout=300, check=False)
            self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
            self.assertIn("simd, policy assay: conforms; 1 passed, 0 not judged\n", run.stdout)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertRegex(run.stderr, rf"^assay: backend 'python:{name}': .*; install \S+/requirements-{name}\.txt into ")

    def test_a_checkout_says_which_chore_helps(self):
        for library, reason in (("raise RuntimeError('it fails')", "RuntimeError: it fails"),
                                ("import os; os._exit(3)", "the worker ended before it said hello: it exited with status 3")):
            self.write("torch.py", library)
            run = assay("run", "--backend", "python:torch", "--backend", "simd", "--cases", self.cases, PYTHONPATH=self.folder)
            self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
            self.assertEqual(run.stderr, f"assay: backend 'python:torch': {reason}; run tools/dev backend torch\n")

    def test_wrong_options_are_not_the_environments_fault(self):
        run = assay("run", "--backend", "python:noop?status=x&colour=red", "--backend", "simd", "--cases", self.cases)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(run.stderr, r"^assay: backend 'python:noop\?status=x&colour=red': unknown option 'colour'; known: status\n$")

    def test_the_exit_code_is_documented(self):
        for text in (assay("--help").stdout, pathlib.Path(ROOT, "README.md").read_text(encoding="utf-8")):
            self.assertRegex(" ".join(text.split()), "3 a backend could not be started;")


if __name__ == "__main__":
    unittest.main()
