#!/usr/bin/env python3
"""Backends answer a call rightly but break their process, so that it ends, hangs or runs out of memory at a later call.

At most two cases are charged for each such call, wherever it stands among the calls that a worker is given at a time, and
every other case passes. Usage: poison_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import subprocess
import sys
import unittest

from command_test_support import ROOT, CommandTest, assay

# lhs[0] tells the plugin how to break its process; every call adds.
PLUGIN = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/backend.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fatal_in, exits, leaked;
static volatile int spins;

static void* At(const AssayTensor* t) {
  return (char*)t->tensor.data + t->tensor.byte_offset;
}

static void* DieLater(void* microseconds) {
  usleep((useconds_t)(size_t)microseconds);
  abort();
}

static void DieAfter(size_t microseconds) {
  pthread_t thread;
  pthread_create(&thread, 0, DieLater, (void*)microseconds);
}

static void DieAtExit(void) { abort(); }

static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  const int* lhs = At(&call->inputs[0]);
  const int* rhs = At(&call->inputs[1]);
  int* result = At(&call->outputs[0]);
  const AssayTensor* out = &call->outputs[0];
  const int64_t step[] = {
      call->inputs[0].tensor.strides ? call->inputs[0].tensor.strides[0] : 1,
      call->inputs[1].tensor.strides ? call->inputs[1].tensor.strides[0] : 1,
      out->tensor.strides ? out->tensor.strides[0] : 1};
  int how = 0;
  (void)message;
  (void)capacity;
  pthread_mutex_lock(&lock);
  while (spins) usleep(1000);
  if (fatal_in > 0 && --fatal_in == 0) abort();
  if (exits) exit(3);
  if (leaked) memset(malloc(256 << 20), 1, 256 << 20);
  for (int64_t i = 0; i < out->tensor.shape[0]; ++i)
    if (lhs[i * step[0]] >= 1000) how = lhs[i * step[0]];
  for (int64_t i = 0; i < out->tensor.shape[0]; ++i)
    result[i * step[2]] = (int)((unsigned)lhs[i * step[0]] + (unsigned)rhs[i * step[1]]);
  switch (how) {
    case 1001: fatal_in = 1; break;
    case 1002: fatal_in = 3; break;
    case 1003: fatal_in = 20; break;
    case 1004: exits = 1; break;
    case 1005: spins = 1; break;
    case 1006: return ASSAY_OK;  /* the lock stays taken */
    case 1007: DieAfter(1); break;
    case 1008: DieAfter(2000); break;
    case 1009: DieAfter(50000); break;
    case 1010: leaked = 1; break;
    case 1011: atexit(DieAtExit); exits = 1; break;
    case 1012: {  /* chunks of the heap lose their sizes */
      char* chunk[64];
      for (int i = 0; i < 64; ++i) chunk[i] = malloc(100);
      for (int i = 0; i < 64; ++i) memset(chunk[i] - 16, 0x41, 128);
      fatal_in = 2;
      break;
    }
    case 1013: mprotect((void*)((size_t)&Run & ~(size_t)4095), 4096, PROT_NONE); break;
  }
  pthread_mutex_unlock(&lock);
  return ASSAY_OK;
}

const AssayBackend* assay_backend(void) {
  static AssayBackend backend = {.struct_size = sizeof(AssayBackend),
                                 .abi_major = ASSAY_ABI_MAJOR, .name = "poisoned",
                                 .version = "1", .device = {kDLCPU, 0}, .run = Run};
  return &backend;
}
"""

PLUGIN_WAYS = range(1001, 1014)

# The plugin implements `not` on integers of whole bytes in row-major order. A call whose first byte is 7 modulo 16 is answered,
# recorded in LOG, and breaks the process for the call after next.
NOT_PLUGIN = r"""
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "backends/backend.h"

static int64_t Count(const DLTensor* t) {
  int64_t count = 1;
  for (int d = t->ndim - 1; d >= 0; --d) {
    if (t->strides && t->strides[d] != count && t->shape[d] != 1) return -1;
    count *= t->shape[d];
  }
  return count;
}

static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  static int fatal_in;
  const DLTensor* in = &call->inputs[0].tensor;
  const DLTensor* out = &call->outputs[0].tensor;
  const int64_t bytes = Count(in) * in->dtype.bits / 8;
  (void)message;
  (void)capacity;
  if (fatal_in > 0 && --fatal_in == 0) _exit(3);
  if ((in->dtype.code != kDLInt && in->dtype.code != kDLUInt) || in->dtype.bits < 8 || bytes <= 0 || Count(out) <= 0)
    return ASSAY_UNSUPPORTED;
  const uint8_t* from = (uint8_t*)in->data + in->byte_offset;
  uint8_t* to = (uint8_t*)out->data + out->byte_offset;
  const uint8_t first = from[0];
  for (int64_t i = 0; i < bytes; ++i) to[i] = (uint8_t)~from[i];
  if (first % 16 == 7) {
    FILE* log = fopen("LOG", "a");
    fprintf(log, "%d %d %d\n", (int)bytes, in->dtype.bits, first);
    fclose(log);
    fatal_in = 2;
  }
  return ASSAY_OK;
}

const AssayBackend* assay_backend(void) {
  static AssayBackend backend = {.struct_size = sizeof(AssayBackend),
                                 .abi_major = ASSAY_ABI_MAJOR, .name = "poisoned",
                                 .version = "1", .device = {kDLCPU, 0}, .run = Run};
  return &backend;
}
"""

