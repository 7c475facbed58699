#!/usr/bin/env python3
"""Tests that the policies that are named after software, numpy, xla and torch, do what that software does, key by key.

oracle/packages/ asks the package itself (probes.py) and says which values of a key explain everything that it
returned. The policy's value must be one of them, and no narrower one may be; where it must be wider nevertheless, the
table (keys.py) says why. A key without a row is a failure, and so is a reason that is not needed. What the package
returned then becomes the literals of cases under the policy, which the oracle has to allow. Values that do not explain
the package are put in place of the policy's, to show that a difference would have been seen.

The package is taken from build/venv/NAME (`tools/dev package NAME` makes it), else from the Python that runs this.

Usage: policies_test.py ASSAY NAME [--python PYTHON]    NAME: numpy, xla, torch
       policies_test.py --doc [--update]                docs/packages.md agrees with policies and table; or is written
Exit code: 0 all agree, 1 otherwise, 77 the package is not installed (skipped).
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "oracle/packages"
POLICIES = ROOT / "spec/policies"
DOC = ROOT / "docs/packages.md"
NAMES = {"numpy": "numpy", "xla": "jaxlib", "torch": "torch"}  # and what is imported

sys.path.insert(0, str(PACKAGES))
import keys as table  # noqa: E402
import probes  # noqa: E402

# Literals cannot show these keys, because the results are flushed, or depend on what stands beside them.
WITHOUT_LITERALS = ("subnormals", "e8m0_least", "layout_invariant", "contraction", "excess_precision")


def schema():
    return json.loads((POLICIES / "policy.schema.json").read_text())["properties"]["values"]["properties"]


def policy(name):
    """Returns every key of a policy with its value."""
    file = json.loads((POLICIES / f"{name}.json").read_text())
    return (policy(file["extends"]) if "extends" in file else {}) | file["values"]


def table_complaints():
    """Yields what is wrong with the table itself."""
    known = schema()
    for name in sorted(known.keys() - table.KEYS.keys()):
        yield f"{name}: oracle/packages/keys.py has no row for this key"
    for name in sorted(table.KEYS.keys() - known.keys()):
        yield f"{name}: policy.schema.json has no such key"
    for name, key in table.KEYS.items():
        if bool(key.not_shown) == bool(key.probes):
            yield f"{name}: a row has probes, or says why not"
        for value in key.models:
            if name in known and value not in known[name]["enum"]:
                yield f"{name}: policy.schema.json has no value {value}"


def is_wider(key, value, other):
    """Returns whether `value` allows everything that `other` does, and more."""
    return value != other and (value == "any" or other in key.wider.get(value, ()))


def differences(name, values, measured):
    """Returns the keys whose value does not fit what the package did, with the complaint."""
    found = {}
    for key_name, result in measured.items():
        key, value, explains = table.KEYS[key_name], values[key_name], result["values"]
        reason = table.WIDER.get((name, key_name))
        if value not in key.models:
            found[key_name] = f"keys.py has no model of value {value}"
        elif result["asked"] == 0:
            continue
        elif value not in explains:
            found[key_name] = f"policy {name} says {value}; explained by: {', '.join(explains) or 'no value'}"
        elif not result["unsupported"]:
            narrower = [other for other in explains if is_wider(key, value, other)]
            if narrower and not reason:
                found[key_name] = f"policy {name} says {value}; {' and '.join(narrower)} would do"
            if not narrower and reason:
                found[key_name] = f"nothing narrower than {value} would do, so WIDER needs no entry for {name}"
    return found


class Skipped(Exception):
    pass


def interpreter(name, given):
    own = ROOT / "build/venv" / name / "bin/python"
    python = given or (own if own.exists() else sys.executable)
    probe = subprocess.run([python, "-c", f"import {NAMES[name]}"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        raise Skipped(f"{NAMES[name]} cannot be imported by {python} "
                      f"({(probe.stderr.strip().splitlines() or ['no reason'])[-1]}); tools/dev package {name}")
    return python


def measure(name, python):
    run = subprocess.run([python, "-W", "ignore", PACKAGES / "measure.py", name], capture_output=True, text=True,
                         check=False)
    if run.returncode != 0:
        raise RuntimeError(f"measuring ended with {run.returncode}:\n{run.stderr[-3000:]}")
    return json.loads(run.stdout.splitlines()[-1])


# ----------------------------------------------------------------------------------------------------------- literals


def literal(name, bits, is_moved=False):
    if name == "i1":
        return bits != 0
    if name.startswith("complex"):
        part = name[len("complex<"):-1]
        low = (1 << probes.width(part)) - 1
        return [literal(part, bits & low), literal(part, bits >> probes.width(part))]
    if not is_moved and name[0] == "f" and (name in probes.NANS or name in probes.IEEE) and probes.is_nan(name, bits):
        return "nan"
    return f"0x{bits:0{-(-probes.width(name) // 4)}x}"


def case_json(name, case_id, probe, found):
    """Returns the case of the elements for which the package has one answer."""
    is_bitcast = probe.op == "bitcast_convert"
    kept = range(len(probe.operands[0])) if is_bitcast else [k for k, one in enumerate(found) if len(one) == 1]
    if not kept or (is_bitcast and any(len(one) != 1 for one in found)):
        return None
    operands = {1: ["operand"], 2: ["lhs", "rhs"], 3: ["pred", "on_true", "on_false"]}[len(probe.types)]
    inputs = {operand: {"type": f"tensor<{len(kept)}x{kind}>",
                        "data": [literal(kind, bits[k], is_moved=True) for k in kept]}
              for operand, kind, bits in zip(operands, probe.types, probe.operands)}
    is_moved = probe.op == "select" or is_bitcast
    values = [literal(probe.result, one[0], is_moved) for one in found] if is_bitcast else [
        literal(probe.result, found[k][0], is_moved) for k in kept]
    output = json.loads((ROOT / f"spec/ops/{probe.op}.json").read_text())["outputs"][0]["name"]
    case = {"id": case_id, "policy": name, "source": f"what {name} returned",
            "inputs": inputs | probe.attributes, "expect": {output: values}}
    if is_bitcast or probe.op == "convert":
        shape = f"{len(kept)}x4x" if is_bitcast else f"{len(kept)}x"
        case["outputs"] = {"result": {"type": f"tensor<{shape}{probe.result}>"}}
    return case


def run_literals(assay, name, measured):
    """Returns the oracle's complaints about what the package returned: (literals, texts)."""
    by_op = {}
    for key_name, result in measured.items():
        if key_name in WITHOUT_LITERALS:
            continue
        for number, found in result["found"].items():
            probe = table.KEYS[key_name].probes[int(number)]
            case = case_json(name, f"{key_name}_{number}", probe, found)
            if case:
                by_op.setdefault(probe.op, []).append(case)
    with tempfile.TemporaryDirectory(prefix="policies_test.") as folder:
        folder = pathlib.Path(folder)
        (folder / "cases").mkdir()
        for op, cases in by_op.items():
            (folder / "cases" / f"{op}.json").write_text(json.dumps({"op": op, "cases": cases}))
        plugin, results = folder / "example.so", folder / "results.jsonl"
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-std=c11", "-shared", "-fPIC", "-I",
                        pathlib.Path(assay).parent / "include", "-o", plugin, ROOT / "backends/example/example.c"], check=True)
        run = subprocess.run([assay, "run", "--backend", plugin, "--policy", name, "--cases", folder / "cases",
                              "--out", results], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             check=False)
        # The exit code is 0 if all agree, 1 if some are suspect (or the example is wrong), 4 if all agree but were declined.
        if run.returncode not in (0, 1, 4) or not results.exists():
            raise RuntimeError(f"assay run ended with {run.returncode}:\n{run.stdout[-3000:]}")
        lines = [json.loads(line) for line in results.read_text().splitlines()]
    verdicts = [line for line in lines if line["kind"] == "result"]
    assert len(verdicts) == sum(map(len, by_op.values())), "a case without a verdict"
    return len(verdicts), [f"{line['case']}: {line.get('message', '')}" for line in verdicts
                           if line["outcome"] == "oracle_suspect"]


