"""Says why a library fails a case, as the reason of an entry of its baseline: by the finding that shows it, or by its outcome."""

import json
import pathlib
import re

FUNCTIONS = pathlib.Path(__file__).resolve().parent.parent / "backends/python/functions.json"
OUTCOMES = {
    "crash": "the call ends the process",
    "error": "the call is refused",
    "rejected_valid": "a valid call is refused",
    "timeout": "the call does not return in time",
    "memory": "the call takes more memory than it may",
    "guard_violation": "memory outside of a buffer is read or written",
    "input_modified": "an operand is written",
    "not_written": "elements of the result are left as they were",
    "nondeterministic": "the result differs from run to run",
    "environment_changed": "the call leaves its process changed",
}
MOST_MESSAGE = 120


def scripts_by_clause(folders):
    """Returns the names of the plain scripts of folders of findings by the clauses that their first lines name."""
    scripts = {}
    for path in [path for folder in folders for path in sorted([*folder.glob("*.py"), *folder.glob("*.cc")])]:
        quoted = path.read_text(encoding="utf-8").split('"""' if path.suffix == ".py" else "\n", 2)
        head = quoted[1] if path.suffix == ".py" else quoted[0]
        for clause in re.findall(r"[\w.]+/[A-Z][\w-]*", head):
            scripts.setdefault(clause, []).append(path.name)
    return scripts


def differences_by_clause(name):
    """Returns what a library does by design, by the clauses that it decides so: the findings do not count it."""
    library = name.removesuffix("-cuda")
    table = json.loads(FUNCTIONS.read_text(encoding="utf-8"))
    return {f"{op}/{label}": f"{row[library]['function']}: {row[library]['differs']}"
            for op, row in table.items() for label in row.get(library, {}).get("clauses", ())}


def message_of(verdict):
    """Returns the library's message in one line, without what differs from run to run."""
    line = verdict.get("message", "").partition("\n")[0]
    line = re.sub(r"^run [AB]: (the backend calls a valid call invalid: )?", "", line)
    line = re.sub(r"\b[A-Z]\d{4} [\d:.]+ +\d+ ", "", line)  # the time and the process of a log
    line = re.sub(r"0x[0-9a-f]{6,}", "0x..", re.sub(r"/[\w./+-]+/", "", line))
    return line if len(line) <= MOST_MESSAGE else line[:MOST_MESSAGE].rpartition(" ")[0] + " .."


def reason_of(verdict, scripts, differences):
    outcome, clauses = verdict["outcome"], verdict.get("clauses", [])
    if outcome == "fail":
        for clause in clauses:
            if clause in differences:
                return differences[clause]
        of_op = [clause for clause in clauses if clause.partition("/")[0] == verdict["op"].removeprefix("pointwise.")]
        shown = [script for clause in of_op for script in scripts.get(clause, [])]
        shown = shown or [script for clause in clauses for script in scripts.get(clause, [])]
        if shown:
            return "by a clause of " + ", ".join(dict.fromkeys(shown))
        basis, where = verdict.get("basis", ""), ", ".join(clauses[:3])
        if basis == "budget":
            return f"{where}: less accurate than the budget"
        if basis.startswith("policy:"):
            return f"{where}: open, and the policy decides {basis.removeprefix('policy:')} otherwise"
        return f"{where}: contradicts the text"
    if outcome == "accepted_invalid":
        violated = re.search(r"violates ([\w, ]+)", verdict.get("message", ""))
        return f"not checked: {violated.group(1) if violated else 'a constraint'}"
    return f"{OUTCOMES.get(outcome, outcome)}: {message_of(verdict)}".removesuffix(": ")


def verdicts_of(results):
    """Returns the verdicts of a file of results by case."""
    with open(results, encoding="utf-8") as file:
        lines = map(json.loads, file)
        return {line["case"]: line for line in lines if line["kind"] == "result"}


def case_of(entry):
    return re.sub(r"\\(.)", r"\1", entry["pattern"])


def keep(before, baseline, results):
    """Adds the entries of another machine's baseline. A case that fails on one of the two machines alone may pass.

    An entry is added if its case passes in the results: one that is declined now, or is gone, is no failure of any machine.
    """
    verdicts = verdicts_of(results)
    for name, backend in baseline["backends"].items():
        old = {entry["pattern"]: entry for entry in before["backends"].get(name, {"entries": []})["entries"]}
        for entry in backend["entries"]:
            known = old.pop(entry["pattern"], {"outcomes": ["pass"]})["outcomes"]
            entry["outcomes"] = list(dict.fromkeys([*known, *entry["outcomes"]]))
        for entry in old.values():
            if verdicts.get(case_of(entry), {"outcome": "gone"})["outcome"] == "pass":
                backend["entries"].append({**entry, "outcomes": list(dict.fromkeys(["pass", *entry["outcomes"]]))})


def with_reasons(baseline, results, name, folders, unexplained):
    """Returns a baseline whose unexplained entries have the reasons that the results of the same run give."""
    scripts, differences = scripts_by_clause(folders), differences_by_clause(name)
    verdicts = verdicts_of(results)
    for backend in baseline["backends"].values():
        for subject, reason in backend.get("flush", {}).items():
            if reason == unexplained:
                backend["flush"][subject] = "subnormal numbers are flushed in some places, and not in others"
        for entry in backend["entries"]:
            verdict = verdicts.get(case_of(entry))
            if entry["reason"] == unexplained and verdict:
                entry["reason"] = reason_of(verdict, scripts, differences)
    return baseline