# This worker collects its answers as long as there are messages.
WORKER = r"""
import json, mmap, os, select, struct, sys, threading, time
memory = None
text = b""
answers = []
fatal_in = 0
exits = hangs = False
def abort_after(seconds):
    time.sleep(seconds)
    os.abort()
while True:
    while b"\n" not in text:
        if not select.select([0], [], [], 0)[0]:
            os.write(1, b"".join(answers))
            answers.clear()
        text += os.read(0, 65536) or sys.exit(0)
    line, text = text.split(b"\n", 1)
    message = json.loads(line)
    if "hello" in message:
        hello = message["hello"]
        file = os.open(hello["memory"], os.O_RDWR)
        memory = mmap.mmap(file, hello["bytes"])
        answers.append(b'{"hello": {"protocol": 1, "name": "w", "version": "1"}}\n')
        continue
    if "grow" in message:
        memory = mmap.mmap(file, message["grow"])
        continue
    number = message["call"]
    memory[0:8] = struct.pack("<Q", number)
    if fatal_in > 0:
        fatal_in -= 1
        if fatal_in == 0: os.abort()
    if exits: os._exit(3)
    if hangs: time.sleep(1000)
    def read(t):
        n = int(t["type"].split("<")[1].split("x")[0])
        return [struct.unpack_from("<i", memory, t["at"] + 4 * t["strides"][0] * i)[0] for i in range(n)]
    lhs, rhs = [read(t) for t in message["inputs"]]
    out = message["outputs"][0]
    for i, (a, b) in enumerate(zip(lhs, rhs)):
        struct.pack_into("<i", memory, out["at"] + 4 * out["strides"][0] * i, a + b)
    how = max(lhs)
    if how == 1001: fatal_in = 1
    if how == 1002: fatal_in = 3
    if how == 1004: exits = True
    if how == 1005: hangs = True
    if how == 1008: threading.Thread(target=abort_after, args=[0.002], daemon=True).start()
    answers.append(json.dumps({"call": number, "status": "ok"}).encode() + b"\n")
    if len(answers) == 60:
        os.write(1, b"".join(answers))
        answers.clear()
"""

WORKER_WAYS = (1001, 1002, 1004, 1005, 1008)


