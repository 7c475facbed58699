#!/usr/bin/env python3
"""`tools/dev run` and `tools/dev build` build and print the right things, with a cmake that only records its arguments.

Usage: dev_test.py ASSAY_BINARY (not used: the script stands alone)
"""

import os
import shutil
import subprocess
import unittest

from command_test_support import ROOT, CommandTest

NAMES = ("simd", "eigen", "broken", "broken-cuda-host", "simd_objects")
CMAKE = """#!/bin/sh
echo "cmake $*" >>asked
for i in $(seq 40); do echo "[$i/40] Building CXX object $i.o"; done
if [ -e fails ]; then echo "x.cc:1: error: wrong"; echo "ninja: build stopped"; exit 1; fi
"""
COMMAND = """#!/bin/sh
echo "assay $*"
"""


class DevTest(CommandTest):
    def setUp(self):
        super().setUp()
        for folder in ("tools", "bin", "build/release"):
            os.makedirs(self.path(folder))
        shutil.copy(os.path.join(ROOT, "tools/dev"), self.path("tools/dev"))
        self.write("build/release/build.ninja", "".join(f"build assay_backend_{name}: phony x\n" for name in NAMES))
        for file, text in (("tools/setup", "#!/bin/sh\n"), ("bin/cmake", CMAKE), ("build/release/assay", COMMAND)):
            os.chmod(self.write(file, text), 0o755)

    def dev(self, *arguments):
        """Returns the result of the command, and the targets of each build."""
        self.write("asked", "")
        result = subprocess.run([self.path("tools/dev"), *arguments], capture_output=True, text=True, check=False,
                                env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]})
        with open(self.path("asked"), encoding="utf-8") as file:
            builds = [line.split(" --target ")[1].split() for line in file]
        return result, builds

    def test_run_builds_what_it_judges_and_ends_with_the_verdict(self):
        for arguments, targets in (
                ((), {"assay", "assay_backend_simd"}),
                (("--backend", "eigen", "--op", "add"), {"assay", "assay_backend_eigen"}),
                (("--backend=broken?bug=SH03", "--backend", "simd?target=sse4"),
                 {"assay", "assay_backend_broken", "assay_backend_simd"}),
                (("--backend", "broken?device=cuda-host&bug=X"), {"assay", "assay_backend_broken-cuda-host"}),
                (("--backend", "./mine.so", "--backend", "spec", "--op", "--backend"), {"assay"})):
            result, builds = self.dev("run", *arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual([set(build) for build in builds], [targets], arguments)
            self.assertEqual(result.stdout.splitlines()[-1], " ".join(("assay run", *(arguments or ("--backend", "simd")))))

    def test_build_builds_all_or_what_is_named(self):
        self.assertEqual(self.dev("build")[1], [["all"]])
        self.assertEqual(self.dev("build", "eigen")[1], [["assay", "assay_backend_eigen"]])
        result, builds = self.dev("build", "cuda")
        self.assertEqual((result.returncode, builds), (2, []))
        self.assertIn("no backend cuda is built here", result.stderr)

    def test_a_log_has_a_line_for_each_tenth_and_every_error(self):
        lines = self.dev("run")[0].stdout.splitlines()
        self.assertEqual(lines[:-1], [f"building release: {tenth}0 %" for tenth in range(1, 11)])
        self.write("fails", "")
        result, _ = self.dev("run")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("x.cc:1: error: wrong\n", result.stdout)
        self.assertNotIn("assay run", result.stdout)


if __name__ == "__main__":
    unittest.main()
