#!/usr/bin/env python3
"""Backends misbehave, each in one way, in the middle of a run of many cases.

A plugin and a worker each misbehave on the value that says how; the same run holds
cases that are right. Each way must be the outcome of its one case, and every other
case must be judged. Usage: isolation_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import json
import os
import subprocess
import sys
import unittest

from command_test_support import ROOT, CommandTest, assay


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

static void* At(const AssayTensor* t) {
  return (char*)t->tensor.data + t->tensor.byte_offset;
}

static void Overflow(volatile char* below) {
  volatile char here[4096];
  here[0] = below ? below[0] : 0;
  Overflow(here);
}

static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  const int* lhs = At(&call->inputs[0]);
  const int* rhs = At(&call->inputs[1]);
  int* result = At(&call->outputs[0]);
  (void)message;
  (void)capacity;
  for (int64_t i = 0; i < call->outputs[0].tensor.shape[0]; ++i)
    result[i] = (int)((unsigned)lhs[i] + (unsigned)rhs[i]);
  switch (lhs[0]) {
    case 1001: *(volatile int*)16 = 1; break;
    case 1002: abort();
    case 1003: for (volatile int i = 0;; i = i + 1) {}
    case 1004: for (;;) memset(malloc(8 << 20), 1, 8 << 20);
    case 1005: exit(0);
    case 1006: for (int fd = 0; fd < 1024; ++fd) close(fd); break;
    case 1007: printf("a library that prints\n"); fflush(stdout); break;
    case 1008: raise(SIGSTOP); break;
    case 1009: fesetround(FE_UPWARD); break;
    case 1010: Overflow(0); break;
    case 1011: result[call->outputs[0].tensor.shape[0]] = 0; break;
    case 1012: _exit(7);
  }
  return ASSAY_OK;
}

const AssayBackend* assay_backend(void) {
  static AssayBackend backend = {.struct_size = sizeof(AssayBackend),
                                 .abi_major = ASSAY_ABI_MAJOR, .name = "misbehaving",
                                 .version = "1", .device = {kDLCPU, 0}, .run = Run};
  return &backend;
}
"""

PLUGIN_OUTCOMES = {
    1001: ("crash", "signal 11"), 1002: ("crash", "signal 6"), 1003: ("timeout", "no answer"),
    1004: ("memory", ""), 1005: ("crash", "exited with status 0"),
    1006: ("crash", ""), 1007: ("pass", ""), 1008: ("timeout", "no answer"),
    1009: ("environment_changed", "rounding mode"), 1010: ("crash", "signal 11"),
    1011: ("guard_violation", "touched 1 byte(s) behind the buffer"),
    1012: ("crash", "exited with status 7"),
}

# This worker uses no library, so that it can break the protocol.
WORKER = r"""
import json, mmap, os, struct, sys
memory = None
def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        hello = message["hello"]
        file = os.open(hello["memory"], os.O_RDWR)
        memory = mmap.mmap(file, hello["bytes"])
        say(json.dumps({"hello": {"protocol": 1, "name": "w", "version": "1"}}))
        continue
    if "grow" in message:
        memory = mmap.mmap(file, message["grow"])
        continue
    number = message["call"]
    memory[0:8] = struct.pack("<Q", number)
    def read(t):
        n = int(t["type"].split("<")[1].split("x")[0])
        return struct.unpack_from("<%di" % n, memory, t["at"])
    lhs, rhs = [read(t) for t in message["inputs"]]
    struct.pack_into("<%di" % len(lhs), memory, message["outputs"][0]["at"],
                     *[a + b for a, b in zip(lhs, rhs)])
    how, ok = lhs[0], json.dumps({"call": number, "status": "ok"})
    if how == 1001: say("Hello, world!")
    elif how == 1002: say(ok + "\n" + ok)
    elif how == 1003: say(json.dumps({"call": number + 1, "status": "ok"}))
    elif how == 1004: os.close(0); os.close(1); os._exit(0)
    elif how == 1005: say(json.dumps({"call": number, "status": "perhaps"}))
    elif how == 1006:
        while True: sys.stdout.write("x" * 65536)
    elif how == 1007: os.close(1); os.close(2); import time; time.sleep(1000)
    elif how == 1008: raise ValueError("a worker that ends")
    elif how == 1009: os.ftruncate(file, 4096)
    else: say(ok)
"""

WORKER_OUTCOMES = {
    1001: ("error", "'Hello, world!'"), 1002: ("error", "twice"), 1003: ("error", "out of order"),
    1004: ("crash", "exited with status 0"), 1005: ("error", "perhaps"), 1006: ("error", "xxxx"),
    1007: ("crash", "closed its pipes"), 1008: ("crash", "a worker that ends"),
    1009: ("crash", "Operation not permitted"),
}


