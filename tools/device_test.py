#!/usr/bin/env python3
"""Backends whose tensors lie on a device are judged through workers, on a machine without a device.

`fake_device_worker`, which is built beside the command for tests, hosts a plugin on a device
that is host memory. Calls run together there, and a fault of one takes all of them along: it
must still be the outcome of its one case. Usage: device_test.py ASSAY
"""
import ctypes
import json
import os
import re
import subprocess
import sys
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

FAKE = os.path.join(os.path.dirname(ASSAY), "fake_device_worker")

# lhs[0] tells the plugin how to misbehave.
PLUGIN = r"""
#define _GNU_SOURCE
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/backend.h"

__attribute__((weak)) void assay_fake_device_fault(const char* why);

static int32_t waits = ASSAY_OK;

static void* At(const AssayTensor* t) {
  return (char*)t->tensor.data + t->tensor.byte_offset;
}

static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  int* lhs = At(&call->inputs[0]);
  const int* rhs = At(&call->inputs[1]);
  int* result = At(&call->outputs[0]);
  const int64_t size = call->outputs[0].tensor.shape[0];
  const int how = lhs[0];
  if (call->outputs[0].tensor.device.device_type != kDLCUDA) abort();
  for (int64_t i = 0; i < size; ++i)
    result[i] = (int)((unsigned)lhs[i] + (unsigned)rhs[i]);
  switch (how) {
    case 1001: assay_fake_device_fault("CUDA_ERROR_ILLEGAL_ADDRESS"); break;
    case 1002: assay_fake_device_fault("CUDA_ERROR_LAUNCH_FAILED");
               snprintf(message, capacity, "launch failed"); return ASSAY_ERROR;
    case 1003: for (volatile int i = 0;; i = i + 1) {}
    case 1004: for (;;) memset(malloc(8 << 20), 1, 8 << 20);
    case 1005: exit(0);
    case 1006: for (int fd = 0; fd < 1024; ++fd) close(fd); break;
    case 1007: abort();
    case 1008: snprintf(message, capacity, "not today"); return ASSAY_ERROR;
    case 1009: fesetround(FE_UPWARD); break;
    case 1010: waits = ASSAY_ERROR; break;
    case 1011: result[size] = 0; break;
    case 1012: lhs[1] ^= 1; break;
    case 1013: result[0] = 7; break;
    case 1014: return ASSAY_UNSUPPORTED;
  }
  return ASSAY_OK;
}

static int32_t Wait(char* message, size_t capacity) {
  const int32_t status = waits;
  waits = ASSAY_OK;
  snprintf(message, capacity, "the wait failed");
  return status;
}

const AssayBackend* assay_backend(void) {
  static AssayBackend backend = {.struct_size = sizeof(AssayBackend),
                                 .abi_major = ASSAY_ABI_MAJOR, .name = "misbehaving",
                                 .version = "1", .device = {kDLCPU, 0}, .run = Run,
                                 .synchronise = Wait};
  return &backend;
}
"""

OUTCOMES = {
    1001: ("crash", "CUDA_ERROR_ILLEGAL_ADDRESS, from Synchronise"),
    1002: ("crash", "CUDA_ERROR_LAUNCH_FAILED, from Synchronise"),
    1003: ("timeout", "no answer"), 1004: ("memory", ""), 1005: ("crash", "exited with status 0"),
    1006: ("crash", ""), 1007: ("crash", "signal 6"), 1008: ("error", "status 3: not today"),
    1009: ("environment_changed", "rounding mode"), 1010: ("error", "the wait failed"),
    1011: ("crash", "signal 11"), 1012: ("input_modified", "lhs was changed"),
    1013: ("fail", "1 of 3 elements"), 1014: ("unsupported", ""),
}
# After each of these, another worker must be started.
DEADLY = {1001, 1002, 1003, 1004, 1005, 1006, 1007, 1011}

