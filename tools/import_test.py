#!/usr/bin/env python3
"""`assay import` writes the cases of StableHLO programs in JSON, and these are judged as the text is.

Usage: import_test.py ASSAY. With $ASSAY_PEER_DIR, StableHLO's own tests are imported and judged in both forms. With an
interpreter of Python that has jaxlib (build/venv/stablehlo, build/venv/xla or the one that runs this), bytecode is imported.
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import unittest

from command_test_support import ROOT, CommandTest, assay

SUM = """
func.func @sum() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %b = stablehlo.add %a, %a : tensor<2xi8>
  check.expect_eq_const %b, dense<[2, 4]> : tensor<2xi8>
  return
}
"""
NEAR = """
func.func @near() {
  %a = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %s = stablehlo.add %a, %a : tensor<2xf32>
  %r = "stablehlo.sine"(%s) {result_accuracy = #stablehlo.result_accuracy<ulps = 9, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %r, dense<[0.9093, 0.0]> : tensor<2xf32>
  return
}
"""
OPEN = """
func.func @open() {
  %a = stablehlo.constant dense<1> : tensor<i8>
  %n = stablehlo.constant dense<9> : tensor<i8>
  %r = stablehlo.shift_left %a, %n : tensor<i8>
  check.expect_eq_const %r, dense<2> : tensor<i8>
  return
}
"""
SORT = """
func.func @second() {
  %a = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %b = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi16>
  %r:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>, %u: tensor<i16>, %v: tensor<i16>):
    %less = stablehlo.compare LT, %x, %y : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<3xi8>, tensor<3xi16>) -> (tensor<3xi8>, tensor<3xi16>)
  check.expect_eq_const %r#1, dense<[8, 9, 7]> : tensor<3xi16>
  return
}
"""
DRAWN = """
func.func @main(%p: tensor<i1>, %x: tensor<40xf32>, %y: tensor<40xf32>) -> tensor<40xf32> {
  %d = stablehlo.subtract %x, %y : tensor<40xf32>
  %r = "stablehlo.if"(%p) ({
    %n = stablehlo.negate %d : tensor<40xf32>
    stablehlo.return %n : tensor<40xf32>
  }, {
    stablehlo.return %d : tensor<40xf32>
  }) : (tensor<i1>) -> tensor<40xf32>
  return %r : tensor<40xf32>
}
"""
UNKNOWN = """
func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  %r = "stablehlo.no_such_op"(%x) : (tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}
"""
INVALID = """
func.func @add_c1(%x: tensor<2xi8>) {
  // expected-error@+1 {{anything}}
  %r = "stablehlo.add"(%x, %x) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi16>
  return
}
"""


def chunks(*texts):
    return "// -----".join(texts)


def environments():
    """The interpreters of Python that have jaxlib."""
    known = [os.path.join(ROOT, "build/venv", name, "bin/python") for name in ("stablehlo", "xla")] + [sys.executable]
    return [python for python in known if os.path.exists(python) and subprocess.run(
        [python, "-c", "import jaxlib.mlir.dialects.stablehlo"], capture_output=True, check=False).returncode == 0]


class ImportTest(CommandTest):
    def imported(self, path, *flags, code=0):
        out = self.path("out")
        result = assay("import", path, "--out", out, *flags)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return out, result.stdout

    def verdicts(self, path, rename, backend="simd"):
        """Returns outcome, elements, clauses and what was not compared of each case, by its name as in text."""
        results = self.path("results.jsonl")
        assay("run", "--backend", backend, "--cases", path, "--out", results)
        with open(results, encoding="utf-8") as file:
            rows = [row for row in map(json.loads, file) if row["kind"] == "result"]
        keys = ("outcome", "elements", "open", "clauses", "covered", "unchecked_literals", "message")
        return {rename(row["case"]): [row.get(key) for key in keys] for row in rows}

    def expect_same(self, text, out):
        written = self.verdicts(out, lambda name: name.split("/", 1)[1].replace(".", "/", 1))
        read = self.verdicts(text, lambda name: name)
        for name, verdict in read.items():
            if name in written:
                self.assertEqual(written[name], verdict, name)
        return read, written

    def test_what_is_written_is_judged_as_the_text(self):
        path = self.write("mine.mlir", chunks(SUM, NEAR, OPEN, SORT, DRAWN))
        out, said = self.imported(path)
        self.assertEqual(sorted(os.listdir(out)), ["add.mine.json", "if.mine.json", "shift_left.mine.json", "sine.mine.json", "sort.mine.json"])
        self.assertEqual(said.splitlines()[-1], "5 cases of 1 files in 5 files; 0 not imported")
        lint = assay("lint", out)
        self.assertEqual(lint.returncode, 0, lint.stdout)
        read, written = self.expect_same(path, out)
        self.assertEqual(sorted(read), ["mine/main", "mine/near", "mine/open", "mine/second", "mine/sum"])
        self.assertEqual(sorted(written), sorted(read))
        self.assertEqual({name: row[0] for name, row in written.items()}, dict.fromkeys(read, "pass"))
        self.assertEqual(written["mine/open"][5], 1, "a literal that rests on an open clause is not compared")

    def test_a_wrong_literal_stays_one(self):
        path = self.write("mine.mlir", chunks(SUM.replace("[2, 4]", "[2, 5]"), NEAR.replace("0.9093", "0.91"),
                                              SORT.replace("[8, 9, 7]", "[7, 8, 9]")))
        out, _ = self.imported(path)
        _, written = self.expect_same(path, out)
        self.assertEqual([row[0] for row in written.values()], ["oracle_suspect"] * 3)

    def test_drawn_values_are_named_and_not_written(self):
        path = self.write("if.mlir", DRAWN)
        out, _ = self.imported(path)
        with open(os.path.join(out, "if.json"), encoding="utf-8") as file:
            case = json.load(file)["cases"][0]
        self.assertEqual(case["id"], "if.main")
        self.assertEqual(case["inputs"]["y"], {"type": "tensor<40xf32>", "draw": {"seed": 2, "profile": "ordinary"}})
        self.assertIn("stablehlo.negate", case["program"][1]["inputs"]["true_branch"])

    def test_importing_again_changes_nothing(self):
        path = self.write("mine.mlir", SUM)
        out, _ = self.imported(path)
        with open(os.path.join(out, "add.mine.json"), encoding="utf-8") as file:
            before = file.read()
        self.imported(path)
        with open(os.path.join(out, "add.mine.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

    def test_what_is_not_imported_is_said_and_counted(self):
        path = self.write("mine.mlir", chunks(SUM, UNKNOWN, INVALID))
        _, said = self.imported(path)
        lines = said.splitlines()
        self.assertRegex(lines[0], rf"^not imported: {re.escape(path)}:10:8: .*stablehlo.no_such_op")
        self.assertRegex(lines[1], rf"^not imported: {re.escape(path)}:14:1: a text that is verified and not judged")
        self.assertEqual(lines[-1], "1 cases of 1 files in 1 files; 2 not imported (not in JSON 1, stablehlo.no_such_op 1)")
        _, said = self.imported(self.write("other.mlir", UNKNOWN), code=4)
        self.assertIn("0 cases of 1 files in 0 files; 1 not imported", said)

    def test_folders_are_searched_and_one_name_is_written_once(self):
        os.makedirs(self.path("in/a"))
        self.write("in/mine.mlir", SUM)
        self.write("in/a/mine.mlir", SUM)
        self.write("in/none.json", "{}")
        out, said = self.imported(self.path("in/a"))
        self.assertIn("1 cases of 1 files in 1 files", said)
        result = assay("import", self.path("in"), "--out", out)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("mine.mlir: has the name of ", result.stderr)

    def refused(self, path, reason, **environment):
        result = assay("import", path, "--out", self.path("out"), **environment)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertTrue(result.stderr.startswith(f"assay: {path}"), result.stderr)
        self.assertIn(reason, result.stderr)

    def test_errors_name_the_file(self):
        self.refused(self.write("mine.mlir", SUM.replace("%a, %a", "%a, %x")), "mine.mlir:4:")
        self.refused(self.path("none.mlir"), "no such file")
        if not os.path.exists(os.path.join(ROOT, "build/venv/stablehlo/bin/python")):
            self.write("python3", "#!/bin/sh\nexit 3\n")
            os.chmod(self.path("python3"), 0o755)
            path = os.pathsep.join([self.folder, os.environ["PATH"]])
            self.refused(self.write("mine.mlirbc", b"ML\xefR"), "jaxlib, which is not there: `tools/dev backend stablehlo`", PATH=path)
            self.write("python3", "#!/bin/sh\necho 'is broken by the test'\nexit 1\n")
            self.refused(self.path("mine.mlirbc"), "is broken by the test", PATH=path)

    def test_bytecode_is_imported(self):
        pythons = environments()
        if not pythons:
            print("SKIPPED: no interpreter has jaxlib, so bytecode is not imported", file=sys.stderr)
            self.skipTest("no jaxlib")
        self.write("python3", f'#!/bin/sh\nexec {shlex.quote(pythons[0])} "$@"\n')
        os.chmod(self.path("python3"), 0o755)
        path = os.pathsep.join([self.folder, os.environ["PATH"]])
        text = self.write("mine.mlir", DRAWN.replace("%", "%v_"))
        subprocess.run([pythons[0], "-c", MAKE, text, self.folder], check=True)
        of_text, _ = self.imported(text)
        expected = self.verdicts(of_text, lambda name: "x")
        for name in ("portable.mlirbc", "bytecode.mlirbc", "exported.bin"):
            out = self.path(name + ".out")
            result = assay("import", self.path(name), "--out", out, PATH=path)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.verdicts(out, lambda name: "x"), expected, name)
        for name, content, reason in (("cut.mlirbc", b"ML\xefR\rStableHLO", "is not read by jaxlib"),
                                      ("none.bin", b"\x7fELF", "is neither StableHLO text, nor MLIR bytecode"),
                                      ("cut.bin", b"1234\xff\xff\0\0ML\xefR", "is cut off")):
            self.refused(self.write(name, content), reason, PATH=path)

    def test_the_tests_of_stablehlo_are_judged_alike_in_both_forms(self):
        peer = os.environ.get("ASSAY_PEER_DIR")
        if peer is None:
            print("SKIPPED: ASSAY_PEER_DIR is not set, so StableHLO's tests are not imported", file=sys.stderr)
            self.skipTest("no ASSAY_PEER_DIR")
        folder = os.path.join(peer, "stablehlo/interpret")
        out, said = self.imported(folder)
        cases, not_imported = re.search(r"^(\d+) cases of .*; (\d+) not imported", said.splitlines()[-1]).groups()
        read, written = self.expect_same(folder, out)
        self.assertEqual(len(written), int(cases))
        self.assertLessEqual(set(written), set(read))
        left = {name: row[0] for name, row in read.items() if name not in written}
        self.assertEqual(left, dict.fromkeys(left, "skipped"), "every judged case of the text is one in JSON")
        self.assertEqual(said.count("not imported: "), int(not_imported))
        self.assertGreater(len(written), 300)


# Writes a program as an artifact, as bytecode, and as jax.export puts an artifact into its own file: behind its length.
MAKE = """
import io, struct, sys
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import stablehlo
registry = ir.DialectRegistry()
_jax_mlir_ext.register_dialects(registry)
with ir.Context() as context, open(sys.argv[1]) as file:
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    stablehlo.register_dialect(context)
    module = ir.Module.parse(file.read())
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    portable = stablehlo.serialize_portable_artifact_str(str(module), stablehlo.get_current_version())
    for name, content in (("portable.mlirbc", portable), ("bytecode.mlirbc", bytecode.getvalue()),
                          ("exported.bin", b"\\x10\\0\\0\\0" * 5 + struct.pack("<I", len(portable)) + portable + b"\\0" * 9)):
        with open(sys.argv[2] + "/" + name, "wb") as out:
            out.write(content)
"""


if __name__ == "__main__":
    unittest.main()
