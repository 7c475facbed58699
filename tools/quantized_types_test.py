#!/usr/bin/env python3
"""Quantized types, of which this version has no values, are refused wherever a type may be said.

Each refusal is one line with the file, the place in it and the type.

Usage: quantized_types_test.py ASSAY_BINARY
"""

import json
import re
import unittest

from command_test_support import CommandTest, assay

TYPE = "tensor<2x!quant.uniform<i8:f32, 0.5>>"
SAID = "quantized types are not supported yet: "
IN_JSON = re.escape(SAID + TYPE)
# The text layer prints the scale as MLIR does.
IN_TEXT = re.escape(SAID + "tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>")

TENSOR = {"type": "tensor<2xi8>", "data": [1, 2]}
QUANTIZED = {"type": TYPE, "data": [1, 2]}


def case(op, **members):
    return {"op": op, "cases": [{"id": "one", "source": "hand", **members}]}


REGION = f"^bb0(%a: {TYPE}, %b: {TYPE}): stablehlo.return %a : {TYPE}"

# What a file of cases says, and where the type stands in it.
JSON_CASES = [
    ("an operand", case("add", inputs={"lhs": QUANTIZED, "rhs": TENSOR}), "/cases/0/inputs/lhs/type"),
    ("a result", case("add", inputs={"lhs": TENSOR, "rhs": TENSOR}, outputs={"result": {"type": TYPE}}),
     "/cases/0/outputs/result/type"),
    ("a drawn operand", case("abs", inputs={"operand": {"type": TYPE, "draw": {"profile": "uniform", "seed": 1}}}),
     "/cases/0/inputs/operand/type"),
    ("a constant", case("constant", inputs={"value": QUANTIZED}), "/cases/0/inputs/value/type"),
    ("an operand of a trait", case("mlir.broadcastable", inputs={"operands": [{"type": TYPE}]},
                                   outputs={"result": {"type": "tensor<2xi8>"}}, expect={"shape": "2"}),
     "/cases/0/inputs/operands/0/type"),
    ("an input of a program",
     {"op": "add", "cases": [{"id": "one", "source": "hand", "inputs": {"x": QUANTIZED},
                              "program": [{"op": "add", "inputs": {"lhs": "x", "rhs": "x"}, "outputs": {"result": {"name": "y"}}}]}]},
     "/cases/0/inputs/x/type"),
    ("a region",
     case("map", inputs={"inputs": [TENSOR, TENSOR], "dimensions": [0], "computation": REGION}),
     "/cases/0/inputs/computation"),
]

# A function of StableHLO text, and the line and column at which it is refused.
TEXT = [
    ("an argument of a function", "func.func @main(%q: TYPE) -> TYPE {\n  return %q : TYPE\n}", "1:17"),
    ("a result of an op",
     "func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<2xi8>\n"
     '  %1 = "stablehlo.add"(%0, %0) : (tensor<2xi8>, tensor<2xi8>) -> TYPE\n  CHECK\n  return\n}', "3:8"),
    ("the type of a constant",
     "func.func @main() {\n  %0 = stablehlo.constant dense<1> : TYPE\n  CHECK\n  return\n}", "2:38"),
    ("the result of a constant",
     "func.func @main() {\n  %0 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> TYPE\n"
     '  "check.expect_eq"(%0, %0) : (TYPE, TYPE) -> ()\n  return\n}', "2:8"),
    ("a tuple",
     'func.func @main(%t: tuple<tensor<i8>, TYPE>) {\n  return\n}', "1:17"),
    ("a region of text",
     "func.func @main(%x: tensor<2xi8>) {\n"
     '  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%a: TYPE):\n'
     '    "stablehlo.return"(%a) : (TYPE) -> ()\n  }) : (tensor<2xi8>) -> tensor<2xi8>\n  return\n}', "3:8"),
]


def function(text):
    return text.replace("TYPE", TYPE).replace("CHECK", "check.expect_eq_const %0, dense<1> : tensor<2xi8>") + "\n"


class QuantizedTypesTest(CommandTest):
    def refused(self, result, pattern, stream="stderr"):
        """Expects one line that matches the pattern, and exit 2."""
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        lines = getattr(result, stream).splitlines()
        self.assertEqual(len([line for line in lines if SAID in line]), 1, lines)
        self.assertRegex("\n".join(lines), pattern)
        self.assertNotRegex(result.stdout + result.stderr, "not a tensor type|unknown element type|expected")

    def test_cases_in_json(self):
        for what, content, pointer in JSON_CASES:
            path = self.write("cases.json", json.dumps(content))
            place = re.escape(f"{path}#{pointer}") + r"(:\d+:\d+)?: "
            pattern = place + (IN_TEXT if "region" in what else IN_JSON)
            for command in (["run", "--backend", "simd", "--cases", path], ["explain", path], ["shrink", path, "--backend", "simd"]):
                with self.subTest(what, command=command[0]):
                    self.refused(assay(*command), pattern)
            with self.subTest(what, command="lint"):
                result = assay("lint", path)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertRegex(result.stdout, re.escape(f"{path}: {pointer}") + r"(:\d+:\d+)?: " + SAID)

    def test_programs_of_text_are_checked(self):
        for what, text, place in TEXT:
            path = self.write("program.mlir", function(text))
            with self.subTest(what):
                self.refused(assay("lint", path), re.escape(f"{path}:{place}: ") + ".*" + IN_TEXT)

    def test_cases_of_text_are_left_out_with_their_place(self):
        for what, text, place in TEXT:
            if "check" not in function(text):
                continue
            path = self.write("own.mlir", function(text))
            pattern = re.escape(f"{path}:{place}: ") + IN_TEXT
            with self.subTest(what):
                run = assay("run", "--backend", "simd", "--cases", path)
                self.assertEqual(run.returncode, 4, run.stdout + run.stderr)  # nothing was judged
                self.assertIn("functions of StableHLO text left out: 1 (quantized types 1)\n", run.stdout)
                self.assertRegex(run.stdout, "\n  " + pattern)
                self.refused(assay("explain", path), pattern)

    def test_a_case_of_text_that_is_asked_for_is_refused(self):
        text = function(TEXT[1][1])
        path = self.write("own.mlir", text)
        pattern = re.escape(f"{path}:3:8: ") + IN_TEXT
        self.refused(assay("explain", path + "#main"), pattern)
        self.refused(assay("explain", "own/main", "--cases", path), pattern)
        self.refused(assay("run", "--backend", "simd", "--cases", path, "--op", "own/main"), pattern)

    def test_flags(self):
        result = assay("worst-error", "--backend", "simd", "--op", "sine", "--type", "!quant.uniform<i8:f32, 0.5>")
        self.refused(result, "--type: " + re.escape(SAID + "!quant.uniform<i8:f32, 0.5>"))

    def test_constraints_wait_for_them(self):
        spec = assay("spec", "add")
        self.assertEqual(spec.returncode, 0)
        self.assertIn("quantized types", spec.stdout)


if __name__ == "__main__":
    unittest.main()
