#!/usr/bin/env python3
"""Failures that depend on earlier calls are reported as such, cut down to the calls that they need, and shown again.

Usage: earlier_calls_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import re
import shlex
import subprocess
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

# The plugin takes i32 tensors in any layout of one dimension, for `not`, `add`, `multiply` and `subtract`. After a product
# whose first operand begins with 13, sums are one too large; differences always are.
PLUGIN = r"""
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "backends/backend.h"

static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  static int is_stale, is_broken;
  const DLTensor* in = &call->inputs[0].tensor;
  const DLTensor* out = &call->outputs[0].tensor;
  (void)message;
  (void)capacity;
  if (call->num_inputs != 2 || in->ndim != 1 || in->dtype.code != kDLInt || in->dtype.bits != 32)
    return ASSAY_UNSUPPORTED;
  const DLTensor* rhs = &call->inputs[1].tensor;
  const int is_product = strcmp(call->op, "multiply") == 0;
  const int is_sum = strcmp(call->op, "add") == 0;
  int32_t first = 0;
  if (is_broken) _exit(9);
  for (int64_t i = 0; i < out->shape[0]; ++i) {
    const uint32_t a = ((uint32_t*)((char*)in->data + in->byte_offset))[i * (in->strides ? in->strides[0] : 1)];
    const uint32_t b = ((uint32_t*)((char*)rhs->data + rhs->byte_offset))[i * (rhs->strides ? rhs->strides[0] : 1)];
    if (i == 0) first = (int32_t)a;
    ((uint32_t*)((char*)out->data + out->byte_offset))[i * (out->strides ? out->strides[0] : 1)] =
        is_product ? a * b : is_sum ? a + b + (is_stale ? 1u : 0u) : a - b + 1u;
  }
  if (is_product && STALE) is_stale = 1;
  if (is_product && first == 666) is_broken = 1;
  return ASSAY_OK;
}

