#!/usr/bin/env python3
"""Quantized types are verified wherever a type may be said, and calls with them are not judged.

Usage: quantized_types_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import re
import unittest

from command_test_support import CommandTest, assay

TYPE = "tensor<2x!quant.uniform<i8:f32, 0.5:3>>"
WRONG = "tensor<2x!quant.uniform<i8:f32, -0.5>>"
VIOLATED = "violates C5 of quantized_element_type: 0 < scales"
TENSOR = {"type": "tensor<2xi8>", "data": [1, 2]}


def case(op, **members):
    return {"op": op, "cases": [{"id": "one", "source": "hand", **members}]}


def region(of_type):
    return f"^bb0(%a: {of_type}, %b: {of_type}): stablehlo.return %a : {of_type}"


# What a file of cases says, and where the type stands in it.
PLACES = [
    ("an operand", lambda t: case("add", inputs={"lhs": {"type": t}, "rhs": {"type": t}}), "/cases/0/inputs/lhs/type"),
    ("a result", lambda t: case("uniform_quantize", inputs={"operand": {"type": "tensor<2xf32>"}}, outputs={"result": {"type": t}}),
     "/cases/0/outputs/result/type"),
    ("a constant", lambda t: case("constant", inputs={"value": {"type": t, "data": [1, 2]}}), "/cases/0/inputs/value/type"),
    ("an input of a program",
     lambda t: {"op": "add", "cases": [{"id": "one", "source": "hand", "inputs": {"x": {"type": t}}, "program": [
         {"op": "add", "inputs": {"lhs": "x", "rhs": "x"}, "outputs": {"result": {"name": "y"}}}]}]},
     "/cases/0/inputs/x/type"),
    ("a region",
     lambda t: case("map", inputs={"inputs": [{"type": t}, {"type": t}], "dimensions": [0], "computation": region("tensor<" + t[9:])}),
     "/cases/0/inputs/"),
]

PROGRAM = "func.func @main(%q: TYPE) -> TYPE {\n  %0 = stablehlo.add %q, %q : TYPE\n  return %0 : TYPE\n}\n"


class QuantizedTypesTest(CommandTest):
    def test_valid_calls_are_verified_and_not_judged(self):
        for what, make, _ in PLACES:
            path = self.write("cases.json", json.dumps(make(TYPE)))
            with self.subTest(what):
                spec = assay("run", "--backend", "spec", "--cases", path)
                self.assertIn("1 passed, 0 failed, 0 skipped", spec.stdout, spec.stderr)
                simd = assay("run", "--backend", "simd", "--cases", path)
                self.assertEqual(simd.returncode, 4, simd.stdout + simd.stderr)  # nothing was judged
                self.assertIn("skipped: not judged: quantized", simd.stdout)
                self.assertEqual(assay("explain", path).returncode, 0)
                self.assertNotIn("violates", assay("lint", path).stdout)
                shrink = assay("shrink", path, "--backend", "simd")
                self.assertEqual(shrink.returncode, 2)
                self.assertEqual(len(shrink.stderr.splitlines()), 1)

    def test_a_wrong_type_is_refused_with_its_place(self):
        for what, make, pointer in PLACES:
            path = self.write("cases.json", json.dumps(make(WRONG)))
            for command in (["run", "--backend", "spec", "--cases", path], ["explain", path]):
                with self.subTest(what, command=command[0]):
                    result = assay(*command)
                    self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                    self.assertRegex(result.stderr, re.escape(f"{path}#{pointer}") + ".*" + re.escape(VIOLATED))
                    self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_values_of_quantized_operands_are_of_no_use(self):
        given = case("add", inputs={"lhs": {"type": TYPE, "draw": {"seed": 1, "profile": "uniform"}}, "rhs": {"type": TYPE}})
        path = self.write("cases.json", json.dumps(given))
        result = assay("run", "--backend", "spec", "--cases", path)
        self.assertEqual(result.returncode, 2)
        self.assertIn("'draw' without use", result.stderr)

    def test_a_call_that_mixes_them_violates_a_constraint(self):
        mixed = case("add", inputs={"lhs": {"type": TYPE}, "rhs": {"type": "tensor<2xi8>"}},
                     outputs={"result": {"type": TYPE}}, expect={"violates": ["C2", "C3", "C4"]})
        path = self.write("cases.json", json.dumps(mixed))
        result = assay("run", "--backend", "spec", "--cases", path)
        self.assertIn("1 passed, 0 failed, 0 skipped", result.stdout, result.stderr)

    def test_other_documents_have_none(self):
        path = self.write("cases.json", json.dumps(case("paddle.bitwise_left_shift", inputs={"x": {"type": TYPE}, "y": {"type": TYPE}})))
        result = assay("run", "--backend", "spec", "--cases", path)
        self.assertEqual(result.returncode, 2)
        self.assertIn("paddle.bitwise_left_shift takes no quantized types", result.stderr)

    def test_text(self):
        path = self.write("own.mlir", PROGRAM.replace("TYPE", TYPE))
        self.assertEqual(assay("lint", path).returncode, 0)
        self.assertEqual(assay("spec", "--check", path).returncode, 0)
        spec = assay("run", "--backend", "spec", "--cases", path)
        self.assertIn("1 passed, 0 failed, 0 skipped", spec.stdout, spec.stderr)
        simd = assay("run", "--backend", "simd", "--cases", path)
        self.assertIn("skipped: not judged: quantized types", simd.stdout)

    def test_wrong_text(self):
        path = self.write("own.mlir", PROGRAM.replace("TYPE", WRONG))
        for command, expected in ((["lint", path], 2), (["spec", "--check", path], 1)):
            result = assay(*command)
            self.assertEqual(result.returncode, expected, result.stdout + result.stderr)
            self.assertRegex(result.stdout + result.stderr, re.escape(f"{path}:1:17: ") + ".*" + re.escape(VIOLATED))
        spec = assay("run", "--backend", "spec", "--cases", path)
        self.assertEqual(spec.returncode, 1)
        self.assertIn("rejected_valid own/main", spec.stdout)

    def test_flags(self):
        result = assay("worst-error", "--backend", "simd", "--op", "sine", "--type", "!quant.uniform<i8:f32, 0.5>")
        self.assertEqual(result.returncode, 2)
        self.assertIn("quantized types are not judged yet: !quant.uniform<i8:f32, 0.5>", result.stderr)

    def test_what_is_missing_is_said(self):
        missing = assay("spec", "--missing")
        self.assertEqual(missing.returncode, 0)
        self.assertRegex(missing.stdout, "Clauses that need what this version lacks: [0-9]+ \\(quantized types\\)")


if __name__ == "__main__":
    unittest.main()
