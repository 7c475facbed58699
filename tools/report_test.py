#!/usr/bin/env python3
"""`assay report` is tested as a CI job uses it: on real runs, files made by hand, and broken files.

Usage: report_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import tempfile
import unittest

from command_test_support import CommandTest, assay, cases_of_add, with_sums


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write(with_sums(lines))
    return path


class ReportTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        os.mkdir(os.path.join(cls.shared.name, "conformance"))
        cls.cases = os.path.join(cls.shared.name, "conformance", "add.json")
        with open(cls.cases, "w", encoding="utf-8") as file:
            json.dump(cases_of_add(6), file)
        cls.run_file = os.path.join(cls.shared.name, "simd.jsonl")
        cls.spec_file = os.path.join(cls.shared.name, "spec.jsonl")
        # simd is judged on a whole suite, spec on a part, since this suite does not exercise every
        # constraint.
        for backend, out, part in (("simd", cls.run_file, []), ("spec", cls.spec_file, ["--cases", cls.cases])):
            result = assay("run", "--backend", backend, *part, "--out", out, ASSAY_SUITE=cls.shared.name)
            assert result.returncode == 0, result.stdout + result.stderr

    def changed(self, name, change):
        """Writes the run with `change` applied to its lines, and a footer that agrees."""
        lines = read_lines(self.run_file)
        change(lines)
        counts = {}
        for line in lines:
            if line["kind"] == "result":
                counts[line["outcome"]] = counts.get(line["outcome"], 0) + 1
        lines[-1]["counts"] = counts
        return write_lines(self.path(name), lines)

    def failing(self, name="failing.jsonl"):
        def fail(lines):
            lines[2].update(outcome="fail", message="differs", replay="assay run", error_ulps=3)

        return self.changed(name, fail)

    def shards(self, count):
        files = []
        for shard in range(1, count + 1):

            def take(lines, shard=shard):
                mine = [l for l in lines[1:-1] if l["i"] % count == shard - 1]
                lines[0]["shard"] = {"index": shard, "count": count}
                lines[0]["suite"]["cases"] = len(mine)
                lines[1:-1] = mine

            files.append(self.changed(f"s{shard}.jsonl", take))
        return files

    def expect(self, code, *arguments):
        result = assay("report", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout

    def expect_error(self, reason, *arguments):
        result = assay("report", *arguments)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn(reason, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_a_run_is_rendered(self):
        text = self.expect(0, self.run_file)
        self.assertIn("6 passed, 0 failed, 0 skipped", text)
        self.assertTrue(text.endswith("simd, policy assay: conforms; 6 passed, 0 not judged\n"), text)

    def test_a_failure_is_explained_and_exit_1(self):
        text = self.expect(1, self.failing())
        self.assertIn("fail add/c1 tensor<2xi8>  backend simd\n  differs\n  replay: assay run", text)

    def test_shards_are_the_run(self):
        shards = self.shards(4)
        merged = self.path("merged.jsonl")
        self.assertEqual(self.expect(0, *reversed(shards), "--out", merged), self.expect(0, self.run_file))
        without_sums = lambda path: [{**line, "sum": ""} for line in read_lines(path)[1:-1]]
        self.assertEqual(without_sums(merged), without_sums(self.run_file))
        self.expect(0, merged)
        self.expect_error("missing: 2/4", shards[0], *shards[2:])
        self.expect_error("is shard 1 of 4, as is", *shards, shards[0])

    def test_shards_of_other_suites_and_backends_are_refused(self):
        shards = self.shards(2)
        for field, change in (
            ("suite sha256", lambda lines: lines[0]["suite"].update(sha256="x")),
            ("backend simd: version", lambda lines: lines[0]["backends"][0].update(version="x")),
            ("backend simd: plugin sha256", lambda lines: lines[0]["backends"][0].update(sha256="x")),
            ("backend simd: policy", lambda lines: lines[0]["backends"][0].update(policy="x")),
            ("repeat 1 and 3", lambda lines: lines[0].update(repeat=3)),
        ):
            lines = read_lines(shards[1])
            change(lines)
            other = write_lines(self.path("other.jsonl"), lines)
            self.expect_error(field, shards[0], other)

    def test_backends_stand_in_one_report(self):
        text = self.expect(0, self.run_file, self.spec_file)
        self.assertIn("12 passed", text)
        self.assertIn("Constraints: ", text)
        self.expect_error("has the same backend (simd)", self.run_file, self.run_file)

    def agreement(self, text):
        """Returns the block that begins with `Agreement of`."""
        lines = text[text.index("Agreement of ") :].splitlines()
        table = [line for line in lines[1:] if line.startswith("  ")]
        return [lines[0], *table]

    def test_agreement_of_backends_is_shown(self):
        agree = "Agreement of simd and spec: all 6 cases judged on both, each passes both or neither."
        both = self.path("both.jsonl")
        run = assay("run", "--backend", "simd", "--backend", "spec", "--cases", self.cases, "--out", both)
        for text in (run.stdout, self.expect(0, both), self.expect(0, self.run_file, self.spec_file)):
            self.assertEqual(self.agreement(text), [agree])
        page = self.path("page.md")
        self.assertNotIn("Agreement", self.expect(0, self.run_file, "--markdown", page))
        with open(page, encoding="utf-8") as file:
            self.assertNotIn("Agreement", file.read())

        failing = self.failing()
        table = self.agreement(self.expect(1, failing, self.spec_file, "--markdown", page))
        self.assertTrue(table[0].endswith("Judged on both: 6."), table[0])
        self.assertEqual([line.split() for line in table[2:4]], [["simd", "-", "0"], ["spec", "1", "-"]])
        self.assertEqual(table[4:], ["  add/c1: passes on spec, not on simd"])
        with open(page, encoding="utf-8") as file:
            self.assertIn("### Agreement\n\n```text\n" + table[0], file.read())
        known = {"pattern": "add/c1", "outcomes": ["fail"], "reason": "known"}
        waived = self.expect(5, failing, self.spec_file, "--baseline", self.baseline([known]))  # has no backend spec
        self.assertEqual(self.agreement(waived), table)

    def test_broken_files_are_one_line(self):
        with open(self.run_file, encoding="utf-8") as file:
            text = file.read()
        truncated = self.path("t.jsonl")
        for end in (len(text) - 5, text.rindex("{"), text.index("\n") + 1):
            with open(truncated, "w", encoding="utf-8") as file:
                file.write(text[:end])
            self.expect_error("continue it with `assay run ... --resume`", truncated)
        for foreign in ("", "hello\n", '{"a": 1}\n', "[" * 5000 + "\n"):
            with open(truncated, "w", encoding="utf-8") as file:
                file.write(foreign)
            self.expect_error("is not a results file", truncated)
        with open(truncated, "wb") as file:
            file.write(os.urandom(4096))
        self.expect_error("is not a results file", truncated)
        self.expect_error("cannot be read", self.path("none.jsonl"))
        lost = read_lines(self.run_file)
        del lost[3]
        self.expect_error("the footer counts 6 pass", write_lines(truncated, lost))
        lines = text.splitlines(keepends=True)
        for changed in (lines[:3] + lines[4:], lines[:3] + [lines[3].replace('"elements":2', '"elements":9')] + lines[4:]):
            with open(truncated, "w", encoding="utf-8") as file:
                file.writelines(changed)
            self.expect_error("t.jsonl:4: has no sum, or not that of the lines up to it", truncated)
        with open(truncated, "w", encoding="utf-8") as file:
            file.write(text + lines[1][:20])
        self.expect_error("something follows the footer", truncated)

    def baseline(self, entries, name="b.json", **more):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            backend = {"policy": "assay", "judged": {}, "entries": entries, **more}
            json.dump({"format": 1, "backends": {"simd": backend}}, file)
        return path

    def test_the_gate(self):
        failing = self.failing()
        known = {"pattern": "add/c1", "outcomes": ["fail"], "reason": "known"}
        self.expect(0, failing, "--baseline", self.baseline([known]))
        self.expect(1, failing, "--baseline", self.baseline([]))
        text = self.expect(1, self.run_file, "--baseline", self.baseline([known]))
        self.assertIn("simd: add/c1:tensor<2xi8> passes, and the entry 'add/c1' waives", text)
        expired = {**known, "expires": "2020-01-01"}
        self.assertIn("2020-01-01", self.expect(5, failing, "--baseline", self.baseline([expired])))
        stale = {**known, "pattern": "sub/*"}
        self.assertIn("sub/*", self.expect(5, failing, "--baseline", self.baseline([known, stale])))
        self.expect(1, failing, "--baseline", self.baseline([{**known, "error_ulps": [1, 2]}]))
        lost = self.baseline([], judged={"add": {"i8": 7}})
        self.assertIn("add on i8: 6 cases judged, the baseline records 7", self.expect(1, self.run_file, "--baseline", lost))

    def test_a_wrong_baseline_is_one_line(self):
        for change, reason in (
            ({"pattern": "["}, "/backends/simd/entries/0/pattern: the pattern has a ["),
            ({"outcome": 1}, "/backends/simd/entries/0: unknown field 'outcome'"),
            ({"reason": ""}, "/backends/simd/entries/0/reason: must not be empty"),
            ({"expires": "soon"}, "'soon' is not a date"),
        ):
            entry = {"pattern": "add/c1", "outcomes": ["fail"], "reason": "known", **change}
            self.expect_error("b.json#" + reason if reason.startswith("/") else reason, self.run_file, "--baseline", self.baseline([entry]))
        self.expect_error("under policy 'numpy'", self.run_file, "--baseline", self.baseline([], policy="numpy"))
        self.expect_error("is not there", self.run_file, "--baseline", self.path("none.json"))

    def test_a_recorded_run_passes_and_keeps_what_people_wrote(self):
        failing, baseline = self.failing(), self.path("b.json")
        self.assertIn("has 1 entries, 0 before", self.expect(0, failing, "--baseline", baseline, "--update-baseline"))
        self.expect(0, failing, "--baseline", baseline)
        with open(baseline, encoding="utf-8") as file:
            content = json.load(file)
        (entry,) = content["backends"]["simd"]["entries"]
        self.assertEqual(
            entry, {"pattern": "add/c1", "outcomes": ["fail"], "error_ulps": [3, 3], "reason": "not yet explained"}
        )
        self.assertEqual(content["backends"]["simd"]["judged"], {"add": {"i8": 6}})
        entry.update(reason="explained", owner="me", issue="https://example.org/1", expires="2999-12-31")
        with open(baseline, "w", encoding="utf-8") as file:
            json.dump(content, file)
        self.expect(0, failing, "--baseline", baseline, "--update-baseline")
        with open(baseline, encoding="utf-8") as file:
            self.assertEqual(json.load(file), content)
        self.assertEqual(assay("report", failing, "--update-baseline").returncode, 2)
        self.expect(0, *self.shards(2), "--baseline", baseline, "--update-baseline")
        self.expect_error("missing", self.shards(2)[0], "--baseline", baseline, "--update-baseline")

    def test_what_is_required_must_be_judged(self):
        self.expect(0, self.run_file, "--require", "add/*")
        self.assertIn("no case that can be judged matches", self.expect(1, self.run_file, "--require", "sub/*"))

        def decline(lines):
            lines[2].update(outcome="unsupported", message="no i8")

        declined = self.changed("d.jsonl", decline)
        self.expect(0, declined)
        self.assertIn("add/c1:tensor<2xi8> is unsupported: no i8", self.expect(1, declined, "--require", "*:tensor<*xi8>"))

    def test_files_for_ci(self):
        junit, markdown = self.path("j.xml"), self.path("m.md")
        self.expect(1, self.failing(), "--junit", junit, "--markdown", markdown)
        with open(junit, encoding="utf-8") as file:
            self.assertIn('<failure type="fail, integer" message="differs">', file.read())
        with open(markdown, encoding="utf-8") as file:
            self.assertIn("## assay: not as expected: 1 unexpected", file.read())
        self.expect_error("cannot be written", self.run_file, "--junit", "/nonexistent/j.xml")

    def test_compare(self):
        markdown = self.path("m.md")
        text = self.expect(0, self.failing(), "--compare", self.run_file, "--markdown", markdown)
        self.assertIn("simd add/c1 tensor<2xi8>: pass -> fail (error 3)", text)
        with open(markdown, encoding="utf-8") as file:
            self.assertIn("pass -> fail (error 3)", file.read())
        self.expect(1, self.failing(), "--compare", self.run_file, "--require", "add/*")

    def test_compare_counts_what_is_the_same(self):
        same = self.expect(0, self.run_file, "--compare", self.run_file)
        self.assertRegex(same, r"0 passed before, 0 pass now, 0 another outcome, .*, 0 added, 0 removed, 6 the same")
        text = self.expect(0, self.run_file, "--compare", self.failing())
        self.assertRegex(text, r"0 passed before, 1 pass now, .*, 5 the same")
        self.assertIn("fail (error 3) -> pass", text)
        selected = self.expect(0, self.run_file, "--compare", self.run_file, "--op", "add/c1")
        self.assertRegex(selected, r"0 added, 0 removed, 1 the same")

    def test_coverage(self):
        power = self.write(
            "power.jsonl",
            "".join(json.dumps(line) + "\n" for line in [
                {"kind": "clause_power", "format": 1},
                {"clause": "add/S2", "status": "defined", "marked_by": 6, "breaks": "add/c1", "outcome": "fail"},
            ]),
        )
        text = self.expect(0, self.run_file, self.spec_file, power, "--coverage")
        self.assertIn("breaking it changes add/c1 (fail)", text)
        self.assertRegex(text, r"Constraints and defined clauses: 1 of \d+ covered by measurement")
        self.assertIn("marked, power not measured", self.expect(0, self.run_file, "--coverage"))
        self.expect_error("add --coverage", self.run_file, power)
        self.expect_error("no results are named", power, "--coverage")


if __name__ == "__main__":
    unittest.main()
