#!/usr/bin/env python3
"""An installation by `cmake --install` works wherever it is moved to, without the source tree, and other projects find it.

Usage: install_test.py ASSAY_BINARY

The build tree of ASSAY_BINARY is installed. Its source tree is hidden in a mount namespace; if none can be made, that part is skipped.
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from command_test_support import ASSAY, ROOT

BUILD = os.path.dirname(ASSAY)
# A project adds these lines to the example's own CMakeLists.txt.
GATES = """
add_library(wrong MODULE wrong.c)
target_link_libraries(wrong PRIVATE assay::backend)
assay_add_conformance_test(NAME wrong.add PLUGIN wrong OPS add)
assay_add_conformance_test(NAME all PLUGIN example POLICY numpy BASELINE known.json OPS add negate ARGS --jobs 2)
assay_add_conformance_test(NAME worker PLUGIN "cmd:python3 w.py" POLICY mine.json)
"""


def call(*command, **settings):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300,
                          **settings)


def hides_mounts():
    return call("unshare", "-r", "-m", "true").returncode == 0


def without_source_tree(*command):
    """Runs a command that can see neither the source tree nor the build tree."""
    script = 'for hidden in "$1" "$2"; do if [ -d "$hidden" ]; then mount -t tmpfs none "$hidden" || exit 99; fi; done\n' \
        'if [ -e "$1/CMakeLists.txt" ] || [ -e "$2/assay" ]; then exit 99; fi; cd / && shift 2 && exec "$@"'
    return call("unshare", "-r", "-m", "sh", "-c", script, "sh", ROOT, BUILD, *command)


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="install_test.")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        first = os.path.join(cls.folder, "first")
        installed = call("cmake", "--install", BUILD, "--prefix", first, "--strip")
        assert installed.returncode == 0, installed.stdout
        cls.prefix = os.path.join(cls.folder, "moved", "prefix")
        os.makedirs(os.path.dirname(cls.prefix))
        os.rename(first, cls.prefix)
        cls.assay = os.path.join(cls.prefix, "bin", "assay")
        cls.project = os.path.join(cls.folder, "project")
        shutil.copytree(os.path.join(cls.prefix, "share/doc/assay/example"), cls.project)
        cls.built = os.path.join(cls.folder, "build")
        with open(os.path.join(cls.project, "example.c"), encoding="utf-8") as file:
            right = file.read()
        assert "lhs[i] + rhs[i]" in right
        with open(os.path.join(cls.project, "wrong.c"), "w", encoding="utf-8") as file:
            file.write(right.replace("lhs[i] + rhs[i]", "lhs[i] - rhs[i]"))
        cls.configured = cls.configure(cls.project, cls.built, GATES)
        cls.compiled = call("cmake", "--build", cls.built)

    @classmethod
    def configure(cls, project, build, gates):
        with open(os.path.join(project, "CMakeLists.txt"), "a", encoding="utf-8") as file:
            file.write(gates)
        # The launcher and the flags of this build do not apply to the project.
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("CMAKE_", "CXXFLAGS", "CFLAGS"))}
        return call("cmake", "-G", "Ninja", "-S", project, "-B", build, "-DCMAKE_PREFIX_PATH=" + cls.prefix, env=environment)

    def test_a_project_gates_its_plugin(self):
        self.assertEqual(self.configured.returncode, 0, self.configured.stdout)
        self.assertEqual(self.compiled.returncode, 0, self.compiled.stdout)
        result = call("ctest", "--test-dir", self.built, "-R", "[.]add$")
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"example\.add \.+ +Passed")
        self.assertRegex(result.stdout, r"wrong\.add \.+\**Failed")

    def test_every_argument_of_a_gate_is_a_flag_of_run(self):
        tests = json.loads(call("ctest", "--test-dir", self.built, "--show-only=json-v1").stdout)["tests"]
        lines = {test["name"]: test["command"] for test in tests}
        known = os.path.join(self.project, "known.json")
        self.assertEqual(lines["all"], [self.assay, "run", "--backend", os.path.join(self.built, "example.so"), "--policy",
                                        "numpy", "--baseline", known, "--op", "add", "--op", "negate", "--jobs", "2"])
        self.assertEqual(lines["worker"], [self.assay, "run", "--backend", "cmd:python3 w.py", "--policy",
                                           os.path.join(self.project, "mine.json")])

    def test_a_gate_without_a_plugin_is_refused(self):
        project = os.path.join(self.folder, "refused")
        shutil.copytree(os.path.join(self.prefix, "share/doc/assay/example"), project)
        for wrong in ("NAME x", "PLUGIN example", "NAME x PLUGIN example OP add"):
            result = self.configure(project, project + "/build", f"assay_add_conformance_test({wrong})\n")
            self.assertNotEqual(result.returncode, 0, wrong)
            self.assertIn("NAME and PLUGIN are needed", result.stdout)

    def test_the_command_says_whose_files_it_uses(self):
        result = call(self.assay, "--version")
        places = dict(line.rsplit(None, 1) for line in result.stdout.splitlines()[1:])
        self.assertEqual(set(places), {"suite", "plugins", "Python workers", "assay-worker"})
        for name, place in places.items():
            self.assertTrue(place.startswith(self.prefix + "/"), name)
            self.assertTrue(os.path.exists(place), name)
        named = call(self.assay, "--version", env={**os.environ, "ASSAY_SUITE": "/named"}).stdout
        self.assertIn("/named ($ASSAY_SUITE)", named)
        environment = {**os.environ, "ASSAY_SUITE": os.path.join(ROOT, "cases")}
        run = call(self.assay, "run", "--backend", "simd", "--op", "add/example", env=environment).stdout
        self.assertIn(f"The suite is that of {ROOT}/cases ($ASSAY_SUITE)\n", run)
        self.assertNotIn("The suite is that of", call(self.assay, "run", "--backend", "simd", "--op", "add/example").stdout)

    def test_pages_and_completions_are_there(self):
        share = os.path.join(self.prefix, "share")
        for file, text in (("man/man1/assay.1", ".TH ASSAY 1"), ("bash-completion/completions/assay", "complete -F"),
                           ("zsh/site-functions/_assay", "#compdef assay"), ("doc/assay/NOTICE", ""), ("doc/assay/LICENSE", ""),
                           ("fish/vendor_completions.d/assay.fish", "complete -c assay"), ("doc/assay/PROTOCOL.md", "hello")):
            with open(os.path.join(share, file), encoding="utf-8") as stream:
                self.assertIn(text, stream.read(), file)

    def test_without_the_source_tree(self):
        if not hides_mounts():
            self.skipTest("this machine gives no mount namespace, so the source tree cannot be hidden")
        plugins = [os.path.join(self.built, name) for name in ("example.so", "libwrong.so")]
        for plugin, code, text in ((plugins[0], 0, "0 failed"), (plugins[1], 1, "replay: assay run"), ("simd", 0, "0 failed")):
            result = without_source_tree(self.assay, "run", "--backend", plugin, "--op", "add")
            self.assertEqual(result.returncode, code, result.stdout)
            self.assertIn(text, result.stdout)
        for line, text in ((("explain", "add/example"), "allowed"), (("list", "backends"), "simd             available"),
                           (("lint",), " 0 complaints"), (("list", "cases", "--op", "add"), "add/example")):
            result = without_source_tree(self.assay, *line)
            self.assertEqual(result.returncode, 0, result.stdout)
            self.assertIn(text, result.stdout)
        result = without_source_tree(self.assay, "worker-test", f"/usr/bin/python3 {self.prefix}/share/assay/python/noop_worker.py")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_build_tree_that_was_copied_alone(self):
        copied = os.path.join(self.folder, "copied")
        os.makedirs(os.path.join(copied, "backends"))
        for name in ("assay", "assay-worker", "backends/simd.so"):
            shutil.copy(os.path.join(BUILD, name), os.path.join(copied, name))
        for name in ("share/assay", "include"):
            shutil.copytree(os.path.join(BUILD, name), os.path.join(copied, name))
        assay = os.path.join(copied, "assay")
        self.assertIn(copied + "/share/assay/cases", call(assay, "--version").stdout)
        run = without_source_tree if hides_mounts() else call
        result = run(assay, "run", "--backend", "simd", "--backend", "eigen", "--op", "add")
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertIn("0 failed", result.stdout)
        self.assertIn("assay: backend 'eigen' is not in this build", result.stdout)
        shutil.rmtree(os.path.join(copied, "share"))
        result = call(assay, "list", "cases")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn(copied + "/share/assay/cases: no suite", result.stdout)


if __name__ == "__main__":
    unittest.main()
