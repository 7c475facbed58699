#!/usr/bin/env python3
"""A backend may leave behind processes, limits of its own process, and shared memory.

Processes that it started end with the worker, or with the runner however that ends. A call that lowers a limit, moves to
another directory and the like is judged as it answers, and the next one finds the process as it was. Shared memory
of a backend counts against --memory, the memory of calls does not. Usage: leftovers_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from command_test_support import ASSAY, ROOT, CommandTest, assay

# The plugin implements `add` on i32. lhs[0] tells it what to leave behind; later calls report, by their answers
# alone, whether the process is as it was.
PLUGIN = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/backend.h"

struct State {
  struct rlimit limits[RLIMIT_NLIMITS];
  int priority, mask;
  uid_t user;
  sigset_t blocked;
  struct itimerval timer;
  char directory[4096];
};

static void Fill(struct State* state) {
  memset(state, 0, sizeof(*state));
  for (int i = 0; i < RLIMIT_NLIMITS; ++i) getrlimit(i, &state->limits[i]);
  /* The worker raises its own, when it maps more of the shared memory. */
  state->limits[RLIMIT_AS].rlim_cur = state->limits[RLIMIT_AS].rlim_cur < (100 << 20);
  state->priority = getpriority(PRIO_PROCESS, 0);
  state->mask = umask(0);
  umask(state->mask);
  state->user = geteuid();
  sigprocmask(SIG_SETMASK, 0, &state->blocked);
  getitimer(ITIMER_REAL, &state->timer);
  if (!getcwd(state->directory, sizeof(state->directory))) state->directory[0] = 0;
}

static void SetLimit(int resource, rlim_t value) {
  struct rlimit limit = {value, value};
  setrlimit(resource, &limit);
}

static void DropCapabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
  syscall(SYS_capset, &header, data);
}

/* A process that only a signal ends, and that writes its number down. */
static void Linger(void) {
  FILE* file = fopen("PIDS", "a");
  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  for (;;) pause();
}

static void Share(size_t bytes, int fd) {
  const int flags = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
  if (fd >= 0 && ftruncate(fd, (off_t)bytes)) abort();
  char* memory = mmap(0, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (memory == MAP_FAILED) abort();
  memset(memory, 1, bytes);
  sleep(2);  /* The runner looks twenty times a second. */
}

static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  static struct State first;
  static int is_called;
  struct State now;
  const int* lhs = (int*)((char*)call->inputs[0].tensor.data + call->inputs[0].tensor.byte_offset);
  const int* rhs = (int*)((char*)call->inputs[1].tensor.data + call->inputs[1].tensor.byte_offset);
  int* result = (int*)((char*)call->outputs[0].tensor.data + call->outputs[0].tensor.byte_offset);
  const int how = lhs[0];
  (void)message;
  (void)capacity;
  Fill(&now);
  if (!is_called) first = now;
  is_called = 1;
  const int is_same = memcmp(&first, &now, sizeof(now)) == 0;
  for (int64_t i = 0; i < call->outputs[0].tensor.shape[0]; ++i)
    result[i] = lhs[i] + rhs[i] + (is_same ? 0 : 1);
  switch (how) {
    case 1001: if (fork() == 0) Linger(); usleep(200000); break;
    case 1002: if (fork() == 0) { setsid(); Linger(); } usleep(200000); break;
    case 1003: if (fork() == 0) { setsid(); if (fork() == 0) Linger(); _exit(0); } wait(0); usleep(200000); break;
    case 1004: if (fork() == 0) { setpgid(0, 0); if (fork() == 0) { setsid(); Linger(); } Linger(); } usleep(200000); break;
    case 1005: if (fork() == 0) Linger(); usleep(200000); abort();
    case 1006: if (fork() == 0) { setsid(); Linger(); } for (;;) pause();
    case 2001: SetLimit(RLIMIT_NOFILE, 64); break;
    case 2002: SetLimit(RLIMIT_FSIZE, 4096); break;
    case 2003: SetLimit(RLIMIT_AS, 90 << 20); break;
    case 2004: SetLimit(RLIMIT_CPU, 1000); break;
    case 2005: DropCapabilities(); SetLimit(RLIMIT_STACK, 4 << 20); break;
    case 2006: if (nice(5) < 0) abort(); break;
    case 2007: { sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); break; }
    case 2008: if (chdir("/")) abort(); break;
    case 2009: umask(0777); break;
    case 2010: { struct itimerval timer = {{0, 0}, {0, 300000}}; setitimer(ITIMER_REAL, &timer, 0); break; }
    case 2011: DropCapabilities(); if (nice(5) < 0) abort(); break;
    case 2012: if (setresuid(65534, 65534, 65534)) return ASSAY_OK; break;
    case 2013: { rmdir("GONE"); mkdir("GONE", 0700); if (chdir("GONE")) abort(); rmdir("GONE"); break; }
    case 3001: Share(400 << 20, -1); break;
    case 3002: Share(400 << 20, memfd_create("assay", 0)); break;
    case 3003: { int fd = shm_open("/assay_leftovers", O_RDWR | O_CREAT, 0600); shm_unlink("/assay_leftovers"); Share(400 << 20, fd); break; }
    case 3006: Share(100 << 20, -1); break;
  }
  return ASSAY_OK;
}

const AssayBackend* assay_backend(void) {
  static AssayBackend backend = {.struct_size = sizeof(AssayBackend),
                                 .abi_major = ASSAY_ABI_MAJOR, .name = "leaves",
                                 .version = "1", .device = {kDLCPU, 0}, .run = Run};
  return &backend;
}
"""

