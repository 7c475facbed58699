#!/usr/bin/env python3
"""`assay lint` is tested on every complaint, with --fix, and on the repository's own files.

Usage: lint_test.py ASSAY_BINARY
ASSAY_SPEC_TEXT names the StableHLO specification in English; without it the hashes of the op files are not compared.
This test is run by .ci/run on the build without sanitizers.
"""

import hashlib
import json
import os
import re
import unittest

from command_test_support import ROOT, CommandTest, assay

CASES = {
    "op": "add",
    "cases": [
        {
            "id": "one",
            "covers": ["S2"],
            "source": "hand",
            "inputs": {
                "lhs": {"type": "tensor<2xi8>", "data": [1, 2]},
                "rhs": {"type": "tensor<2xi8>", "data": [3, 4]},
            },
            "expect": {"result": [4, 6]},
        }
    ],
}
SENTENCE = "`shape(x) = shape(result)`."
OP = {
    "op": "copy",
    "source": "stablehlo",
    "spec": {"lines": [1, 2]},
    "inputs": [
        {"label": "I1", "name": "x", "kind": "tensor", "types": ["any"]},
        {"label": "I2", "name": "axis", "kind": "constant", "type": "tensor<i64>"},
    ],
    "outputs": [{"name": "result", "kind": "tensor", "types": ["any"]}],
    "constraints": {
        "C1": {"formula": "shape(x) = shape(result)", "sha256": hashlib.sha256(SENTENCE.encode()).hexdigest()}
    },
    "infer": {"type(result)": "type(x)"},
    "semantics": {"S1": {"text": "Copies.", "status": "defined"}},
    "unquoted": {"Not for long.": "an outlook"},
    "text": {"form": "%x, axis = $axis:i64 {} : same"},
    "accuracy": {"rule": "bits"},
}
POLICY = {"extends": "assay", "description": "Somebody's reading.", "values": {"integer_overflow": "any"}}
SPECIFICATION = (
    "# Types\n\n**Small types** are small:\n\n* (C1) `a <\n  b`.\n\n"
    "# Ops\n\n### copy\n\n#### Semantics\n\n**Copies**. Does it twice:\n\n* Not for long.\n\n#### Constraints\n\n* (C1) `shape(x) =\n  shape(result)`.\n\n### move\n"
)
ELEMENTS = {
    "small_type": {
        "source": "stablehlo",
        "spec": {"title": "Small types", "lines": [3, 6]},
        "constraints": {"C1": {"formula": "a < b", "sha256": hashlib.sha256(b"`a < b`.").hexdigest()}},
    }
}


def changed(value, pointer, new):
    """Returns a copy of `value` with `new` at the JSON pointer; None removes the value there."""
    copy = json.loads(json.dumps(value))
    *path, last = pointer.split("/")[1:]
    at = copy
    for token in path:
        at = at[int(token) if isinstance(at, list) else token]
    last = int(last) if isinstance(at, list) else last
    if new is None:
        del at[last]
    else:
        at[last] = new
    return copy