# ---------------------------------------------------------------------------------------------------------------- doc


def doc_text():
    values = {name: policy(name) for name in NAMES}
    rows, notes = [], []
    for name, key in sorted(table.KEYS.items()):
        cells = []
        for package in NAMES:
            absent = key.not_shown or table.NOT_SHOWN_BY.get((package, name))
            cell = f"({values[package][name]})" if absent else values[package][name]
            remark = table.WIDER.get((package, name)) or table.REMARKS.get((package, name)) or (
                "" if key.not_shown else absent or "")
            if remark:
                notes.append(f"{len(notes) + 1}. {package}, `{name}`: {remark}.")
                cell += f" [{len(notes)}]"
            cells.append(cell)
        rows.append(f"| `{name}` | {' | '.join(cells)} | {key.how or 'not shown: ' + key.not_shown} |")
    head = (PACKAGES / "packages.md.in").read_text()
    lines = ["| key | numpy | xla | torch | how it is measured |", "|---|---|---|---|---|", *rows]
    return head.replace("@TABLE@", "\n".join(lines)).replace("@NOTES@", "\n".join(notes))


def check_doc(update):
    text = doc_text()
    if update:
        DOC.write_text(text)
    complaints = list(table_complaints())
    if not DOC.exists() or DOC.read_text() != text:
        complaints.append("docs/packages.md is not what the policies and the table say: "
                          "python3 oracle/policies_test.py --doc --update")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


