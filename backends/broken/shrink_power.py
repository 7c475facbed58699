#!/usr/bin/env python3
"""Measures the shrinker on the planted bugs: how small it makes the first finding.

For each bug it prints executions, elements of each operand, whether shrinking
again changes nothing, and whether the shrunk case passes on `simd` and fails on the
bug. Value bugs are those in the function of elements (hooks op and convert):
one element shows them. Others need a shape, a layout or a length.

    backends/broken/shrink_power.py [--assay build/release/assay] [--count 20000] [--all]
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(arguments, *command):
    return subprocess.run([arguments.assay, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", check=False)


def elements_of(case):
    """Returns the number of elements of each operand, from the types "tensor<2x3xf32>"."""
    sizes = []
    for operand in case["inputs"].values():
        if not isinstance(operand, dict):  # an attribute
            continue
        shape = re.match(r"tensor<((?:\d+x)*)", operand["type"]).group(1)
        size = 1
        for dimension in filter(None, shape.split("x")):
            size *= int(dimension)
        sizes.append(size)
    return sizes


def measure(arguments, bug, folder):
    """Returns the shrunk cases of a bug: (executions, elements by operand, what is wrong with it)."""
    backend = f"broken?bug={bug['id']}"
    ops = [word for op in bug["ops"] for name in (op, f"pointwise.{op}") for word in ("--op", name)]
    if "any" in bug["ops"]:
        ops = []
    found = run(arguments, "fuzz", "--backend", backend, *ops, "--count", str(arguments.count), "--in-process",
                "--timeout", "2s", "--out", folder)
    if found.returncode not in (0, 1):
        sys.exit(f"{bug['id']}: {found.stderr}")
    shrunk = []
    for block in found.stdout.split("\n\n"):
        executions = re.search(r"shrunk in (\d+) executions", block)
        replay = re.search(r"^  replay: .*--cases '([^']+)'(.*)$", block, re.MULTILINE)
        if not executions or not replay:
            continue
        path = replay.group(1)
        with open(path, encoding="utf-8") as file:
            case = json.load(file)["cases"][0]
        if "program" in case:
            continue
        # A layout variant is judged by "--layouts all .. --op name@layout".
        layout = re.search(r"@(\w+)'", replay.group(2))
        chosen = f"{path}@{layout.group(1)}" if layout else path
        again = os.path.join(folder, "again.json")
        wrong = []
        if run(arguments, "shrink", chosen, "--backend", backend, "--out", again).returncode != 1:
            wrong.append("does not shrink again")
        else:
            with open(again, encoding="utf-8") as file:
                more = json.load(file)["cases"][0]
            if more["inputs"] != case["inputs"]:
                wrong.append("shrinks further")
        judged = ["--cases", path] + (["--layouts", "all"] if layout else [])
        if run(arguments, "run", "--backend", "simd", *judged).returncode != 0:
            wrong.append("fails on simd")
        if run(arguments, "run", "--backend", backend, "--timeout", "2s", *judged).returncode != 1:
            wrong.append("passes on the bug")
        shrunk.append((int(executions.group(1)), elements_of(case), wrong))
        if len(shrunk) == arguments.cases:
            break
    return shrunk


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default="build/release/assay")
    parser.add_argument("--count", type=int, default=20000, help="cases that are drawn for a bug")
    parser.add_argument("--cases", type=int, default=1, help="findings of a bug that are looked at")
    parser.add_argument("--all", action="store_true", help="not value bugs alone")
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "bugs.json"), encoding="utf-8") as file:
        bugs = [bug for bug in json.load(file) if "equivalent" not in bug]
    if not arguments.all:
        bugs = [bug for bug in bugs if bug["hook"] in ("op", "convert")]
    executions, elements, complaints, none = [], [], 0, []
    for bug in bugs:
        with tempfile.TemporaryDirectory() as folder:
            shrunk = measure(arguments, bug, folder)
        if not shrunk:
            none.append(bug["id"])
        for count, sizes, wrong in shrunk:
            executions.append(count)
            elements += sizes
            complaints += bool(wrong)
            print(f"{bug['id']:8} {count:5} executions  elements {sizes}  {', '.join(wrong)}", flush=True)
    if not executions:
        sys.exit("nothing was found")
    ninth = sorted(executions)[int(0.9 * (len(executions) - 1))]
    print(f"{len(executions)} shrunk cases of {len(bugs) - len(none)} of {len(bugs)} bugs; none of: {' '.join(none)}")
    print(f"elements of an operand: median {statistics.median(elements):g}, most {max(elements)}")
    print(f"executions: median {statistics.median(executions):g}, of 9 in 10 at most {ninth}, most {max(executions)}")
    print(f"{complaints} that shrink further, pass on the bug or fail on simd")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