# This worker takes calls together and dies of one that begins with 1001. The first page says
# which calls were in flight.
WORKER = r"""
import json, mmap, os, select, struct, sys
file = memory = None
calls = []
def say(line):
    os.write(1, (json.dumps(line) + "\n").encode())
def operands(call):
    for t in call["inputs"] + call["outputs"]:
        n = int(t["type"].split("<")[1].split("x")[0])
        yield "<%di" % n, t["at"]
def run():
    memory[32:40] = struct.pack("<Q", calls[-1]["call"])
    memory[0:8] = struct.pack("<Q", calls[0]["call"])
    for call in calls:
        lhs, rhs, result = operands(call)
        a, b = struct.unpack_from(lhs[0], memory, lhs[1]), struct.unpack_from(rhs[0], memory, rhs[1])
        if a[0] == 1001:
            sys.stderr.write("%d in flight\n" % len(calls))
            os._exit(9)
        struct.pack_into(result[0], memory, result[1], *[x + y for x, y in zip(a, b)])
    for call in calls:
        say({"call": call["call"], "status": "ok"})
    calls.clear()
text = b""
while True:
    if calls and (len(calls) == 8 or not select.select([0], [], [], 0.05)[0]):
        run()
    while b"\n" not in text:
        chunk = os.read(0, 1)
        if not chunk: sys.exit(0)
        text += chunk
    line, text = text.split(b"\n", 1)
    message = json.loads(line)
    if "hello" in message:
        file = os.open(message["hello"]["memory"], os.O_RDWR)
        memory = mmap.mmap(file, message["hello"]["bytes"])
        say({"hello": {"protocol": 1, "name": "w", "version": "1", "batch": 8}})
    elif "grow" in message:
        memory = mmap.mmap(file, message["grow"])
    else:
        calls.append(message)
"""

# This plugin is for a device that the machine may not have; it cannot run
# anything.
CUDA_PLUGIN = r"""
#include "backends/backend.h"
static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  (void)call; (void)message; (void)capacity;
  return ASSAY_UNSUPPORTED;
}
const AssayBackend* assay_backend(void) {
  static AssayBackend backend = {.struct_size = sizeof(AssayBackend),
                                 .abi_major = ASSAY_ABI_MAJOR, .name = "nothing",
                                 .version = "1", .device = {kDLCUDA, 0}, .run = Run};
  return &backend;
}
"""


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


