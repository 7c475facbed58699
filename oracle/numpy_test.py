#!/usr/bin/python3
"""Compares the oracle, under the policy `numpy`, with an independent implementation, NumPy.

NumPy computes every op on all pairs of 8-bit values and on all pairs of boundary values of the
wider types. The results become the literal expectations of case files, and `assay run` compares
literals with the oracle before it calls any backend: where they differ, the outcome is
`oracle_suspect`. What NumPy defines otherwise, or not at all, is in EXPLAINED with its clause.
Corrupted literals then show that a difference would have been seen (--self-test: only that).

Exit code: 0 no unexplained difference, 1 otherwise, 77 NumPy is not installed (skipped).
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
from typing import Callable, NamedTuple

try:
    import numpy as np
except ImportError as error:
    print(f"skipped: NumPy cannot be imported ({error})")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = f"NumPy {np.__version__}"


# An Explained is a difference between NumPy and the text of a clause. `pairs` says which pairs (x, y) of
# the row the entry is about; they are compared in the way that `text` says, unless `left_out`.
class Explained(NamedTuple):
    row: str  # its label
    clause: str
    text: str
    pairs: Callable
    left_out: bool = False


EXPLAINED = (
    Explained("divide", "divide/S1", "// rounds down, the op discards the fraction: 1 is added",
              lambda x, y: np.floor_divide(x, y) != truncated_quotient(x, y)),
    Explained("divide", "divide/S6", "x // 0 is 0 (policy integer_divide_by_zero = zero)",
              lambda x, y: y == 0),
    Explained("remainder", "remainder/S2", "% has the divisor's sign, the op the dividend's: fmod",
              lambda x, y: np.remainder(x, y) != np.fmod(x, y)),
    Explained("remainder", "remainder/S6",
              "fmod(x, 0) is 0 (policy integer_divide_by_zero = zero)",
              lambda x, y: y == 0),
    Explained("power", "power/S6", "** raises ValueError for a negative exponent "
              "(policy integer_power_negative_exponent = any)",
              lambda x, y: y < 0, left_out=True),
    Explained("shift_right_arithmetic", "shift_right_arithmetic/S3",
              ">> of an unsigned type fills with 0 (policy unsigned_arithmetic_shift = zero)",
              lambda x, y: np.full(x.shape, x.dtype.kind == "u")),
    Explained("shift_right_logical", "shift_right_logical/S1",
              ">> of a signed type fills with the sign: the unsigned view is shifted",
              lambda x, y: np.right_shift(x, y) != logical_right_shift(x, y)),
    Explained("paddle.bitwise_right_shift.logical", "paddle.bitwise_right_shift/SH-15",
              ">> of a signed type fills with the sign: the unsigned view is shifted",
              lambda x, y: np.right_shift(x, y) != logical_right_shift(x, y)),
    Explained("popcnt", "popcnt/S1", "not in NumPy before 2.0: the sum of np.unpackbits",
              lambda x: np.full(x.shape, True)),
    Explained("count_leading_zeros", "count_leading_zeros/S1",
              "not in NumPy: the place of the first 1 in np.unpackbits",
              lambda x: np.full(x.shape, True)),
)


# The ops are written with NumPy's functions. Operands of an op have one type, so nothing is promoted.


def unsigned_view(x):
    return x.view(np.dtype(f"u{x.dtype.itemsize}"))


def truncated_quotient(x, y):
    quotient = np.floor_divide(x, y)
    inexact = (y != 0) & (quotient * y != x)
    return quotient + (inexact & ((x < 0) != (y < 0))).astype(x.dtype)


def logical_right_shift(x, y):
    return np.right_shift(unsigned_view(x), unsigned_view(y)).view(x.dtype)


def bits(x):
    """Returns the bits of every element, the most significant first, in shape (n, width)."""
    big_endian = x.astype(x.dtype.newbyteorder(">"))
    return np.unpackbits(big_endian.view(np.uint8).reshape(x.size, x.dtype.itemsize), axis=1)


def population_count(x):
    return bits(x).sum(axis=1).astype(x.dtype)


def count_leading_zeros(x):
    ones = bits(x)
    return np.where(ones.any(axis=1), ones.argmax(axis=1), ones.shape[1]).astype(x.dtype)


TYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
         "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64}
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("ui8", "ui16", "ui32", "ui64")
INTEGER = SIGNED + UNSIGNED
ANY = ("i1",) + INTEGER


# A Row of the table is one op, or one value of its attributes, and `label` names it.
class Row(NamedTuple):
    label: str
    op: str
    operands: tuple
    function: Callable
    types: tuple
    attributes: dict = {}


def binary(op, function, types):
    return Row(op, op, ("lhs", "rhs"), function, types)


def unary(op, function, types):
    return Row(op, op, ("operand",), function, types)


def paddle_rows(op, functions):
    for label, attributes in (("", {}), (".arithmetic", {"is_arithmetic": True}),
                              (".logical", {"is_arithmetic": False})):
        function = functions[attributes.get("is_arithmetic", True)]
        yield Row(op + label, op, ("x", "y"), function, INTEGER, attributes)


def compare_rows():
    directions = {"EQ": np.equal, "NE": np.not_equal, "GE": np.greater_equal, "GT": np.greater,
                  "LE": np.less_equal, "LT": np.less}
    for direction, function in directions.items():
        for compare_type, types in (("SIGNED", SIGNED), ("UNSIGNED", ("i1",) + UNSIGNED)):
            yield Row(f"compare.{direction}", "compare", ("lhs", "rhs"), function, types,
                      {"comparison_direction": direction, "compare_type": compare_type})


ROWS = (
    binary("shift_left", np.left_shift, INTEGER),
    binary("shift_right_arithmetic", np.right_shift, INTEGER),
    binary("shift_right_logical", logical_right_shift, INTEGER),
    *paddle_rows("paddle.bitwise_left_shift", {True: np.left_shift, False: np.left_shift}),
    *paddle_rows("paddle.bitwise_right_shift", {True: np.right_shift, False: logical_right_shift}),
    binary("divide", truncated_quotient, INTEGER),
    binary("remainder", np.fmod, INTEGER),
    binary("power", np.power, INTEGER),
    binary("and", np.bitwise_and, ANY),
    binary("or", np.bitwise_or, ANY),
    binary("xor", np.bitwise_xor, ANY),
    unary("not", np.invert, ANY),
    unary("popcnt", population_count, INTEGER),
    unary("count_leading_zeros", count_leading_zeros, INTEGER),
    binary("add", np.add, ANY),
    binary("subtract", np.subtract, INTEGER),
    binary("multiply", np.multiply, ANY),
    binary("maximum", np.maximum, ANY),
    binary("minimum", np.minimum, ANY),
    unary("negate", np.negative, INTEGER),
    unary("abs", np.absolute, SIGNED),
    unary("sign", np.sign, SIGNED),
    *compare_rows(),
)


def values_of(type_name):
    """Returns every value of a type of 8 bits or less; for the others those at the boundaries."""
    dtype = np.dtype(TYPES[type_name])
    if dtype.itemsize == 1:
        return np.arange(2 if type_name == "i1" else 256, dtype=np.uint8).view(dtype)
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    alternating = int("01" * (4 * dtype.itemsize), 2)
    centres = [low, high, 0, alternating, high - alternating, -alternating]
    for exponent in (*range(1, 9), 15, 16, 17, 31, 32, 33, 62, 63):  # 2^3 to 2^6 are widths
        centres += [2**exponent, -(2**exponent)]
    near = {centre + step for centre in centres for step in (-1, 0, 1)}
    return np.array(sorted(v for v in near if low <= v <= high), dtype)


class BrokenRun(Exception):
    """Is raised if no comparison took place, so that nothing is known about the oracle."""


# A Call is one row on one type, as the case `id`.
@dataclasses.dataclass
class Call:
    row: Row
    type: str
    id: str
    operands: list
    expect: np.ndarray
    explained: list  # (Explained, number of pairs)
    shape: tuple  # a dimension per operand where every value is paired with every other, else one

    @property
    def name(self):
        return f"{self.row.op}/{self.id}"


def make_call(row, type_name):
    values = values_of(type_name)
    operands = [grid.ravel() for grid in np.meshgrid(*[values] * len(row.operands), indexing="ij")]
    shape = (values.size,) * len(row.operands)
    explained = []
    with np.errstate(all="ignore"):  # division by zero and overflow are compared, not avoided
        for entry in EXPLAINED:
            if entry.row != row.label:
                continue
            pairs = entry.pairs(*operands)
            if pairs.any():
                explained.append((entry, int(pairs.sum())))
            if entry.left_out:
                operands = [operand[~pairs] for operand in operands]
                shape = operands[0].shape
        expect = row.function(*operands)
    if expect.dtype not in (operands[0].dtype, np.bool_):
        raise BrokenRun(f"{row.label}: NumPy promotes {type_name} to {expect.dtype}")
    case_id = f"{row.label}.{type_name}".removeprefix(row.op + ".")
    return Call(row, type_name, case_id, operands, expect, explained, shape)


def data_json(call, dimension):
    """Returns the values of an operand; if they are all values of the type, as the draw that makes them."""
    values = values_of(call.type)
    if values.dtype.itemsize == 1 and call.shape == (values.size,) * len(call.operands):
        return {"draw": {"every": "bits", "dimension": dimension}}
    return {"data": call.operands[dimension].tolist()}


def case_json(call):
    tensor = f"tensor<{'x'.join(map(str, call.shape))}x{call.type}>"
    inputs = {name: {"type": tensor, **data_json(call, dimension)}
              for dimension, name in enumerate(call.row.operands)}
    return {"id": call.id, "policy": "numpy", "source": SOURCE,
            "inputs": {**inputs, **call.row.attributes},
            "expect": {"result": call.expect.tolist()}}


class Difference(NamedTuple):
    """Has the elements of a literal that the oracle does not allow."""
    differing: int
    elements: int
    first: int
    text: str


def run_assay(assay, calls):
    """Returns the outcome of every call: None if the oracle agrees, else a Difference."""
    by_op = collections.defaultdict(list)
    for call in calls:
        by_op[call.row.op].append(case_json(call))
    with tempfile.TemporaryDirectory(prefix="numpy_test.") as folder:
        folder = pathlib.Path(folder)
        (folder / "cases").mkdir()
        for op, cases in by_op.items():
            text = json.dumps({"op": op, "cases": cases}, separators=(",", ":"))
            (folder / "cases" / f"{op}.json").write_text(text)
        # Literals are compared before a backend is called, so any backend will do.
        plugin, results = folder / "example.so", folder / "results.jsonl"
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, "-std=c11", "-shared", "-fPIC", "-I", pathlib.Path(assay).parent / "include",
                        "-o", plugin, ROOT / "backends/example/example.c"], check=True)
        run = subprocess.run([assay, "run", "--backend", plugin, "--policy", "numpy",
                              "--cases", folder / "cases", "--out", results],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # The exit code is 0 if all agree, 1 if some are suspect, 4 if all agree and the plugin declined them all.
        if run.returncode not in (0, 1, 4) or not results.exists():
            raise BrokenRun(f"assay run ended with {run.returncode}:\n{run.stdout[-4000:]}")
        lines = [json.loads(line) for line in results.read_text().splitlines()]
    verdicts = [line for line in lines if line["kind"] == "result"]
    names = sorted(verdict["case"] for verdict in verdicts)
    if names != sorted(call.name for call in calls):
        raise BrokenRun(f"{len(calls)} cases written, {len(names)} results, or other names")
    shapes = {call.name: call.shape for call in calls}
    return {verdict["case"]: difference_of(verdict, shapes[verdict["case"]])
            for verdict in verdicts}


def difference_of(verdict, shape):
    if verdict["outcome"] in ("pass", "fail", "unsupported"):  # reached the backend: agreed
        return None
    message = verdict.get("message", "")
    match = re.search(r"(\d+) of (\d+) elements of \S+ differ\s+first at \[([\d, ]+)\]", message)
    if verdict["outcome"] != "oracle_suspect" or match is None:
        raise BrokenRun(f"{verdict['case']}: {verdict['outcome']}: {message}")
    first = np.ravel_multi_index([int(index) for index in match[3].split(",")], shape)
    return Difference(int(match[1]), int(match[2]), int(first), message)


def print_table(calls, outcomes):
    """Returns the table, a line per row and a column per type: pairs, or differences/pairs."""
    cells = collections.defaultdict(dict)
    for call in calls:
        difference = outcomes[call.name]
        text = f"{difference.differing}/" if difference else ""
        cells[call.row.label][call.type] = f"{text}{call.expect.size}"
    width = 1 + max(len(text) for line in cells.values() for text in line.values())
    print(f"{'pairs compared':<36}" + "".join(f"{name:>{width}}" for name in ANY) + "  different")
    for label, line in cells.items():
        different = sum(outcomes[call.name].differing for call in calls
                        if call.row.label == label and outcomes[call.name])
        print(f"{label:<36}" + "".join(f"{line.get(name, '-'):>{width}}" for name in ANY)
              + f"{different:>11}")


def print_explained(calls):
    print("\nexplained by a clause, and the pairs that it is about")
    for entry in EXPLAINED:
        pairs = {call.type: count for call in calls for e, count in call.explained if e is entry}
        print(f"{entry.clause}: {'LEFT OUT: ' if entry.left_out else ''}{entry.text}\n    "
              + ", ".join(f"{name} {count}" for name, count in pairs.items()))


def compare(assay, calls):
    """Prints the tables; returns whether the oracle agrees with NumPy."""
    outcomes = run_assay(assay, calls)
    print_table(calls, outcomes)
    print_explained(calls)
    differences = {name: found for name, found in outcomes.items() if found}
    for name, difference in differences.items():
        print(f"\nDIFFERENT {name}: {difference.text}")
    total = sum(call.expect.size for call in calls)
    wrong = sum(difference.differing for difference in differences.values())
    print(f"\n{SOURCE}: {total} pairs compared, {wrong} unexplained differences")
    return not differences


def corrupted(call, suffix, where):
    expect = call.expect.copy()
    expect[where] ^= np.array(1, expect.dtype)
    return dataclasses.replace(call, id=call.id + suffix, expect=expect)


def self_test(assay, calls):
    """Corrupts literals; returns whether exactly those are reported, at their places.

    One element per op shows that a single difference is seen. Every element of a call shows
    that the comparison was never idle: an element for which the oracle allows any value would
    accept its corrupted literal too. Boundary pairs reach every clause that 8-bit pairs reach.
    """
    last_of_op = {call.row.op: call for call in calls}.values()
    one = [corrupted(call, ".one", call.expect.size // 2) for call in last_of_op]
    every = [corrupted(call, ".every", slice(None)) for call in calls
             if call.type not in ("i8", "ui8")]
    wanted = {call.name: None for call in last_of_op}
    wanted |= {call.name: (1, call.expect.size, call.expect.size // 2) for call in one}
    wanted |= {call.name: (call.expect.size, call.expect.size, 0) for call in every}
    found = run_assay(assay, [*last_of_op, *one, *every])
    missed = 0
    for name, expected in wanted.items():
        actual = found[name] and found[name][:3]
        if actual != expected:
            missed += 1
            print(f"SELF-TEST {name}: (different, elements, first) is {actual}, not {expected}")
    print(f"self-test: {len(one)} literals with one corrupted element, {len(every)} with every "
          f"element corrupted, {len(last_of_op)} intact: {missed} misreported")
    return missed == 0


def main():
    parser = argparse.ArgumentParser(description="Compare the oracle with NumPy.")
    parser.add_argument("assay", metavar="ASSAY_BINARY")
    parser.add_argument("--self-test", action="store_true", help="only corrupt literals")
    flags = parser.parse_args()
    start = time.monotonic()
    try:
        calls = [make_call(row, type_name) for row in ROWS for type_name in row.types]
        agrees = flags.self_test or compare(flags.assay, calls)
        notices = self_test(flags.assay, calls)
    except (BrokenRun, OSError, subprocess.CalledProcessError) as error:
        print(f"numpy_test.py: {error}", file=sys.stderr)
        return 1
    print(f"{time.monotonic() - start:.1f} s")
    return 0 if agrees and notices else 1


if __name__ == "__main__":
    sys.exit(main())
