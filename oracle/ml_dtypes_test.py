#!/usr/bin/env python3
"""Compares the float formats of the oracle with those of an independent implementation, the Python package ml_dtypes.

Every bit pattern of every format of 16 bits or fewer is decoded by both, and converted by both to every other; so are
values of f32 and f64 around every value and midpoint of these formats, and random ones. Ours come from format_table
(oracle/format_table_main.cc). Where ml_dtypes does something else, EXPLAINED says which clause or policy key decides;
a difference without an entry is a failure, and so is an entry that explains nothing. Corrupted tables then show that a
difference would have been seen.

Packages come from PyPI, with the versions of requirements-ml_dtypes.txt, into an environment in the build folder.
The exit code is 77, which ctest shows as skipped, if they cannot be had.

Usage: ml_dtypes_test.py FORMAT_TABLE BUILD_FOLDER
"""

import collections
import pathlib
import subprocess
import sys
import tempfile
from typing import Callable, NamedTuple

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements-ml_dtypes.txt"


def environment(build):
    """Returns the Python of an environment with exactly the packages that are asked for."""
    folder = pathlib.Path(build) / "venv" / "ml_dtypes"
    python, known = folder / "bin" / "python", folder / "requirements.txt"
    if known.exists() and known.read_text() == REQUIREMENTS.read_text():
        return python
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", REQUIREMENTS]
    for command in ([sys.executable, "-m", "venv", "--clear", folder], pip):
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            reason = (result.stderr.strip() or result.stdout.strip())[-400:] if result.returncode else ""
        except (OSError, subprocess.TimeoutExpired) as error:
            reason = str(error)
        if reason:
            print(f"SKIPPED: {REQUIREMENTS.name} cannot be installed: {reason}")
            sys.exit(77)
    known.write_text(REQUIREMENTS.read_text())
    return python


if __name__ == "__main__" and len(sys.argv) == 3:
    sys.exit(subprocess.run([environment(sys.argv[2]), __file__, sys.argv[1]], check=False).returncode)

# From here on, the test runs in the environment.
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402

DTYPES = {
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
}
BITS = {name: 4 if name.startswith("f4") else 6 if name.startswith("f6") else 8 for name in DTYPES}
BITS |= {"bf16": 16, "f16": 16}
WITHOUT_NAN = ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN")
RANDOM = 50_000


def unsigned(name):
    return np.uint16 if BITS[name] == 16 else np.uint8


# A Table is one conversion: the operands, and the results of both as numbers.
class Table(NamedTuple):
    source: str
    to: str
    x: np.ndarray  # in its own type
    real: np.ndarray  # the same as f64
    ours: np.ndarray  # f64
    theirs: np.ndarray


def is_zero_with_sign(x, negative):
    return (x == 0) & (np.signbit(x) == negative)


def via_f32(table):
    """Returns the value rounded to f32 first, and then to the format."""
    return table.x.astype(np.float32).astype(DTYPES[table.to]).astype(np.float64)


def same(a, b):
    return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)


class Explained(NamedTuple):
    clause: str
    text: str
    holds: Callable  # of a Table: the elements that it is about, with both results


EXPLAINED = (
    Explained("convert/E2, policy nan_without_nan = zero",
              "NaN becomes +0 here; there a zero whose sign is not the NaN's",
              lambda t: np.isnan(t.real) & (t.to in WITHOUT_NAN) & is_zero_with_sign(t.ours, False)
              & is_zero_with_sign(t.theirs, True)),
    Explained("convert/E4, policy e8m0_zero = smallest",
              "zero, and what is nearer to it than any power, becomes 2^-127 here and NaN there",
              lambda t: (t.to == "f8E8M0FNU") & (np.abs(t.real) <= 2.0**-128) & (t.real >= 0)
              & (t.ours == 2.0**-127) & np.isnan(t.theirs)),
    Explained("convert/S5, policy inexact_conversion = nearest_even",
              "f8E8M0FNU: between 2^-127 and 1.5 * 2^-127 the nearest power is 2^-127; there it is 2^-126",
              lambda t: (t.to == "f8E8M0FNU") & (t.real > 2.0**-127) & (t.real < 1.5 * 2.0**-127)
              & (t.ours == 2.0**-127) & (t.theirs == 2.0**-126)),
    Explained("convert/S5, policy inexact_conversion = nearest_even",
              "f64 is rounded once here; there to f32 first, and the result is farther from the value",
              lambda t: (t.source == "f64") & same(t.theirs, via_f32(t)) & np.isfinite(t.ours)
              & ~(np.abs(t.theirs - t.real) <= np.abs(t.ours - t.real))),
    Explained("convert/E1, policy overflow_without_infinity = by_format",
              "f64 beyond 464, where f8E4M3FN overflows; there it is 464 in f32, a tie that 448 wins",
              lambda t: (t.source == "f64") & (t.to == "f8E4M3FN") & (np.abs(t.real) > 464) & np.isnan(t.ours)
              & (np.abs(t.theirs) == 448) & same(t.theirs, via_f32(t))),
)


