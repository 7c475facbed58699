#!/usr/bin/env python3
"""Layout variants find bugs by themselves, and a layout can be asked for.

Usage: layouts_test.py ASSAY. The cases are one row-major call an op, written for no bug.
This test is run by .ci/run on the build without sanitizers.
"""

import json
import unittest

from command_test_support import CommandTest, assay


def any_case(op, operands, **more):
    shape = "7x45"
    inputs = {name: {"type": f"tensor<{shape}x{element}>", "draw": {"seed": seed, "profile": "uniform"}}
              for seed, (name, element) in enumerate(operands.items())}
    return json.dumps({"op": op, "cases": [{"id": "any", "inputs": {**inputs, **more}}]})


ADD = any_case("add", {"lhs": "i16", "rhs": "i16"})
EXPONENTIAL = any_case("exponential", {"operand": "f32"})
SUM = any_case("pointwise.add_func", {"x": "f32", "y": "f32", "alpha": "f32"},
               promotion_methods=[[0, 1, 2, "DEFAULT"]])


class LayoutsTest(CommandTest):
    def judge(self, backend, cases, *more):
        """Returns the outcomes by layout; "" is the call as it stands."""
        out = self.path("run.jsonl")
        run = assay("run", "--backend", backend, "--cases", self.write("any.json", cases), "--layouts", "all",
                    "--out", out, *more)
        with open(out, encoding="utf-8") as file:
            results = [line for line in map(json.loads, file) if line["kind"] == "result"]
        outcomes = {result["case"].partition("@")[2]: result["outcome"] for result in results}
        self.assertIn("", outcomes)
        return run.returncode, outcomes

    def test_the_sweep_alone_finds_kernels_that_break_on_layout(self):
        kernels = [
            ("ignores strides", "LY01", ADD,
             {"": "pass", "step2": "nondeterministic", "transposed": "fail", "reversed": "guard_violation"}),
            ("ignores the offset", "LY02", ADD, {"": "nondeterministic", "offset1": "nondeterministic"}),
            ("reads one element past the end", "LY03", ADD,
             {"": "guard_violation", "step2": "guard_violation", "output_strided": "guard_violation"}),
            ("reads one element before the start", "LY05", ADD, {"": "pass", "step2": "guard_violation"}),
            ("reads in front of what it loads", "MEM01", ADD, {"": "guard_violation", "step2": "guard_violation"}),
            ("a tail that rounds otherwise", "LY07", EXPONENTIAL,
             {"": "pass", "gaps": "fail", "transposed": "fail"}),
            ("a tail that is contracted", "LY06", SUM, {"": "pass", "gaps": "fail", "transposed": "fail"}),
        ]
        for what, bug, cases, expected in kernels:
            with self.subTest(what):
                self.assertEqual(self.judge("simd", cases)[0], 0, "a right kernel passes")
                status, outcomes = self.judge(f"broken?bug={bug}", cases)
                self.assertEqual(status, 1)
                self.assertEqual({layout: outcomes[layout] for layout in expected}, expected)

    def test_a_layout_is_asked_for_by_name(self):
        cases = self.write("any.json", ADD)
        run = assay("run", "--backend", "simd", "--cases", cases, "--op", "add/any@transposed")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("1 passed", run.stdout)
        run = assay("run", "--backend", "broken?bug=LY01", "--cases", cases, "--op", "add/any@transposed")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--op 'add/any@transposed'", run.stdout, "what replays it")
        run = assay("run", "--backend", "simd", "--cases", cases, "--op", "add/any@sideways")
        self.assertEqual(run.returncode, 2, "no case matches")
        run = assay("run", "--backend", "simd", "--cases", cases, "--layouts", "some")
        self.assertEqual(run.returncode, 2)
        self.assertIn("some not in {none,all}", run.stderr)

    def test_the_table_has_every_layout_and_names_ops_with_few(self):
        cases = self.write("any.json", ADD)
        run = assay("run", "--backend", "simd", "--cases", cases, "--layouts", "all", "-v")
        layouts = [line.split()[0] for line in assay("list", "layouts").stdout.splitlines() if line]
        self.assertIn("odd_alignment", layouts)
        self.assertGreaterEqual(len(layouts), 15)
        for layout in layouts:
            self.assertRegex(run.stdout, rf"\b{layout}\b")
        few = self.write("few.json", json.dumps({"op": "negate", "cases": [
            {"id": "scalar", "inputs": {"operand": {"type": "tensor<i8>", "data": [1]}}}]}))
        run = assay("run", "--backend", "simd", "--cases", few, "--layouts", "all", "-v")
        self.assertRegex(run.stdout, r"negate +.* 3\n")


if __name__ == "__main__":
    unittest.main()
