"""Measures calls a second through the Python workers, and the processor time of a call in them.

Usage: worker_bench.py [CALLS]. A case of `assay run` is two calls. The calls are adds of two
small tensors, prepared before the clock starts and sent by a thread, as the runner pipelines.
"""

import json
import os
import pathlib
import sys
import threading
import time

import driver


def measure(script, options, calls):
    with driver.Worker(driver.FOLDER / script) as worker:
        name = worker.hello(options=options)["hello"]["name"]
        inputs = [worker.tensor("i8", [2, 3], range(6)) for _ in range(2)]
        outputs = [worker.tensor("i8", [2, 3])]
        lines = "".join(
            json.dumps(worker.message("add", inputs, outputs)) + "\n" for _ in range(calls))
        worker.call("add", inputs, outputs)
        start = time.perf_counter()
        sender = threading.Thread(target=worker.send_bytes, args=(lines.encode(),))
        sender.start()
        for _ in range(calls):
            worker.process.stdout.readline()
        wall = time.perf_counter() - start
        sender.join()
        stat = pathlib.Path(f"/proc/{worker.process.pid}/stat").read_text()
        ticks = stat.rpartition(")")[2].split()[11:13]  # user and system
        busy = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        print(f"{name:6} {options}: {calls / wall:,.0f} calls/s; {wall / calls * 1e6:.1f} us a "
              f"call, {busy / calls * 1e6:.1f} us of the worker's processor time with its start")


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    measure("noop_worker.py", {}, calls)
    measure("noop_worker.py", {"status": "ok"}, calls)
    measure("numpy_worker.py", {}, calls)


if __name__ == "__main__":
    main()