class PoisonTest(CommandTest):
    def plugin(self, source=PLUGIN):
        library = self.path("poisoned.so")
        source = self.write("poisoned.c", source)
        compiler = os.environ.get("CC", "cc")
        flags = ["-std=c11", "-O0", "-shared", "-fPIC", "-pthread", "-I", ROOT]
        subprocess.run([compiler, *flags, "-o", library, source], check=True)
        return library

    def worker(self):
        return f"cmd:{sys.executable} {self.write('worker.py', WORKER)}"

    def cases(self, way, position, count):
        cases = []
        for i in range(count):
            value = way if i == position else i % 7
            lhs = {"type": "tensor<3xi32>", "data": [value, 1, 2]}
            rhs = {"type": "tensor<3xi32>", "data": [1, 1, 1]}
            cases.append({"id": f"v{i}", "inputs": {"lhs": lhs, "rhs": rhs}})
        return self.write(f"cases_{way}.json", json.dumps({"op": "add", "cases": cases}))

    def results(self, *arguments):
        out = self.path("out.jsonl")
        run = assay("run", "--crashes", "0", *arguments, "--out", out)
        self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
        with open(out, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        return [line for line in lines if line["kind"] == "result"]

    def check(self, backend, way, position, count, *flags, charged=2):
        cases = self.cases(way, position, count)
        results = self.results("--backend", backend, "--cases", cases, *flags)
        failed = [r for r in results if r["outcome"] not in ("pass", "skipped")]
        where = f"way {way}, position {position}, {flags}"
        self.assertLessEqual(len(failed), charged, f"{where}: {failed}")
        self.assertGreaterEqual(len(results), count)
        for result in failed:
            self.assertIn(result["outcome"], ("crash", "timeout", "memory"), where)
        return failed

    LIMITS = ("--timeout", "700ms", "--memory", "300M")

    def test_each_way_of_a_plugin_at_each_place_costs_two_cases(self):
        backend = self.plugin()
        for way in PLUGIN_WAYS:
            for position in (7, 58):
                self.check(backend, way, position, 61, *self.LIMITS)

    def test_with_two_jobs(self):
        backend = self.plugin()
        for way in PLUGIN_WAYS:
            self.check(backend, way, 20, 61, *self.LIMITS, "--jobs", "2")

    def test_of_a_worker(self):
        backend = self.worker()
        for way in WORKER_WAYS:
            for position in (0, 33):
                self.check(backend, way, position, 61, *self.LIMITS)
            self.check(backend, way, 33, 61, *self.LIMITS, "--jobs", "2")

    def test_in_layouts_each_call_that_breaks_the_process_costs_two(self):
        # A case that breaks its process does so in every layout, with two or three
        # calls in each.
        backend = self.plugin()
        for way in (1001, 1002, 1004, 1005):
            cases = self.cases(way, 3, 8)
            results = self.results("--backend", backend, "--cases", cases, "--layouts", "all",
                                   *self.LIMITS)
            poisoned = sum(r["case"].startswith("add/v3") for r in results)
            failed = [r for r in results if r["outcome"] not in ("pass", "skipped")]
            self.assertLessEqual(len(failed), 2 * poisoned, failed)
            self.assertGreater(len(results), 50)

    def test_the_message_names_the_call_before(self):
        failed = self.check(self.plugin(), 1001, 20, 61, *self.LIMITS)
        self.assertTrue(any("may have been broken by a call before; the last was of add/v20"
                            in result["message"] for result in failed), failed)

    def test_a_call_that_is_the_first_of_its_process_has_no_other_to_suspect(self):
        source = PLUGIN.replace("case 1001: ", "case 1001: abort(); ")
        failed = self.check(self.plugin(source), 1001, 0, 3, charged=1)
        self.assertEqual([result["case"] for result in failed], ["add/v0"])
        self.assertNotIn("may have been broken", failed[0]["message"])

    def test_neighbours_do_not_make_the_backend_given_up(self):
        # Every fifth call breaks the process, so no process dies without an answer
        # before it.
        cases = []
        for i in range(60):
            lhs = {"type": "tensor<3xi32>", "data": [1001 if i % 5 == 0 else 1, 1, 2]}
            rhs = {"type": "tensor<3xi32>", "data": [1, 1, 1]}
            cases.append({"id": f"v{i}", "inputs": {"lhs": lhs, "rhs": rhs}})
        path = self.write("cases.json", json.dumps({"op": "add", "cases": cases}))
        results = self.results("--backend", self.plugin(), "--cases", path, "--max-deaths", "3")
        outcomes = [result["outcome"] for result in results]
        self.assertEqual(outcomes.count("skipped"), 0)
        self.assertLessEqual(outcomes.count("crash"), 24)
        self.assertGreaterEqual(outcomes.count("pass"), 36)


    def test_of_a_campaign_in_and_out_of_its_processes(self):
        log = self.path("log")
        backend = self.plugin(NOT_PLUGIN.replace("LOG", log))
        for flags in ([], ["--in-process"], ["--jobs", "2"], ["--in-process", "--jobs", "2"]):
            with open(log, "w", encoding="ascii"):
                pass
            fuzz = assay("fuzz", "--backend", backend, "--op", "not", "--count", "4096", *flags)
            self.assertEqual(fuzz.returncode, 1, fuzz.stdout + fuzz.stderr)
            with open(log, encoding="ascii") as lines:
                poisoned = len(list(lines))  # calls that broke their process; of small cases many are alike
            crashes = [line.split()[1] for line in fuzz.stdout.splitlines()
                       if line.startswith("  crash ")]
            self.assertGreater(poisoned, 2)
            self.assertGreaterEqual(int(crashes[-1]), 1)
            self.assertLessEqual(int(crashes[-1]), 2 * poisoned, (flags, fuzz.stdout))


if __name__ == "__main__":
    unittest.main()