class DeviceTest(CommandTest):
    def plugin(self, source=PLUGIN):
        library = self.path("plugin.so")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O0", "-shared", "-fPIC", "-I",
                        ROOT, "-o", library, self.write("plugin.c", source), "-lm"], check=True)
        return library

    def cases(self, special, around=12):
        """Writes a file with right cases around each special one."""
        cases = []
        for first in special:
            for i in range(around):
                value = first if i == around // 2 else i % 500
                cases.append({"id": f"v{first}_{i}", "inputs": {
                    "lhs": {"type": "tensor<3xi32>", "data": [value, 1, 2]},
                    "rhs": {"type": "tensor<3xi32>", "data": [1, 1, 1]}}})
        return self.write("cases.json", json.dumps({"op": "add", "cases": cases}))

    def results(self, *arguments):
        out = self.path("out.jsonl")
        run = assay("run", "--crashes", "0", *arguments, "--out", out)
        self.assertTrue(os.path.exists(out), run.stderr)
        with open(out, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        os.remove(out)
        return run, {line["case"]: line for line in lines if line["kind"] == "result"}

    def check(self, backend, outcomes, *flags, around=12):
        run, results = self.results("--backend", backend, "--cases", self.cases(outcomes, around),
                                    *flags)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(len(results), around * len(outcomes))
        for case, result in results.items():
            first, i = case.removeprefix("add/v").split("_")
            is_special = i == str(around // 2)
            outcome, message = outcomes[int(first)] if is_special else ("pass", "")
            self.assertEqual(result["outcome"], outcome, result)
            self.assertIn(message, result.get("message", ""))
        return run

    def test_each_way_is_one_case(self):
        library = self.plugin()
        for backend in (f"cmd:{FAKE} {library}", f"cmd:{FAKE} {library} each"):
            run = self.check(backend, OUTCOMES, "--timeout", "2", "--memory", "300M")
            restarts = int(re.search(r"started again (\d+) time", run.stdout)[1])
            # A worker dies once for the calls in flight together, once for run A and
            # once for run B.
            self.assertLessEqual(restarts, 3 * len(DEADLY), run.stdout)

    def test_what_leaves_the_device_needs_no_other_worker(self):
        harmless = {way: OUTCOMES[way] for way in OUTCOMES if way not in DEADLY}
        run = self.check(f"cmd:{FAKE} {self.plugin()}", harmless)
        self.assertNotIn("started again", run.stdout)

    def test_each_way_is_one_case_with_two_jobs(self):
        self.check(f"cmd:{FAKE} {self.plugin()}", OUTCOMES, "--timeout", "2", "--memory", "300M",
                   "--jobs", "2")

    def test_a_fault_among_many_calls(self):
        self.check(f"cmd:{FAKE} {self.plugin()}", {1001: OUTCOMES[1001]}, around=1500)

    def test_several_calls_in_flight_are_asked_again_one_at_a_time(self):
        dies = {1001: ("crash", "exited with status 9; it last said '1 in flight'")}
        worker = self.write("worker.py", WORKER)
        run = self.check(f"cmd:{sys.executable} {worker}", dies, around=60)
        self.assertIn("started again", run.stdout)

    def test_the_mirror_shows_what_kernels_do_to_memory(self):
        cases = self.write("cases.json", json.dumps({"op": "add", "cases": [
            {"id": f"x{shape}", "inputs": {
                name: {"type": f"tensor<{shape}xi32>", "draw": {"seed": seed, "profile": "uniform"}}
                for name, seed in (("lhs", 1), ("rhs", 2))}} for shape in ("3", "3x5")]}))
        for bug in ("MEM01", "MEM02", "MEM03", "MEM04", "MEM05", "MEM06"):
            shown = []
            for backend in (f"broken?bug={bug}", f"cmd:{FAKE} 'broken?bug={bug}'"):
                _, results = self.results("--backend", backend, "--cases", cases, "--policy",
                                          "assay", "--layouts", "all")
                shown.append({name for name, r in results.items() if r["outcome"] != "pass"})
            self.assertEqual(*shown, bug)
            self.assertNotEqual(shown[0], set(), bug)

    def test_a_device_that_is_not_there(self):
        if has_driver():
            self.skipTest("this machine has an NVIDIA driver")
        library = self.plugin(CUDA_PLUGIN)
        for flags in ([], ["--in-process"]):
            run = assay("run", "--backend", library, "--cases", self.cases([1]), *flags)
            self.assertEqual(run.returncode, 3, run.stdout)
            self.assertIn("no NVIDIA driver on this machine: libcuda.so.1", run.stderr)
            self.assertEqual(run.stderr.count("plugin.so"), 1, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_lists_backends_whose_device_is_not_there(self):
        if has_driver():
            self.skipTest("this machine has an NVIDIA driver")
        folder = os.path.join(self.folder, "backends")
        os.mkdir(folder)
        os.rename(self.plugin(CUDA_PLUGIN), os.path.join(folder, "nothing.so"))
        for name in ("assay", "assay-worker"):
            subprocess.run(["cp", os.path.join(os.path.dirname(ASSAY), name), self.folder], check=True)
        mine = os.path.join(self.folder, "assay")
        listed = subprocess.run([mine, "list", "backends"], capture_output=True, text=True, check=True)
        self.assertRegex(listed.stdout, r"nothing +unavailable: .*no NVIDIA driver on this machine")
        run = subprocess.run([mine, "run", "--backend", "cuda", "--cases", self.cases([1])],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stderr, "is not (there: this build was made without nvcc|in this build of assay)")
        # If there is a plugin file for the device, it is chosen, and the option
        # is not passed on.
        host = CUDA_PLUGIN.replace("kDLCUDA", "kDLCPU").replace('"nothing"', '"on host"')
        os.rename(self.plugin(host), os.path.join(folder, "nothing-host.so"))
        run = subprocess.run([mine, "run", "--backend", "nothing?device=host", "--cases",
                              self.cases([1])], capture_output=True, text=True, check=False)
        self.assertIn("12  unsupported", run.stdout + run.stderr)
        run = subprocess.run([mine, "run", "--backend", "nothing-host?device=1", "--cases",
                              self.cases([1])], capture_output=True, text=True, check=False)
        self.assertIn("it has no options", run.stderr, "it is the plugin's own")


if __name__ == "__main__":
    unittest.main()