# --------------------------------------------------------------------------------------------------------------- main


def self_test(name, values, measured):
    """Returns whether every value that does not explain the package, in place of the policy's, is a difference."""
    replaced = missed = 0
    for key_name, result in measured.items():
        for value in table.KEYS[key_name].models:
            if result["asked"] == 0 or value in result["values"]:
                continue
            replaced += 1
            if key_name not in differences(name, values | {key_name: value}, measured):
                missed += 1
                print(f"SELF-TEST {key_name}: {value} is not noticed")
    print(f"self-test: {replaced} values that do not explain the package, {missed} not noticed")
    return missed == 0 and replaced > 0


def check_not_shown(name, measured):
    """Checks that the keys that the table says the package cannot show are those that it did not show."""
    for key_name, result in measured.items():
        is_listed = (name, key_name) in table.NOT_SHOWN_BY
        if is_listed and result["asked"] > 0:
            yield f"{key_name}: {name} shows it, and NOT_SHOWN_BY says that it does not"
        if not is_listed and result["asked"] == 0 and not result["lacks_type"]:
            yield f"{key_name}: {name} does not show it ({result['unsupported'][0]}), and NOT_SHOWN_BY does not say so"


def check(assay, name, python):
    python = interpreter(name, python)
    found = measure(name, python)
    measured, values = found["keys"], policy(name)
    complaints = list(table_complaints()) + list(check_not_shown(name, measured))
    for key_name, complaint in differences(name, values, measured).items():
        complaints.append("\n  ".join([f"{key_name}: {complaint}", *measured[key_name]["seen"]]))
    literals, suspects = run_literals(assay, name, measured)
    complaints += [f"the oracle does not allow what {name} returned: {text}" for text in suspects]
    for complaint in complaints:
        print(f"DIFFERENT {complaint}")
    missing = [f"{key_name}: {text}" for key_name, result in measured.items() for text in result["unsupported"]]
    for text in missing:
        print(f"not measured: {text}")
    asked = sum(result["asked"] for result in measured.values())
    shown = sum(result["asked"] > 0 for result in measured.values())
    print(f"{found['versions']}: {asked} calls on {shown} of {len(table.KEYS)} keys, {len(missing)} not measured; "
          f"{literals} of the calls put to the oracle as literals: {len(complaints)} differences")
    return self_test(name, values, measured) and not complaints


def main():
    parser = argparse.ArgumentParser(description="Compare policies with the packages that they are named after.")
    parser.add_argument("assay", metavar="ASSAY", nargs="?")
    parser.add_argument("name", metavar="NAME", nargs="?", choices=NAMES)
    parser.add_argument("--python", help="the interpreter that has the package")
    parser.add_argument("--doc", action="store_true", help="only compare docs/packages.md with policies and table")
    parser.add_argument("--update", action="store_true", help="write docs/packages.md")
    flags = parser.parse_args()
    if flags.doc:
        return check_doc(flags.update)
    if not flags.name:
        parser.error("ASSAY and NAME, or --doc")
    try:
        return 0 if check(flags.assay, flags.name, flags.python) else 1
    except Skipped as reason:
        print(f"skipped: {reason}")
        return 77


if __name__ == "__main__":
    sys.exit(main())