const AssayBackend* assay_backend(void) {
  static AssayBackend backend = {.struct_size = sizeof(AssayBackend),
                                 .abi_major = ASSAY_ABI_MAJOR, .name = "stateful",
                                 .version = "1", .device = {kDLCPU, 0}, .run = Run};
  return &backend;
}
"""


def case(name, lhs, rhs=1):
    lhs = {"type": "tensor<3xi32>", "data": [lhs, 2, 3]}
    rhs = {"type": "tensor<3xi32>", "data": [rhs, 1, 1]}
    return {"id": name, "inputs": {"lhs": lhs, "rhs": rhs}}


class EarlierCallsTest(CommandTest):
    def plugin(self, stale="first == 13"):
        library = self.path("stateful.so")
        source = self.write("stateful.c", PLUGIN.replace("STALE", stale))
        flags = ["-std=c11", "-O1", "-shared", "-fPIC", "-I", ROOT]
        subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", library, source], check=True)
        return library

    def suite(self, products=(), sums=0, differences=0):
        """Writes files in the order of their names: products, sums, differences."""
        folder = self.path("suite")
        os.makedirs(folder, exist_ok=True)
        files = {"1": ("multiply", [case(f"m{i}", value) for i, value in enumerate(products)]),
                 "2": ("add", [case(f"a{i}", i) for i in range(sums)]),
                 "3": ("subtract", [case(f"s{i}", i) for i in range(differences)])}
        for name, (op, cases) in files.items():
            self.write(f"suite/{name}.json", json.dumps({"op": op, "cases": cases}))
        return folder

    def run_suite(self, backend, folder, *flags):
        out = self.path("out.jsonl")
        run = assay("run", "--backend", backend, "--cases", folder, "--out", out, *flags)
        with open(out, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        return run, {line["case"]: line for line in lines if line["kind"] == "result"}

    def replay(self, command):
        words = shlex.split(command)
        self.assertEqual(words[0], "assay")
        return subprocess.run([ASSAY, *words[1:]], capture_output=True, text=True, timeout=600,
                              check=False)

    def test_a_call_that_is_stale_is_found_with_the_one_that_made_it_so(self):
        products = [value for value in range(40) if value != 13]
        products.insert(20, 13)
        folder = self.suite(products, sums=30)
        backend = self.plugin()
        for flags in ([], ["--layouts", "all"]):
            run, results = self.run_suite(backend, folder, *flags)
            self.assertEqual(run.returncode, 1, run.stderr)
            again = [r for r in results.values() if r.get("alone")]
            self.assertTrue(again, run.stdout)
            for result in again:
                self.assertEqual(result["alone"], "pass")
                self.assertEqual(len(result["after"]), 1, result)
                self.assertEqual(result["after"][0].split("@")[0], "multiply/m20")
                self.assertIn("depends on earlier calls: alone, in a new process, it passes; "
                              "it fails after\n    multiply/m20", result["message"])
                shown = self.replay(result["replay"])
                self.assertEqual(shown.returncode, 1, shown.stdout + shown.stderr)
                self.assertIn("1 failed", shown.stdout)
            self.assertRegex(run.stdout, r"failure\(s\) were judged again alone, .* depend on earlier calls")

    def test_what_does_not_depend_on_others_is_not_said_to(self):
        run, results = self.run_suite(self.plugin(), self.suite([1, 2], 3, differences=5))
        failed = [r for r in results.values() if r["outcome"] != "pass"]
        self.assertEqual(len(failed), 5)
        self.assertEqual([r["alone"] for r in failed if "alone" in r], ["fail"] * 3)
        self.assertNotIn("--after", run.stdout)
        self.assertNotIn("depends on earlier calls", run.stdout)
        self.assertIn("3 failure(s) were judged again alone, first in a new process, 2 were not; "
                      "0 of them", run.stdout)

    def test_in_reports(self):
        junit, markdown = self.path("j.xml"), self.path("m.md")
        folder = self.suite([5, 13], sums=1)
        self.run_suite(self.plugin(), folder, "--junit", junit, "--markdown", markdown)
        for path in (junit, markdown):
            with open(path, encoding="utf-8") as file:
                self.assertIn("depends on earlier calls", file.read())
        report = assay("report", self.path("out.jsonl"))
        self.assertIn("depends on earlier calls", report.stdout)

    def test_a_death_names_the_call_that_broke_the_process(self):
        folder = self.suite([1, 2, 666, 3, 4], sums=20)
        run, results = self.run_suite(self.plugin(), folder)
        dependent = [r for r in results.values() if r.get("alone") == "pass"]
        self.assertTrue(dependent, run.stdout)
        for result in dependent:
            self.assertEqual(result["after"], ["multiply/m2"])
            self.assertEqual(self.replay(result["replay"]).returncode, 1)

    def test_without_a_process_of_its_own_the_case_is_skipped(self):
        folder = self.suite([13], sums=1)
        run = assay("run", "--backend", self.plugin(), "--cases", folder, "--op", "add/a0",
                    "--after", "multiply/m0", "--in-process")
        self.assertEqual(run.returncode, 4, run.stdout)
        self.assertIn("comes after calls in a process of its own", run.stdout)

    def test_names_that_are_none(self):
        folder = self.suite([13], sums=1)
        for name in ("multiply/m7", "multiply/m0@nowhere", "m0"):
            run = assay("run", "--backend", "simd", "--cases", folder, "--after", name)
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn(name, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_a_case_after_others_is_a_file(self):
        after = [{"op": "multiply", **case("", value)} for value in (1, 13, 2, 3)]
        for call in after:
            del call["id"]
        path = self.write("sum.json", json.dumps(
            {"op": "add", "cases": [{**case("stale", 4), "after": after}, case("alone", 4)]}))
        backend = self.plugin()
        lint = assay("lint", "--fix", path)
        self.assertEqual(lint.returncode, 0, lint.stdout + lint.stderr)
        _, results = self.run_suite(backend, path)
        self.assertEqual(results["add/stale"]["outcome"], "fail")
        self.assertNotIn("alone", results["add/stale"])
        self.assertEqual(results["add/alone"]["outcome"], "pass")
        shrunk = self.path("shrunk.json")
        shrink = assay("shrink", path + "#stale", "--backend", backend, "--out", shrunk)
        self.assertEqual(shrink.returncode, 1, shrink.stdout + shrink.stderr)
        with open(shrunk, encoding="utf-8") as file:
            (found,) = json.load(file)["cases"]
        self.assertEqual(len(found["after"]), 1, found)
        self.assertEqual(found["after"][0]["inputs"]["lhs"]["data"][0], 13)
        self.assertEqual(self.replay(re.search("replay: (.*)", shrink.stdout)[1]).returncode, 1)

    def test_calls_before_a_case_are_checked(self):
        call = {"op": "multiply", "inputs": case("", 1)["inputs"]}
        for wrong, reason in (({**call, "op": "nosuch"}, "unknown op"),
                              ({**call, "expect": {"result": [1, 2, 3]}}, "result"),
                              ({**call, "id": "x"}, "id"), ("x", "object")):
            path = self.write("wrong.json", json.dumps(
                {"op": "add", "cases": [{**case("x", 1), "after": [call, wrong]}]}))
            run = assay("run", "--backend", "simd", "--cases", path)
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn("/cases/0/after/1", run.stderr)
            self.assertIn(reason, run.stderr)

    def test_a_campaign_keeps_the_shortest_sequence_as_a_case(self):
        out = self.path("findings")
        backend = self.plugin("first % 2 == 1")
        fuzz = assay("fuzz", "--backend", backend, "--op", "add", "--op", "multiply", "--count", "20000",
                     "--out", out)
        self.assertEqual(fuzz.returncode, 1, fuzz.stdout + fuzz.stderr)
        self.assertIn("depends on earlier calls: alone, in a new process, it passes", fuzz.stdout)
        kept = [name for name in os.listdir(out) if name.startswith("add-")]
        self.assertTrue(kept, fuzz.stdout)
        for name in kept:
            with open(os.path.join(out, name), encoding="utf-8") as file:
                (found,) = json.load(file)["cases"]
            self.assertEqual([call["op"] for call in found["after"]], ["multiply"], found)
            self.assertEqual(assay("lint", os.path.join(out, name)).returncode, 0)
        for command in re.findall("replay: (.*)", fuzz.stdout):
            self.assertEqual(self.replay(command).returncode, 1, command)


if __name__ == "__main__":
    unittest.main()