class IsolationTest(CommandTest):
    def plugin(self, source=PLUGIN, name="misbehaving"):
        library = self.path(name + ".so")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O0", "-shared", "-fPIC", "-I",
                        ROOT, "-o", library, self.write(name + ".c", source), "-lm"], check=True)
        return library

    def worker(self, source=WORKER):
        return f"cmd:{sys.executable} {self.write('worker.py', source)}"

    def cases(self, special):
        """Writes a file with twelve right cases around each special one."""
        cases = []
        for first in special:
            for i in range(12):
                value = first if i == 6 else i
                cases.append({"id": f"v{first}_{i}", "inputs": {
                    "lhs": {"type": "tensor<3xi32>", "data": [value, 1, 2]},
                    "rhs": {"type": "tensor<3xi32>", "data": [1, 1, 1]}}})
        return self.write("cases.json", json.dumps({"op": "add", "cases": cases}))

    def results(self, *arguments):
        out = self.path("out.jsonl")
        run = assay("run", *arguments, "--out", out)
        self.assertTrue(os.path.exists(out), run.stderr)
        with open(out, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        return run, [line for line in lines if line["kind"] == "result"]

    def check(self, backend, outcomes, *flags):
        cases = self.cases(outcomes)
        run, results = self.results("--backend", backend, "--cases", cases, "--crashes", "0", *flags)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(len(results), 12 * len(outcomes))
        for result in results:
            first, i = result["case"].removeprefix("add/v").split("_")
            outcome, message = outcomes[int(first)] if i == "6" else ("pass", "")
            self.assertEqual(result["outcome"], outcome, result)
            self.assertIn(message, result.get("message", ""))

    def test_each_way_of_a_plugin_is_one_case(self):
        self.check(self.plugin(), PLUGIN_OUTCOMES, "--timeout", "2", "--memory", "300M")

    def test_each_way_of_a_plugin_is_one_case_with_two_jobs(self):
        self.check(self.plugin(), PLUGIN_OUTCOMES, "--timeout", "2", "--memory", "300M",
                   "--jobs", "2")

    def test_each_way_of_a_worker_is_one_case(self):
        self.check(self.worker(), WORKER_OUTCOMES, "--timeout", "5")

    def test_a_worker_that_always_dies_is_given_up(self):
        always = PLUGIN.replace("switch (lhs[0])", "abort(); switch (lhs[0])")
        cases = self.cases([1])
        run, results = self.results("--backend", self.plugin(always, "always"), "--backend",
                                    "simd", "--cases", cases, "--max-deaths", "5", "--crashes", "0")
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertIn("died 5 times in a row", run.stderr)
        self.assertRegex(run.stdout, r"always.so, policy stablehlo: GIVEN UP; 0 passed, 7 not judged\n")
        self.assertIn("simd, policy assay: conforms; 12 passed, 0 not judged\n", run.stdout)
        outcomes = [r["outcome"] for r in results]
        self.assertEqual(outcomes.count("crash"), 5)
        self.assertEqual(outcomes.count("skipped"), 7)
        self.assertEqual(outcomes.count("pass"), 12, "the other backend is judged")

    def test_workers_that_do_not_start(self):
        cases = self.cases([1])
        for backend, message in (
                ("cmd:no-such-program-anywhere", "ended before it said hello"),
                ("cmd:echo hello there", "standard output belongs to the protocol"),
                ("cmd:true", "ended before it said hello"),
                ("cmd:sleep 100", "no hello"),
                ("python:nosuch", "there is no nosuch_worker.py"),
                ("./nosuch.so", "no such file")):
            run = assay("run", "--backend", backend, "--cases", cases, "--timeout", "0.5", "--start-timeout",
                        "2s")
            self.assertEqual(run.returncode, 3, backend)
            self.assertIn(message, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_a_worker_may_take_longer_to_start_than_a_call_may(self):
        worker = self.worker("import time\ntime.sleep(3)\n" + WORKER)
        limits = ["--backend", worker, "--cases", self.cases([1]), "--timeout", "1s"]
        run = assay("run", *limits)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        run = assay("run", *limits, "--start-timeout", "500ms")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("no hello from the worker within 500 ms, which is what --start-timeout allows", run.stderr)

    def test_a_plugin_that_ends_the_process_when_it_is_loaded(self):
        source = PLUGIN.replace("static AssayBackend backend", "abort(); static AssayBackend backend")
        run = assay("run", "--backend", self.plugin(source), "--cases", self.cases([1]))
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertIn("signal 6", run.stderr)

    def test_two_options_of_one_plugin_are_judged_in_one_run(self):
        run, results = self.results("--backend", "simd?target=sse4", "--backend", "simd",
                                    "--cases", self.cases([1]))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(results), 24)

    def test_a_worker_that_dies_after_its_answers_is_seen(self):
        source = WORKER.replace("else: say(ok)", "else: say(ok); os.kill(os.getpid(), 11)")
        run, results = self.results("--backend", self.worker(source), "--cases", self.cases([1]))
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("started again", run.stdout)

    def test_a_crash_is_seen_though_a_child_holds_the_pipes(self):
        source = PLUGIN.replace("case 1001: ", "case 1001: if (fork() == 0) { sleep(30); _exit(0); } ")
        run, results = self.results("--backend", self.plugin(source, "forks"), "--cases",
                                    self.cases([1001]), "--timeout", "20s")
        self.assertEqual([r["outcome"] for r in results].count("crash"), 1, results)

    def test_a_plugin_that_reads_standard_input_takes_no_message(self):
        source = PLUGIN.replace("case 1001: ", "case 1001: if (read(0, result, 0) < 0 || getchar() != EOF) abort(); break; case 2001: ")
        run, results = self.results("--backend", self.plugin(source, "reads"), "--cases",
                                    self.cases([1001]), "--timeout", "5s")
        self.assertEqual(run.returncode, 0, run.stdout)


if __name__ == "__main__":
    unittest.main()
