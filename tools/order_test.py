#!/usr/bin/env python3
"""Tests `assay order`: what it shows of backends that are known, and of some that add nothing or nonsense.

Usage: order_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import sys
import textwrap
import unittest
from xml.etree import ElementTree

from command_test_support import ROOT, CommandTest, assay

WORKER = """
    import sys
    sys.path.insert(0, {folder!r})
    import assay_worker
    import json
    import struct

    def run(call):
        x = call.inputs[0]
        terms = list(struct.unpack_from(f"{{x.shape[0]}}f", x.memory, x.at))
        call.attributes.clear()
        call.regions.clear()
        {body}
        struct.pack_into("f", call.outputs[0].memory, call.outputs[0].at, result)

    assay_worker.serve("tested", "1", run)
"""


def orders(path):
    with open(path, encoding="utf-8") as file:
        (backend,) = json.load(file)["backends"]
    return backend["orders"]


def leaves(order):
    """Returns the terms below each addition of a tree."""
    below = [[i] for i in range(order["n"])]
    for children in order["tree"]:
        below.append(sorted(sum((below[child] for child in children), [])))
    return below[order["n"]:]


def is_in_order(order):
    return all(terms[-1] - terms[0] + 1 == len(terms) for terms in leaves(order))


class OrderTest(CommandTest):
    def order(self, *arguments, code=0):
        run = assay("order", *arguments)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def worker(self, body):
        text = textwrap.dedent(WORKER).format(folder=os.path.join(ROOT, "backends", "python"), body=body)
        return "cmd:/usr/bin/python3 " + self.write("worker.py", text)

    def test_kernels_of_cuda_reduce_in_order(self):
        """Blocks, threads and columns have parts of their own, of which the sums of 1,030 terms have several."""
        text = self.order("--backend", "cuda-host", "--op", "reduce", "--type", "f32", "--size", "9", "--size", "33",
                          "--size", "1030", "--in-process")
        self.assertIn("cuda-host, policy assay: 12 of 12 trees revealed, 12 of them legal by reduce/S7", text)
        self.assertRegex(text, r"reduce/columns +f32 +1030 +chunks of 64, one after another")

    def test_simd_reduces_in_order(self):
        path, picture = self.path("order.json"), self.path("order.svg")
        text = self.order("--backend", "simd", "--op", "reduce", "--type", "f32", "--type", "bf16", "--size", "8",
                          "--size", "9", "--size", "33", "--size", "130", "--json", path, "--svg", picture)
        self.assertIn("simd, policy assay: 32 of 32 trees revealed, 32 of them legal by reduce/S7", text)
        found = orders(path)
        self.assertEqual(len(found), 32)
        for order in found:
            self.assertEqual((order["outcome"], order["order"], order["legal"]), ("revealed", "in_order", True))
            self.assertTrue(is_in_order(order))
            self.assertEqual(len(leaves(order)), order["n"] - 1)
            self.assertEqual(order["accumulator"], {"bits": 24 if order["type"] == "f32" else 8})
            self.assertEqual(order["inits"], 1)
        # One question a node, of as many calls as it takes to count all terms in the type, and those about additions.
        self.assertLess(max(order["calls"] for order in found), 130 + 80)
        root = ElementTree.parse(picture).getroot()
        self.assertTrue(root.tag.endswith("svg"))
        self.assertIn("n = 8: simd reduce/vector f32 and 3 more", "".join(root.itertext()))

    def test_lanes_are_out_of_order(self):
        path, picture = self.path("order.json"), self.path("order.svg")
        text = self.order("--backend", "broken?bug=RG24", "--op", "reduce/vector", "--type", "f32", "--size", "4",
                          "--size", "33", "--policy", "assay", "--json", path, "--svg", picture, code=1)
        self.assertIn("strided by 4 lanes, pairwise", text)
        self.assertIn("terms 0 and 4 meet in a sum of 2 terms that lacks term 1: with M at 0, -M at 4 and 1 elsewhere "
                      "the result is 31\n  reduce/S7: ", text)
        self.assertIn("and policy assay asks for it (reduction_order = in_order)", text)
        few, many = orders(path)
        self.assertTrue(few["legal"])
        self.assertEqual((many["order"], many["legal"], many["required"]), ("out_of_order", False, True))
        self.assertEqual(many["witness"], {"first": 0, "second": 4, "foreign": 1, "size": 2})
        self.assertIn([0, 4], leaves(many))
        ElementTree.parse(picture)
        # The sound one folds from the left.
        text = self.order("--backend", "broken", "--op", "reduce/vector", "--type", "f32", "--size", "33")
        self.assertIn("sequential", text)
        # A policy that accepts any order is content with lanes.
        text = self.order("--backend", "broken?bug=RG24", "--op", "reduce/vector", "--type", "f32", "--size", "33",
                          "--policy", "stablehlo")
        self.assertIn("and policy stablehlo accepts any order", text)

    def test_numpy_is_strided_by_8(self):
        run = assay("order", "--backend", "python:numpy", "--op", "reduce/vector", "--op", "dot_general/vectors",
                    "--type", "f32", "--size", "33")
        if run.returncode == 3:
            self.skipTest(run.stderr)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("strided by 8 lanes, pairwise; then 1 more one after another", run.stdout)
        self.assertIn("2 of 2 trees revealed", run.stdout)

    def test_what_declines_is_said_once(self):
        text = self.order("--backend", "simd", "--op", "custom*", code=2)
        self.assertEqual(text, "")
        text = self.order("--backend", self.worker("raise assay_worker.Unsupported('no sums')"), "--op", "reduce/vector",
                          "--type", "f32", code=4)
        self.assertIn("declined: no sums\n  reduce/vector of f32, n = 8 33 1030\n", text)
        self.assertIn("0 of 3 trees revealed", text)

    def test_nonsense_is_said_to_be(self):
        def shown(body, code):
            return self.order("--backend", self.worker(body), "--op", "reduce/vector", "--type", "f32", "--size", "9",
                              "--timeout", "5s", code=code)

        self.assertIn("not revealed: the sum of 9 units of 1 is 17", shown("result = 17", 4))
        self.assertIn("not revealed: the sum of 9 units of 1 is nan", shown("result = float('nan')", 4))
        self.assertIn("not revealed: ", shown("result = float(sum(map(abs, terms)) % 1e6)", 4))
        # What is added without any loss has no tree.
        self.assertIn("the results are those of no tree", shown("import math; result = math.fsum(terms)", 4))
        self.assertIn("error", shown("raise ValueError('no')", 1))
        self.assertIn("crash", shown("import os; os.abort()", 1))

    def test_terms_of_a_worker_are_in_its_order(self):
        def add(terms):
            return f"import functools; result = functools.reduce(lambda x, y: struct.unpack('f', struct.pack('f', x + y))[0], {terms})"

        text = self.order("--backend", self.worker(add("reversed(terms)")), "--op", "reduce/vector", "--type", "f32", "--size", "9")
        self.assertIn("sequential from the end", text)

    def test_wrong_usage_is_one_line(self):
        for flags, said in ((["--op", "reduc"], "'reduc' is no op whose sums are known (did you mean 'reduce'"),
                            (["--type", "i32"], "'i32' is no floating-point type"),
                            (["--type", "f33"], "'f33' is no floating-point type"),
                            (["--size", "0"], "--size"),
                            (["--policy", "nosuch"], "nosuch"),
                            (["--op", "reduce/vector", "--type", "f32", "--size", "2", "--json", "/nonexistent/x.json"], "/nonexistent")):
            run = assay("order", "--backend", "simd", *flags)
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertIn(said, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertEqual(assay("order", "--backend", "nosuch").returncode, 3)
        self.assertEqual(assay("order").returncode, 2)

    def test_few_calls_reveal_few_trees(self):
        text = self.order("--backend", "simd", "--op", "reduce/vector", "--type", "f32", "--size", "33", "--most-calls", "10",
                          code=4)
        self.assertIn("not revealed: it takes more than 10 calls", text)

    def test_parts_of_the_last_addition(self):
        text = self.order("--backend", "simd", "--op", "reduce/vector", "--type", "f32", "--size", "2", "--splits")
        self.assertIn("32+32 of 64, 64+64 of 128", text)
        self.assertIn("8192+8192 of 16384", text)


if __name__ == "__main__":
    sys.exit(unittest.main())