class LintTest(CommandTest):
    def write(self, name, content):
        return super().write(name, content if isinstance(content, (str, bytes)) else json.dumps(content))

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def canonical(self, name, content):
        path = self.write(name, content)
        self.assertEqual(assay("lint", "--fix", path).returncode in (0, 1), True)
        return path

    def complaints(self, *arguments, code=1):
        result = assay("lint", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        lines = result.stdout.splitlines()
        self.assertRegex(lines[-1], r"^\d+ ops, .* \d+ complaints$")
        return [line for line in lines[:-1] if re.search(r": /|[.]json: |[.]md:\d+: ", line)]

    def expect(self, name, content, pointer, reason):
        """Expects exactly one complaint about the file, at `pointer`, that says `reason`."""
        path = self.canonical(name, content)
        lines = self.complaints(path)
        self.assertEqual(len(lines), 1, lines)
        place = f"{path}: {pointer}: " if pointer else f"{path}: "
        self.assertTrue(lines[0].startswith(place), f"{lines[0]} is not at {place}")
        self.assertIn(reason, lines[0][len(place) :])

    def test_programs_are_read_and_their_constraints_checked(self):
        add = "%0 = stablehlo.add %x, %x : tensor<2xf32>"
        program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  BODY\n  return %0 : tensor<2xf32>\n}\n"
        good = self.write("good.mlir", "// -----\n".join([program.replace("BODY", add)] * 2))
        result = assay("lint", good)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2 programs of StableHLO text, 0 of them wrong", result.stdout)
        depth = 100000
        nested = "\"a.b\"() ({" * depth + "}) : () -> ()" * depth
        blob = "%0 = stablehlo.constant dense<\"0x00112233445566778899\"> : tensor<2147483648xi8>"
        for name, body, place, reason in (
            ("op", "%0 = stablehlo.foo %x : tensor<2xf32>", "2:", "stablehlo.foo"),
            ("type", add.replace("2xf32", "3xf32"), "2:", "tensor<"),
            ("constraint", add + "\n%1 = \"stablehlo.add\"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi8>", "3:6: ", "C1"),
            ("region", add.replace("%x, %x", "%x, %x ({})"), "2:29: ", "expected ':'"),
            ("later", add + "\n%1 = stablehlo.create_token : !stablehlo.token", "3:6: ", "deprecated"),
            ("depth", nested, "2:", "deep"),
            ("blob", blob, "2:", "2147483648"),
        ):
            with self.subTest(name):
                path = self.write(name + ".mlir", program.replace("BODY", body))
                result = assay("lint", path)
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertTrue(result.stderr.startswith(f"assay: {path}:{place}"), result.stderr)
                self.assertIn(reason, result.stderr)

    def test_the_repositorys_own_files_are_clean(self):
        result = assay("lint")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        summary = re.fullmatch(
            r"(\d+) ops, (\d+) policies, (\d+) schemas, (\d+) files of (\d+) cases \(`covers` of (\d+) held "
            r"against the oracle\): 0 complaints\n",
            result.stdout,
        )
        self.assertIsNotNone(summary, result.stdout)
        for count, least in zip(summary.groups(), (26, 6, 3, 80, 9000, 600)):
            self.assertGreaterEqual(int(count), least, result.stdout)
        bench = os.path.join(ROOT, "cases", "bench")
        self.assertEqual(self.complaints(bench, code=0), [])

    def test_clean_files_of_every_kind(self):
        for name, content in (("c.json", CASES), ("copy.json", OP), ("p.json", POLICY), ("types.json", ELEMENTS)):
            self.assertEqual(self.complaints(self.canonical(name, content), code=0), [], name)
        result = assay("lint", self.folder)
        self.assertIn("1 ops, 1 policies, 0 schemas, 1 files of 1 cases", result.stdout)

    def test_a_tolerance_is_a_number_of_any_form(self):
        accuracy = {"atol": 0.5, "rtol": 1e-3, "ulps": 2}
        case = {"id": "one", "result_accuracy": accuracy, "inputs": {"operand": {"type": "tensor<1xf32>", "data": [0.5]}}}
        tolerant = {"op": "sine", "cases": [case]}
        self.assertEqual(self.complaints(self.canonical("tolerant.json", tolerant), code=0), [])
        self.expect("text.json", changed(tolerant, "/cases/0/result_accuracy/atol", "0.5"),
                    "/cases/0/result_accuracy/atol", "against the schema")

    def test_form(self):
        path = self.write("c.json", json.dumps(CASES, indent=1))
        lines = self.complaints(path)
        self.assertEqual(len(lines), 1)
        self.assertIn("c.json: line 2 is not in canonical form; `assay lint --fix", lines[0])

    def test_fix_lays_out_once_and_changes_no_content(self):
        text = b'{"op":"add","notes":{"F":{"text":"\\u00e9 \xc3\xa9 \\n"}},"cases":[{"id":"a","flags":["F"],\n"inputs":{"lhs":'
        text += b'{"type":"tensor<40xi64>","data":[' + b",".join([b"-9223372036854775808"] * 39) + b', "0x00000000000000ff"'
        text += b']},"rhs":{"type":"tensor<40xi64>","draw":{"profile":"uniform","seed":9223372036854775807}}}}]}'
        path = self.write("c.json", text)
        os.chmod(path, 0o640)
        first = assay("lint", "--fix", path)
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertIn(f"fixed {path}\n", first.stdout)
        fixed = self.read(path)
        pairs = lambda data: json.loads(data, object_pairs_hook=list)
        self.assertEqual(pairs(fixed), pairs(text))
        self.assertIn(b"9223372036854775807", fixed)
        self.assertTrue(all(len(line) <= 120 for line in fixed.decode().splitlines()))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)
        self.assertEqual(os.listdir(self.folder), ["c.json"])
        second = assay("lint", "--fix", path)
        self.assertNotIn("fixed", second.stdout)
        self.assertEqual(self.read(path), fixed)

    def test_fix_goes_through_a_link(self):
        path = self.write("c.json", json.dumps(CASES, indent=1))
        link = self.path("link.json")
        os.symlink(path, link)
        self.assertEqual(assay("lint", "--fix", link).returncode, 0)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(self.complaints(path, code=0), [])

    def test_what_cannot_be_read_is_exit_2_and_untouched(self):
        good = self.write("good.json", json.dumps(CASES, indent=1))
        for name, content in (("bad.json", b'{"op": "add", '), ("utf8.json", b'["\xff"]'), ("twice.json", b'{"a":1,"a":1}')):
            bad = self.write(name, content)
            result = assay("lint", "--fix", bad)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(f"assay: {bad}: ", result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertEqual(self.read(bad), content)
        # The other files are still checked.
        result = assay("lint", self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{good}: line 2 is not in canonical form", result.stdout)
        missing = assay("lint", self.path("missing.json"))
        self.assertEqual(missing.returncode, 2)
        self.assertIn("missing.json: no such file or folder", missing.stderr)

    def test_a_file_of_no_kind(self):
        for content in ("{}", "[]", "3", '{"op": "add"}'):
            path = self.write("x.json", content)
            self.assertIn("x.json: is none of ours: cases have", self.complaints(path)[0])

    def test_schemas(self):
        self.expect("c.json", changed(CASES, "/cases/0/comment", "x"), "/cases/0", "against the schema: ")
        self.expect("c.json", changed(CASES, "/cases/0/inputs/lhs/data", 3), "/cases/0/inputs/lhs/data", "schema: ")
        self.expect("copy.json", changed(OP, "/semantics/S1/status", "open"), "/semantics/S1/status", "schema: ")
        self.expect("p.json", changed(POLICY, "/values/integer_overflow", "x"), "/values/integer_overflow", "schema: ")
        self.expect("s.json", {"$schema": "x", "properties": 3}, "", "")

    def test_formulas(self):
        formula = "/constraints/C1/formula"
        for text, reason in (
            ("rank(x) =", "column 10"),
            ("rank(z) = 1", "unknown name 'z'"),
            ("ranks(x) = 1", "unknown function 'ranks'"),
            ("dim(x) = 1", "dim() takes 2 argument(s), not 1"),
            ("rank(axis) = 1", "rank() takes a tensor or a type or a tensor constant, not a number"),
            ("shape(x) = 1", "'=' between a shape and a number"),
            ("rank(x)", "the formula must be a truth value, not a number"),
        ):
            self.expect("copy.json", changed(OP, formula, text), formula, reason)
        self.expect("copy.json", changed(OP, "/infer/type(result)", "rank(x)"), "/infer/type(result)", "must be a type")
        self.expect("copy.json", changed(OP, "/where", {"R": "rank(axis)"}), "/where/R", "rank() takes")

    def test_forms_of_text(self):
        form = "/text/form"
        self.expect("copy.json", changed(OP, "/text", None), "", 'the op has no "text", which says how StableHLO text')
        self.expect("copy.json", changed(OP, form, 3), form, "against the schema: ")
        self.expect("copy.json", changed(OP, form, "%x {} : sam"), form, "types are not written as 'sam'")
        self.expect("copy.json", changed(OP, form, "$axes:i64 {} : same"), form, "'$axes', which is no input of the op")
        self.expect("copy.json", changed(OP, "/text/properties", ["axes"]), "/text/properties", "'axes' is no input")
        paddle = changed(OP, "/source", "paddle")
        self.expect("copy.json", paddle, "/text", "StableHLO writes the ops of its own document alone")
        twice = {**OP, "op": "dot"}
        self.expect("dot.json", twice, "", "spec/text/forms.json has 'stablehlo.dot' as well")
        forms = {"short": {}, "enums": {}, "shared": {}, "ops": {"stablehlo.dot": {}, "stablehlo.add": {"form": "binary"}}}
        self.expect("forms.json", forms, "/ops/stablehlo.add", "the op has an op file, spec/ops/add.json, and its form")

    def test_clauses_and_policies(self):
        is_open = {"text": "a", "status": "implementation_defined"}
        self.expect("copy.json", changed(OP, "/semantics/S1", is_open), "/semantics/S1", "needs a \"policy\"")
        unknown = {**is_open, "policy": "nosuch"}
        self.expect("copy.json", changed(OP, "/semantics/S1", unknown), "/semantics/S1/policy", "has no key 'nosuch'")
        defined = {"text": "a", "status": "defined", "policy": "integer_overflow"}
        self.expect("copy.json", changed(OP, "/semantics/S1", defined), "/semantics/S1/policy", "leaves nothing")
        self.expect("copy.json", changed(OP, "/semantics/S64", {"text": "a", "status": "defined"}), "/semantics/S64", "below 64")
        self.expect("other.json", OP, "/op", "the file of 'copy' is copy.json")
        budget = {"ops": ["nosuch"], "types": ["f32"], "ulp": 1, "reason": "what it is for"}
        self.expect("p.json", changed(POLICY, "/budgets", [budget]), "/budgets/0/ops", "there is no op \"nosuch\"")
        for members, where, reason in (
            ({"ops": ["add"]}, "/ops", "add on f32 has no budget: its rule is exact"),
            ({"ops": ["sine", "select"]}, "/ops", "select on f32 has no budget: its rule is bits"),
            ({"ops": ["sine"], "types": ["i8"]}, "/ops", "sine on i8 has no budget"),
            ({"ops": ["sine"], "where": {"rhs": [0, 1]}}, "/ops", "sine has no operand 'rhs'"),
            ({"ops": ["sine"], "where": {"operand": [1, 0]}}, "/where/operand", "1 is above 0"),
            ({"ops": ["sine"], "any": True}, "", "either errors"),
            ({"ops": ["sine"], "absolute": "2^x"}, "/absolute", ""),
            ({"ops": ["sine"], "operand_error": {"absolute": "pi"}}, "/operand_error", "do not follow an error of the operand"),
        ):
            self.expect("p.json", changed(POLICY, "/budgets", [{**budget, **members}]), "/budgets/0" + where, reason)
        good = [{**budget, "ops": ["divide", "sqrt"]}, {**budget, "ops": ["multiply"], "types": ["complex"]},
                {**budget, "ops": ["power"], "where": {"lhs": ["-2*pi", "2^3"]}}]
        self.assertEqual(self.complaints(self.canonical("p.json", changed(POLICY, "/budgets", good)), code=0), [])
        self.expect("p.json", changed(POLICY, "/extends", "nosuch"), "/extends", "there is no policy \"nosuch\"")

    def test_cases(self):
        case = "/cases/0"
        self.expect("c.json", changed(CASES, "/op", "ad"), "/op", "unknown op 'ad'")
        self.expect("c.json", changed(CASES, case + "/inputs/lhs/data/1", 128), case + "/inputs/lhs/data/1", "128 is out of")
        self.expect("c.json", changed(CASES, case + "/flags", ["F"]), case + "/flags", "'F' has no note")
        self.expect("c.json", changed(CASES, "/notes", {"a/b": {"text": "x"}}), "/notes/a~1b", "no case has this flag")
        self.expect("c.json", changed(CASES, case + "/covers", ["S2", "S6"]), case + "/covers/1",
                    "add/one does not execute S6 under policy assay; it executes S2")
        twice = changed(CASES, "/cases", CASES["cases"] * 2)
        self.expect("c.json", twice, "/cases/1/id", "the case 'add/one' is also ")
        longer = changed(CASES, case + "/outputs", {"result": {"type": "tensor<2xi16>"}})
        self.expect("c.json", longer, case, "add/one violates C1, and says none")
        violating = {"id": "v", "inputs": {"lhs": {"type": "tensor<2xi8>"}, "rhs": {"type": "tensor<2xi8>"}},
                     "expect": {"violates": "C1"}}
        self.expect("c.json", {"op": "add", "cases": [violating]}, case + "/expect/violates",
                    "add/v violates none, and says C1")
        violating["inputs"]["rhs"]["type"] = "tensor<3xi8>"
        violating["covers"] = ["S2"]
        self.expect("c.json", {"op": "add", "cases": [violating]}, case + "/covers", "add/v is not run")

    def test_one_wrong_case_does_not_hide_another(self):
        wrong = [changed(CASES, "/cases/0/id", name)["cases"][0] for name in ("a", "b", "c", "d")]
        wrong[0]["comment"] = "x"
        wrong[1]["inputs"]["lhs"]["data"][0] = 200
        wrong[2]["covers"] = ["S1"]
        path = self.canonical("c.json", {"op": "add", "cases": wrong})
        lines = self.complaints(path)
        self.assertEqual([line.split(": ")[1] for line in lines],
                         ["/cases/0", "/cases/1/inputs/lhs/data/0", "/cases/2/covers/0"])

    def test_names_are_unique_over_all_files(self):
        self.canonical("a.json", CASES)
        self.canonical("b.json", CASES)
        lines = self.complaints(self.folder)
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"b.json: /cases/0/id: the case 'add/one' is also .*a.json: /cases/0$")

    def spec(self, text, op=None, code=1):
        path = self.canonical("copy.json", op or OP)
        return self.complaints("--spec", self.write("spec.md", text), path, code=code), path

    def test_sentences_of_the_specification(self):
        lines, _ = self.spec(SPECIFICATION, code=0)
        self.assertEqual(lines, [])
        lines, path = self.spec(SPECIFICATION.replace("shape(x) =", "shape(x) <="))
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith(
            f'{path}: /constraints/C1/sha256: (C1) is now "`shape(x) <= shape(result)`."; read it'), lines)
        self.assertIn(hashlib.sha256(b"`shape(x) <= shape(result)`.").hexdigest(), lines[0])
        lines, path = self.spec(SPECIFICATION.replace("(C1)", "(C2)"))
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].startswith(f"{path}: /constraints/C1: the text has no (C1) here"), lines)
        self.assertTrue(lines[1].startswith(f"{path}: /constraints: (C2) of the text is not here"), lines)
        lines, path = self.spec(SPECIFICATION.replace("### copy", "### copies"))
        self.assertEqual(len(lines), 2)
        self.assertEqual(lines[0], f"{path}: /op: the text has no section '### copy'")
        self.assertTrue(lines[1].endswith("spec.md:10: '### copies' has no op file"), lines)
        # A constraint of our own has no sentence in the specification.
        lines, path = self.spec(SPECIFICATION, changed(OP, "/constraints/P1", {"formula": "true"}), code=0)
        self.assertEqual(lines, [])

    def test_sentences_of_the_semantics(self):
        lines, path = self.spec(SPECIFICATION.replace("**Copies**", "**Copies** all. It copies"))
        expected = '/semantics: no clause quotes "{}"; quote it, or list it in "unquoted" with the reason'
        self.assertEqual(lines, [f"{path}: {expected.format(sentence)}" for sentence in ("Copies all.", "It copies.")])
        lines, path = self.spec(SPECIFICATION, changed(OP, "/unquoted", None))
        self.assertEqual(len(lines), 1)
        self.assertIn('no clause quotes "Not for long."', lines[0])
        lines, path = self.spec(SPECIFICATION, changed(OP, "/unquoted/Never.", "none of the text"))
        self.assertEqual(lines, [f'{path}: /unquoted: the section has no "Never."'])
        lines, path = self.spec(SPECIFICATION, changed(OP, "/unquoted/Copies", "quoted as well"))
        self.assertEqual(lines, [f'{path}: /unquoted: clauses quote "Copies"; remove it here'])
        lines, path = self.spec(SPECIFICATION.replace("#### Semantics", "#### Meaning"))
        self.assertEqual(lines, [f"{path}: /op: section '### copy' of the text has no '#### Semantics'"])

    def test_sections_without_an_op_file(self):
        section = "\n#### Semantics\n\nMoves.\n"
        lines, _ = self.spec(SPECIFICATION + section)
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].endswith("spec.md:23: '### move' has no op file"), lines)
        # The op files of the command count, whatever files are checked.
        self.assertEqual(self.spec(SPECIFICATION.replace("### move", "### add") + section, code=0)[0], [])

    def test_types_and_constants(self):
        text = self.write("spec.md", SPECIFICATION)
        at = "/small_type/constraints/C1"
        constraint = ELEMENTS["small_type"]["constraints"]["C1"]
        path = self.canonical("types.json", ELEMENTS)
        self.assertEqual(self.complaints("--spec", text, path, self.canonical("copy.json", OP), code=0), [])
        for change, complaint in (
            (("/small_type/spec/title", "Small"), "/small_type/spec/title: the text has no paragraph '**Small**'"),
            ((at + "/sha256", "0" * 64), at + '/sha256: (C1) is now "`a < b`."; read it'),
            (("/small_type/constraints/C2", constraint), "/small_type/constraints/C2: the text has no (C2)"),
            ((at + "/formula", "a <"), at + "/formula: "),
            ((at + "/check", "syntax"), at + ": against the schema: "),
            (("/small_type/constraints", None), "is none of ours"),
        ):
            path = self.canonical("types.json", changed(ELEMENTS, *change))
            lines = self.complaints("--spec", text, path, self.canonical("copy.json", OP))
            self.assertEqual(len(lines), 1, lines)
            self.assertTrue(lines[0].startswith(f"{path}: {complaint}"), lines)
        more = self.write("more.md", SPECIFICATION.replace("  b`.\n", "  b`.\n* (C2) `c`.\n"))
        path = self.canonical("types.json", ELEMENTS)
        self.assertEqual(self.complaints("--spec", more, path, self.canonical("copy.json", OP)),
                         [f'{path}: /small_type/constraints: (C2) of the text is not here: "`c`."'])

    def test_sentences_are_counted(self):
        path = self.canonical("copy.json", OP)
        other = self.canonical("a.other.json", changed({**OP, "source": "paddle", "op": "a.other"}, "/text", None))
        text = self.write("spec.md", SPECIFICATION)
        result = assay("lint", "--spec", text, path, other, self.canonical("types.json", ELEMENTS))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("copy: 1 match, 0 changed, 0 not in the text, 0 only in it\n", result.stdout)
        self.assertIn("sentences of 1 ops and 1 types and constants: 2 match, 0 changed, 0 not in the text, 0 only in the text; "
                      "1 ops of other documents not checked\n", result.stdout)
        self.assertIn("sentences of the semantics: 1 quoted, 1 listed as unquoted, 1 that introduce a list, 0 not read\n",
                      result.stdout)

    def test_a_text_that_is_not_the_specification(self):
        path = self.canonical("copy.json", OP)
        for text in (self.write("x.md", "# Something else\n"), self.path("missing.md")):
            result = assay("lint", "--spec", text, path)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertTrue(result.stderr.startswith(f"assay: {text}: "), result.stderr)

    def test_the_hashes_are_those_of_the_specification(self):
        text = os.environ.get("ASSAY_SPEC_TEXT")
        if not text:
            self.skipTest("ASSAY_SPEC_TEXT is not set: the hashes of the op files were not compared with the text")
        names = ("ops", "types.json", "constants.json")
        result = assay("lint", "--spec", text, *(os.path.join(ROOT, "spec", name) for name in names))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("sentences of 105 ops and 7 types and constants: 458 match, 0 changed, 0 not in the text, 0 only", result.stdout)
        self.assertRegex(result.stdout, r"of the semantics: [1-9]\d+ quoted, \d+ listed as unquoted, \d+ that introduce a list, 0 not read\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