def operands():
    """Returns every pattern of the narrow types; for f32 and f64, values at which conversions change, and random ones."""
    rng = np.random.default_rng(4)
    tables = {name: np.arange(1 << BITS[name]).astype(unsigned(name)).view(dtype) for name, dtype in DTYPES.items()}
    near = [np.array([0.0, np.inf, np.nan, 2.0**-149, 2.0**-150, 2.0**-1074, 1e39, 1e300])]
    for name in DTYPES:
        values = np.unique(tables[name].astype(np.float64))
        values = values[np.isfinite(values) & (values >= 0)]
        behind = values[-1] + (values[-1] - values[-2]) / np.array([4, 2, 1, 0.5])
        middle = (values[1:] + values[:-1]) / 2
        centres = np.concatenate([values, middle])
        centres = np.concatenate([centres[:: 1 + len(centres) // 4000], values[:1] / 2, behind])
        near += [centres, np.nextafter(centres, 0), np.nextafter(centres, np.inf)]
        near += [centres * (1 + step) for step in (-(2.0**-23), 2.0**-23, -(2.0**-30), 2.0**-30)]
    near = np.concatenate(near)
    near = np.concatenate([near, -near])
    for name, dtype, bits in (("f32", np.float32, np.uint32), ("f64", np.float64, np.uint64)):
        random = rng.integers(0, np.iinfo(bits).max, RANDOM, dtype=bits, endpoint=True).view(dtype)
        tables[name] = np.concatenate([near.astype(dtype), random])
    return tables


def converted(x, source, to):
    """Converts by ml_dtypes. It has no cast between f8E8M0FNU and its other small formats; f32 holds all of both."""
    if "f8E8M0FNU" in (source, to) and BITS.get(source, 32) <= 8 and BITS[to] <= 8:
        x = x.astype(np.float32)
    return x.astype(DTYPES[to])


def split(path, elements, has_f64):
    """Returns the tables that format_table wrote one behind the other, by type."""
    dtypes = ({"f64": np.float64} if has_f64 else {}) | {name: unsigned(name) for name in DTYPES}
    data, tables = path.read_bytes(), {}
    for name, dtype in dtypes.items():
        size = elements * np.dtype(dtype).itemsize
        tables[name], data = np.frombuffer(data[:size], dtype), data[size:]
        assert len(tables[name]) == elements, f"{path}: too short"
    assert not data, f"{path}: too long"
    return tables


class Comparison:
    def __init__(self, folder, tables):
        self.tables = tables
        self.ours = {source: split(folder / f"{source}.out", len(x), source in DTYPES) for source, x in tables.items()}
        self.explained = collections.Counter()
        self.elements = 0

    def decoded(self, name, corrupt=None):
        ours = self.ours[name]["f64"].copy()
        if corrupt is not None:
            ours[corrupt] = -ours[corrupt]
        theirs = self.tables[name].astype(np.float64)
        self.elements += len(ours)
        return np.flatnonzero(~same(ours, theirs))

    def conversion(self, source, to, corrupt=None):
        """Returns the elements that differ and that nothing explains."""
        x = self.tables[source]
        codes = self.ours[source][to].copy()
        if corrupt is not None:
            codes[corrupt] ^= 1
        theirs = converted(x, source, to)
        table = Table(source, to, x, x.astype(np.float64), codes.view(DTYPES[to]).astype(np.float64),
                      theirs.astype(np.float64))
        self.elements += len(x)
        different = ~same(table.ours, table.theirs)
        if different.any():
            for entry in EXPLAINED:
                about = different & entry.holds(table)
                self.explained[entry] += int(about.sum())
                different &= ~about
        return np.flatnonzero(different)

    def all(self):
        """Returns (table, its unexplained elements) of every table."""
        for name in DTYPES:
            yield f"{name} to f64", self.decoded(name)
        for source in self.tables:
            for to in DTYPES:
                yield f"{source} to {to}", self.conversion(source, to)


def self_test(comparison):
    """Makes one element of every table wrong; returns whether exactly that one is reported."""
    missed = tables = 0
    for name in DTYPES:
        tables += 1
        missed += list(comparison.decoded(name, corrupt=1)) != [1]
    for source, x in comparison.tables.items():
        real = x.astype(np.float64)
        ones = np.flatnonzero(np.abs(real) == 1)  # in every format
        for to in DTYPES:
            tables += 1
            place = int(ones[0])
            missed += list(comparison.conversion(source, to, corrupt=place)) != [place]
    print(f"self-test: {tables} tables with one wrong element each: {missed} misreported")
    return missed == 0


def main(format_table):
    with tempfile.TemporaryDirectory(prefix="ml_dtypes_test.") as folder, np.errstate(all="ignore"):
        tables, folder = operands(), pathlib.Path(folder)
        for name in ("f32", "f64"):
            tables[name].tofile(folder / f"{name}.in")
        subprocess.run([format_table, folder], check=True)
        comparison = Comparison(folder, tables)
        unexplained = 0
        for label, places in comparison.all():
            unexplained += len(places)
            for place in places[:3]:
                x = tables[label.split()[0]][place]
                print(f"DIFFERENT {label}: element {place}, {x!r} = {float(x).hex()}")
        print(f"ml_dtypes {ml_dtypes.__version__}: {comparison.elements} elements compared, "
              f"{unexplained} unexplained differences")
        stale = 0
        for entry in EXPLAINED:
            count = comparison.explained[entry]
            stale += count == 0
            print(f"{entry.clause}: {entry.text}\n    {count or 'NO'} elements")
        noticed = self_test(comparison)
    return 0 if unexplained == 0 and stale == 0 and noticed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
