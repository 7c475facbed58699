#!/usr/bin/env python3
"""The page of `assay report --html` is driven in a headless Chromium, as a person uses it: wide and narrow, light and dark.

It needs Debian's package `chromium`, and says that it is skipped where that is not installed.

Usage: page_test.py ASSAY_BINARY
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import sys
import unittest

from browser_test_support import Browser, find_chromium
from command_test_support import CommandTest, assay, with_sums

HOSTILE = "</script><script>document.title='obeyed'</script><img src=x onerror=\"document.title='obeyed'\">'\"\0\x1b\u202e"

# Every text that is seen must stand out from its ground by 4.5; large numbers of rows of one kind are looked at once.
CONTRAST = """
(() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = channels(getComputedStyle(e).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const low = [], seen = new Set();
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg, script, dialog:not([open])") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(e), pair = style.color + style.backgroundColor + e.className + e.parentElement.className;
    if (seen.has(pair) || !e.checkVisibility()) continue;
    seen.add(pair);
    const a = light(channels(style.color)), b = light(ground(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(ratio.toFixed(2) + " " + e.outerHTML.slice(0, 120));
  }
  return {low, looked: seen.size};
})()
"""

STRUCTURE = """
(() => {
  const wrong = [], all = (selector) => [...document.querySelectorAll(selector)];
  let level = 0;
  for (const h of all("h1, h2, h3, h4, h5, h6")) {
    if (h.closest("dialog")) continue;
    if (+h.tagName[1] > level + 1) wrong.push("heading skips a level: " + h.textContent);
    level = +h.tagName[1];
  }
  for (const input of all("input, select")) if (!input.labels.length) wrong.push("no label: " + input.outerHTML);
  for (const button of all("button")) if (!(button.getAttribute("aria-label") || button.textContent.trim())) wrong.push("no name: " + button.outerHTML);
  for (const table of all("table")) if (!table.caption) wrong.push("no caption: " + table.outerHTML.slice(0, 80));
  for (const th of all("th")) if (!th.scope) wrong.push("no scope: " + th.outerHTML);
  for (const svg of all("svg")) if (!svg.querySelector("title").textContent) wrong.push("no title: " + svg.outerHTML.slice(0, 80));
  for (const link of all("a[href^='#']")) if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) wrong.push("leads nowhere: " + link.hash);
  const ids = all("[id]").map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id stands twice");
  if (all("h1").length !== 1 || !document.documentElement.lang) wrong.push("no title or language");
  return wrong;
})()
"""

SHOWN = "[...document.querySelectorAll('{}')].filter((e) => e.checkVisibility()).length"


def verdict(index, backend, op, outcome, **fields):
    return {"kind": "result", "i": index, "backend": backend, "case": f"{op}/c{index}", "op": op, "type": "tensor<2xf32>",
            "outcome": outcome, "elements": 2, **fields}


def failure(index, backend, op, label, **fields):
    return verdict(index, backend, op, "fail", basis="text", clauses=[f"{op}/{label}"], covered=[label],
                   message="1 of 2 elements differ\n  first at [0]: lhs = 1\n    expected 3\n    actual   4",
                   replay=f"assay run --backend {backend} --op '{op}/c{index}'", **fields)


def results(backend, verdicts, policy="stablehlo", suite="5517e"):
    header = {"kind": "header", "format": 4, "assay": "0.1.0", "time": "2026-01-01T00:00:00Z", "command": ["assay", "run"],
              "suite": {"paths": ["cases"], "cases": len(verdicts), "sha256": suite, "files": {}},
              "selection": {"ops": [], "cases": False},
              "backends": [{"backend": backend, "name": backend, "version": "1", "path": "", "sha256": "", "policy": policy,
                            "policy_values": {"shift_overflow": policy}}]}
    counts = {}
    for each in verdicts:
        counts[each["outcome"]] = counts.get(each["outcome"], 0) + 1
    return with_sums([header, *verdicts, {"kind": "footer", "counts": counts, "seconds": 1.5}])


ACCURACY = {"type": "f32", "elements": 2, "worst": 0.9, "budget": 2, "up": 1e-7, "down": 1e-7, "index": 0,
            "histogram": [1, 0, 1, 0, 0, 0, 0, 0, 0], "tiers": [0, 2, 0, 0], "at": "[0]: operand = 1"}


class PageTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(find_chromium())
        cls.addClassCleanup(cls.browser.close)

    def page(self, *arguments):
        path = self.path("page.html")
        result = assay("report", *arguments, "--html", path, "-q")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return path

    def runs(self):
        """Two backends: one fails on `add`, in two ways, and on `sine`, which the other passes."""
        ok = [verdict(0, "ok", "add", "pass", covered=["S3"]), verdict(1, "ok", "add", "pass", covered=["S3"]),
              verdict(2, "ok", "add", "pass"), verdict(3, "ok", "sine", "pass", accuracy=ACCURACY),
              verdict(4, "ok", "negate", "pass"), verdict(5, "ok", "fft", "unsupported", message="declined")]
        bad = [failure(0, "bad", "add", "S3"), failure(1, "bad", "add", "S3"), failure(2, "bad", "add", "S4"),
               failure(3, "bad", "sine", "S1", accuracy={**ACCURACY, "worst": 9}), verdict(4, "bad", "negate", "pass"),
               verdict(5, "bad", "fft", "unsupported", message="declined")]
        return self.write("ok.jsonl", results("ok", ok)), self.write("bad.jsonl", results("bad", bad, "numpy"))

    def open(self, path, width=1280, scheme="light", query=""):
        self.browser.complaints.clear()
        self.browser.window(width, 900, scheme)
        self.browser.open(f"file://{path}{query}")

    def tearDown(self):
        self.assertEqual(self.browser.complaints, [])
        super().tearDown()

    def shown(self, selector):
        return self.browser.run(SHOWN.format(selector))

    def test_every_width_and_scheme_is_readable(self):
        path = self.page(*self.runs(), "--coverage", "--history", self.folder)
        for width in (1280, 400):
            for scheme in ("light", "dark"):
                with self.subTest(width=width, scheme=scheme):
                    self.open(path, width, scheme)
                    self.browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
                    contrast = self.browser.run(CONTRAST)
                    self.assertEqual(contrast["low"], [])
                    self.assertGreater(contrast["looked"], 30)
                    self.assertEqual(self.browser.run(STRUCTURE), [])
                    # The page itself is never wider than the window; tables scroll within.
                    self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width)
        self.assertEqual(self.browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(18, 21, 26)")

    def test_search_filters_and_the_address_holds_it(self):
        path = self.page(*self.runs())
        self.open(path)
        self.assertEqual(self.shown("#matrix-table .row"), 4)
        self.browser.press("/")
        self.browser.type("sine")
        self.assertEqual(self.shown("#matrix-table .row"), 1)
        self.assertEqual(self.shown(".cause"), 1)
        link = self.browser.run("location.hash")
        self.assertIn("find=sine", link)
        self.open(path, query=link)
        self.assertEqual(self.browser.run("document.getElementById('find').value"), "sine")
        self.assertEqual(self.shown("#matrix-table .row"), 1)
        self.browser.run("document.getElementById('find').focus()")
        self.browser.press("Escape")
        self.assertEqual(self.shown("#matrix-table .row"), 4)

    def test_only_differences_are_shown(self):
        self.open(self.page(*self.runs()))
        self.browser.press("d")
        self.assertEqual(self.shown("#matrix-table .row"), 2)
        self.browser.run("const s = document.getElementById('state'); s.value = 'pass'; s.dispatchEvent(new Event('change'))")
        self.assertEqual(self.shown("#matrix-table .row"), 0)

    def test_a_cell_lists_its_causes(self):
        self.open(self.page(*self.runs()))
        self.assertEqual(self.shown(".cause"), 3)
        self.browser.run("document.querySelector('.to-causes[data-op=add]').click()")
        self.assertEqual(self.shown(".cause"), 2)
        self.assertIn("#causes?op=add&backend=bad", self.browser.run("location.hash"))
        self.browser.run("document.getElementById('all-causes').click()")
        self.assertEqual(self.shown(".cause"), 3)

    def test_causes_and_tables_are_sorted(self):
        self.open(self.page(*self.runs()))
        ops = "[...document.querySelectorAll('.cause')].map((e) => e.dataset.op).join(' ')"
        self.assertEqual(self.browser.run(ops), "add add sine")
        self.browser.run("document.querySelector('#accuracy-table .sort[data-column=\"4\"]').click()")
        worst = "[...document.querySelectorAll('#accuracy-table .row')].map((e) => e.cells[4].textContent).join(' ')"
        self.assertEqual(self.browser.run(worst), "0.9 9")
        self.browser.run("document.querySelector('#accuracy-table .sort[data-column=\"4\"]').click()")
        self.assertEqual(self.browser.run(worst), "9 0.9")
        self.assertEqual(self.browser.run("document.querySelector('#accuracy-table [aria-sort]').textContent"), "worst ulp")
        self.browser.run("const o = document.getElementById('order'); o.value = 'op'; o.dispatchEvent(new Event('change'))")
        self.open(self.path("page.html"), query=self.browser.run("location.hash"))
        self.assertEqual(self.browser.run(worst), "9 0.9")
        self.assertEqual(self.browser.run("document.getElementById('order').value"), "op")

    def test_keys_move_open_and_help(self):
        self.open(self.page(*self.runs()))
        focused = "document.activeElement.querySelector('th').textContent"
        self.browser.press("j")
        self.assertEqual(self.browser.run(focused), "add")
        self.browser.press("j")
        self.assertEqual(self.browser.run(focused), "negate")
        self.browser.press("k")
        self.assertEqual(self.browser.run(focused), "add")
        self.browser.run("document.getElementById('c1').focus()")
        self.browser.press("Enter")
        self.assertTrue(self.browser.run("document.querySelector('#c1 > details').open"))
        self.browser.run("new Promise((done) => setTimeout(done, 100))")
        self.assertIn("open=c1", self.browser.run("location.hash"))
        self.browser.press("?")
        self.assertTrue(self.browser.run("document.getElementById('help').open"))

    def test_a_case_of_a_run_is_copied_and_judged_again(self):
        """A case of which the expectation is wrong fails; what the page copies is a file that fails in the same way."""
        cases = {"op": "add", "cases": [{"id": "x", "source": "hand", "inputs": {
            name: {"type": "tensor<1xi8>", "data": [1]} for name in ("lhs", "rhs")}, "expect": {"result": [3]}}]}
        page = self.path("run.html")
        judged = assay("run", "--backend", "simd", "--cases", self.write("wrong.json", json.dumps(cases)), "--html", page)
        self.assertEqual(judged.returncode, 1, judged.stdout + judged.stderr)
        self.open(page)
        # A page from the disk may write to the clipboard in a browser with a window; here, what it writes is caught.
        self.browser.run("""Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => { window.copied = text; }}});
            document.querySelector("#c1 > details").open = true;
            document.querySelector("[data-of=c1-json]").click()""")
        copied = self.browser.run("window.copied")
        again = assay("run", "--backend", "simd", "--cases", self.write("copied.json", copied))
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("add/x", again.stdout)
        self.browser.run("document.querySelector('[data-of=c1-replay]').click()")
        self.assertIn("--op 'add/x'", self.browser.run("window.copied"))

    def test_runs_are_compared(self):
        ok, bad = self.runs()
        self.open(self.page(bad, "--compare", ok))
        self.assertEqual(self.shown("#changes-table .row"), 3)
        self.browser.run("const k = document.getElementById('kinds'); k.value = 'better'; k.dispatchEvent(new Event('change'))")
        self.assertEqual(self.shown("#changes-table .row"), 0)
        self.assertIn("kind=better", self.browser.run("location.hash"))

    def test_texts_of_others_are_not_obeyed(self):
        backend = "x" + HOSTILE
        verdicts = [{**failure(0, backend, "add", "S3"), "message": HOSTILE, "replay": HOSTILE, "case": "add/" + HOSTILE},
                    {**failure(1, backend, "add", "S4"), "op": HOSTILE, "clauses": [HOSTILE], "type": HOSTILE, "basis": HOSTILE},
                    verdict(2, backend, "add", "unsupported", message=HOSTILE, layouts=[HOSTILE]),
                    verdict(3, backend, "sine", "pass", accuracy={**ACCURACY, "at": HOSTILE})]
        path = self.page(self.write("hostile.jsonl", results(backend, verdicts, policy=HOSTILE)))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for forbidden in ("\0", "\x1b", "\u202e", "<img"):
            self.assertNotIn(forbidden, text)
        self.open(path, query="#" + HOSTILE.replace("\0", "") + "?find=" + "%3Cimg%3E&sort=x%20y&open=%3C")
        self.browser.run("new Promise((done) => setTimeout(done, 100))")
        self.assertNotEqual(self.browser.run("document.title"), "obeyed")
        self.assertEqual(self.browser.run("document.scripts.length"), 1)

    def test_bad_input_is_one_line(self):
        ok, bad = self.runs()
        with open(bad, encoding="utf-8") as file:
            whole = file.read()
        other = self.write("other.jsonl", results("other", [verdict(0, "other", "add", "pass")], suite="07e4"))
        cut = self.write("cut.jsonl", whole[:-200])
        missing = os.path.join(self.folder, "no", "page.html")
        for arguments, reason in (((ok, "--html", missing), "cannot be written"), ((cut, "--html", "x"), "cut.jsonl"),
                                  ((ok, other, "--html", "x"), "suite"), ((ok, "--history", self.folder), "--html"),
                                  ((ok, "--html", self.path("x"), "--history", missing), "cannot be read")):
            with self.subTest(arguments=arguments):
                result = assay("report", *arguments)
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn(reason, result.stderr)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        # A run says so before it begins.
        result = assay("run", "--backend", "simd", "--op", "add", "--html", missing)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)


if __name__ == "__main__":
    if find_chromium() is None:
        print("skipped: no Chromium is installed (Debian's package chromium)")
        sys.exit(77)
    unittest.main()
