#!/usr/bin/env python3
"""The table of policy keys in spec/README.md has every key of the schema, its values and the shipped policies that have them.

Usage: policy_table_test.py ASSAY_BINARY
       policy_table_test.py --fix    writes the first two columns again; people write the third
"""

import json
import os
import re
import sys
import unittest

if __name__ == "__main__" and sys.argv[1:] == ["--fix"]:
    ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    CommandTest = unittest.TestCase
else:
    from command_test_support import ROOT, CommandTest

PAGE = os.path.join(ROOT, "spec", "README.md")
FOLDER = os.path.join(ROOT, "spec", "policies")
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| (.*) \|$")
HEADING = "| key | values, and the shipped policies that have them | what the text leaves |"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def keys():
    """Returns the values of each key."""
    schema = json.loads(read(os.path.join(FOLDER, "policy.schema.json")))
    return {key: entry["enum"] for key, entry in schema["properties"]["values"]["properties"].items()}


def policies():
    """Returns the values of each shipped policy, with those of the policy that it extends."""
    files = {}
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".json") and name != "policy.schema.json":
            files[name[: -len(".json")]] = json.loads(read(os.path.join(FOLDER, name)))

    def values(name):
        base = files[name].get("extends")
        return {**(values(base) if base else {}), **files[name]["values"]}

    return {name: values(name) for name in files}


def values_cell(key, values, shipped):
    def text(value):
        names = [name for name, of in shipped.items() if of[key] == value]
        return f"`{value}`" + (f" {', '.join(names)}" if names else "")

    return "; ".join(text(value) for value in values)


def rows(page):
    """Returns the cells of each row: the key, its values, and what the text leaves open."""
    table = page[page.index(HEADING) :].split("\n\n")[0]
    matches = [ROW.match(line) for line in table.splitlines()[2:]]
    return [(match[1], match[2], match[3]) if match else ("", "", "") for match in matches]


class PoliciesTest(CommandTest):
    def test_the_table_is_that_of_the_schema_and_the_policies(self):
        shipped = policies()
        expected = [(key, values_cell(key, values, shipped)) for key, values in keys().items()]
        found = [(key, values) for key, values, _ in rows(read(PAGE))]
        self.assertEqual(found, expected, "write it again: tools/policy_table_test.py --fix")

    def test_every_row_says_what_the_text_leaves(self):
        for key, _, reason in rows(read(PAGE)):
            self.assertGreater(len(reason), 25, key)

    def test_where_a_shipped_policy_accepts_any_value_the_row_says_why(self):
        reasons = {key: reason for key, _, reason in rows(read(PAGE))}
        for name, values in policies().items():
            for key, value in values.items():
                if value == "any":
                    self.assertRegex(reasons[key], r"Nothing narrower|Either answer is all", f"{name}: {key}")

    def test_every_value_is_used(self):
        # Shipped policies use most values; the others are for policies of one's own, and tests of oracle/ and
        # spec/ use them.
        tests = "".join(
            read(os.path.join(place, name))
            for folder in ("oracle", "spec")
            for place, _, names in os.walk(os.path.join(ROOT, folder))
            for name in names
            if name.endswith("_test.cc")
        )
        shipped = policies()
        unused = [
            (key, value)
            for key, values in keys().items()
            for value in values
            if all(of[key] != value for of in shipped.values()) and not re.search(f'"{key}",\\s*"{value}"', tests)
        ]
        self.assertEqual(unused, [])


def fix():
    page = read(PAGE)
    shipped = policies()
    reasons = {key: reason for key, _, reason in rows(page)}
    lines = [HEADING, "|---|---|---|"]
    for key, values in keys().items():
        lines.append(f"| `{key}` | {values_cell(key, values, shipped)} | {reasons.get(key, '')} |")
    begin = page.index(HEADING)
    table = page[begin:].split("\n\n")[0].rstrip("\n")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page.replace(table, "\n".join(lines)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--fix"]:
        fix()
    else:
        unittest.main()