# This worker uses no library and does the same as the plugin.
WORKER = r"""
import json, mmap, os, struct, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        file = os.open(message["hello"]["memory"], os.O_RDWR)
        memory = mmap.mmap(file, message["hello"]["bytes"])
        print('{"hello": {"protocol": 1, "name": "w", "version": "1"}}', flush=True)
        continue
    if "grow" in message:
        memory = mmap.mmap(file, message["grow"])
        continue
    memory[0:8] = struct.pack("<Q", message["call"])
    def read(t):
        return struct.unpack_from("<3i", memory, t["at"])
    lhs, rhs = [read(t) for t in message["inputs"]]
    struct.pack_into("<3i", memory, message["outputs"][0]["at"], *[a + b for a, b in zip(lhs, rhs)])
    how = lhs[0]
    if how in (1002, 1006) and os.fork() == 0:
        os.setsid()
        with open("PIDS", "a") as pids: print(os.getpid(), file=pids)
        time.sleep(1000)
    if how == 1002:
        while not os.path.getsize("PIDS"): time.sleep(0.01)
    if how == 1006: time.sleep(1000)
    if how // 1000 == 3:
        if how == 3004 and os.fork() == 0: os.setsid(); how = 3001
        if how == 3005 and os.fork() == 0: x = b"x" * (400 << 20)
        descriptor = -1
        if how == 3002: descriptor = os.memfd_create("assay")
        if how == 3003: descriptor = os.open("GONE", os.O_RDWR | os.O_CREAT); os.unlink("GONE")
        if how in (3001, 3002, 3003):
            if descriptor >= 0: os.ftruncate(descriptor, 400 << 20)
            shared = mmap.mmap(descriptor, 400 << 20)
            for i in range(0, 400 << 20, 4096): shared[i] = 1
        time.sleep(3)
    print(json.dumps({"call": message["call"], "status": "ok"}), flush=True)
"""


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def has_sanitizers(program):
    with open(program, "rb") as file:
        return b"__asan_init" in file.read()


HAS_SANITIZERS = has_sanitizers(ASSAY)


class LeftoversTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.pids = self.path("pids")
        # The name is below /dev/shm, where a file counts as shared memory.
        self.gone = f"/dev/shm/assay_leftovers_{os.getpid()}"

    def text(self, source):
        return source.replace("PIDS", self.pids).replace("GONE", self.gone)

    def plugin(self):
        library = self.path("leaves.so")
        source = self.write("leaves.c", self.text(PLUGIN))
        flags = ["-std=c11", "-O0", "-shared", "-fPIC", "-I", ROOT]
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, *flags, "-o", library, source, "-lrt"], check=True)
        return library

    def worker(self):
        return f"cmd:{sys.executable} {self.write('worker.py', self.text(WORKER))}"

    def cases(self, ways, size=3):
        cases = []
        for way in ways:
            for i in range(8):
                lhs = {"type": f"tensor<{size}xi32>", "data": [way if i == 3 else i] + [1] * (size - 1)}
                rhs = {"type": f"tensor<{size}xi32>", "data": [1] * size}
                cases.append({"id": f"v{way}_{i}", "inputs": {"lhs": lhs, "rhs": rhs}})
        return self.write("cases.json", json.dumps({"op": "add", "cases": cases}))

    def outcomes(self, backend, ways, *flags):
        out = self.path("out.jsonl")
        run = assay("run", "--backend", backend, "--cases", self.cases(ways), "--out", out, *flags)
        self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
        with open(out, encoding="utf-8") as file:
            results = [json.loads(line) for line in file]
        return {r["case"]: r for r in results if r["kind"] == "result"}

    def lingering(self, count):
        """Returns the recorded processes that did not end; at least `count` must be recorded."""
        end = time.monotonic() + 20
        with open(self.pids, encoding="ascii") as file:
            pids = [int(line) for line in file]
        self.assertGreaterEqual(len(pids), count)
        while any(map(is_alive, pids)) and time.monotonic() < end:
            time.sleep(0.05)
        alive = [pid for pid in pids if is_alive(pid)]
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        return alive

    def test_processes_end_with_their_worker(self):
        for way in (1001, 1002, 1003, 1004, 1005, 1006):
            open(self.pids, "w", encoding="ascii").close()
            self.outcomes(self.plugin(), [way], "--timeout", "1s")
            self.assertEqual(self.lingering(1), [], way)

    def test_processes_of_any_worker_end_with_it(self):
        for way in (1002, 1006):
            open(self.pids, "w", encoding="ascii").close()
            self.outcomes(self.worker(), [way], "--timeout", "1s")
            self.assertEqual(self.lingering(1), [], way)

    def test_processes_end_with_a_runner_that_is_killed(self):
        for backend in (self.plugin(), self.worker(), "cmd:true; " + self.worker()[4:]):
            for how in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
                open(self.pids, "w", encoding="ascii").close()
                with subprocess.Popen([ASSAY, "run", "--backend", backend, "--cases", self.cases([1006])],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
                    end = time.monotonic() + 60
                    while os.path.getsize(self.pids) == 0 and time.monotonic() < end:
                        time.sleep(0.02)
                    run.send_signal(how)
                    if how != signal.SIGKILL:
                        time.sleep(0.2)
                        run.send_signal(how)  # at once
                    run.wait(timeout=60)
                self.assertEqual(self.lingering(1), [], (backend, how))

    def test_what_a_call_changes_of_its_process_is_not_there_for_the_next(self):
        backend = self.plugin()
        for flags in ([], ["--jobs", "2"]):
            for way in range(2001, 2014):
                if way == 2003 and HAS_SANITIZERS:
                    print("SKIPPED: a limit of addresses, which sanitizers do not live with")
                    continue
                outcomes = self.outcomes(backend, [way], *flags)
                wrong = [(r["case"], r["outcome"]) for r in outcomes.values()
                         if r["outcome"] not in ("pass", "skipped")]
                self.assertEqual(wrong, [], (way, flags))

    LIMIT = ("--memory", "300M")

    def test_memory_that_is_shared_counts(self):
        # assay-worker limits its address space, so that the system call fails; the memory of other workers
        # is measured.
        for way in (3001, 3002, 3003):
            outcomes = self.outcomes(self.plugin(), [way], *self.LIMIT)
            failed = {name: r["outcome"] for name, r in outcomes.items() if r["outcome"] != "pass"}
            self.assertEqual(list(failed), [f"add/v{way}_3"])
            self.assertIn(failed[f"add/v{way}_3"], ("memory", "crash"))
        for way in (3001, 3002, 3003, 3004, 3005):
            failed = [r for r in self.outcomes(self.worker(), [way], *self.LIMIT).values()
                      if r["outcome"] != "pass"]
            self.assertEqual([(r["case"], r["outcome"]) for r in failed],
                             [(f"add/v{way}_3", "memory")])
            self.assertIn("--memory allows 300", failed[0]["message"])

    def test_that_of_calls_does_not(self):
        tensor = {"type": "tensor<8388608xi32>", "draw": {"seed": 1, "profile": "uniform"}}
        case = {"id": "large", "inputs": {"lhs": tensor, "rhs": tensor}}
        cases = self.write("large.json", json.dumps({"op": "add", "cases": [case]}))
        for backend in (self.plugin(), "python:numpy"):
            run = assay("run", "--backend", backend, "--cases", cases, "--memory", "110M",
                        "--policy", "numpy")
            self.assertEqual(run.returncode, 0, run.stdout)
            self.assertIn("1 passed", run.stdout)

    def test_memory_below_the_limit_does_not(self):
        self.assertEqual({r["outcome"] for r in self.outcomes(self.plugin(), [3006], *self.LIMIT).values()},
                         {"pass"})


if __name__ == "__main__":
    unittest.main()
