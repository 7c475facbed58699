#!/usr/bin/env python3
"""Tests the power of the suite on ops with an accuracy budget, from the results of a run.

    power_test.py RESULTS.jsonl SOURCE_DIR

A suite whose elements all accept anything would pass every backend. So for every such op on every type some correct result,
made wrong by little more than the budget, must be refused: by a relative error of (budget + 1) units in the last place at most,
in either direction. The measured errors must exist and stay within the budget.
"""
import json
import pathlib
import sys

PRECISION = {"f4E2M1FN": 2, "f6E2M3FN": 4, "f6E3M2FN": 3, "f8E3M4": 5, "f8E4M3": 4, "f8E4M3FN": 4, "f8E4M3FNUZ": 4,
             "f8E4M3B11FNUZ": 4, "f8E5M2": 3, "f8E5M2FNUZ": 3, "f8E8M0FNU": 1, "bf16": 8, "f16": 11, "f32": 24, "f64": 53,
             "complex<f32>": 24, "complex<f64>": 53}
COMPLEX = ("complex<f32>", "complex<f64>")


def required(source):
    """Yields (op, type) of every op file that has a budget."""
    for path in sorted(pathlib.Path(source, "spec", "ops").glob("*.json")):
        op = json.loads(path.read_text())
        if op["accuracy"]["rule"] == "ulp":
            yield from ((op["op"], t) for t in PRECISION)
        elif op["accuracy"].get("complex") == "ulp":
            yield from ((op["op"], t) for t in COMPLEX)


def measured(results):
    """Returns elements, worst error, budget, and the errors noticed upward and downward, by (op, type)."""
    rows = {}
    with open(results) as lines:
        for line in map(json.loads, lines):
            accuracy = line.get("accuracy")
            if not accuracy:
                continue
            row = rows.setdefault((line["op"], accuracy["type"]), [0, 0.0, 0.0, float("inf"), float("inf")])
            row[0] += accuracy["elements"]
            row[1] = max(row[1], float(accuracy["worst"]))
            row[2] = max(row[2], accuracy["budget"])
            row[3] = min(row[3], accuracy.get("up", float("inf")))
            row[4] = min(row[4], accuracy.get("down", float("inf")))
    return rows


def main():
    rows, complaints, count = measured(sys.argv[1]), [], 0
    for op, element_type in required(sys.argv[2]):
        count += 1
        elements, worst, budget, up, down = rows.get((op, element_type), [0, 0, 0, 0, 0])
        limit = (budget + 1) * 2.0 ** (1 - PRECISION[element_type])
        if elements == 0:
            complaints.append(f"{op} {element_type}: nothing was measured")
        elif max(up, down) > limit:
            complaints.append(f"{op} {element_type}: notices no relative error below {max(up, down):.3g}; {limit:.3g} is required")
        elif worst > budget + 0.5:  # a bound rounds outward, to the next value of the type
            complaints.append(f"{op} {element_type}: {worst:.3g} ulp measured, and {budget} allowed")
    print(f"{count} pairs of op and type, {len(complaints)} without power")
    for complaint in complaints:
        print("  " + complaint)
    return 1 if complaints or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
