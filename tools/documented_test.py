#!/usr/bin/env python3
"""Every command that a page of the repository shows is run as it stands.

Commands are the lines of blocks `sh`, those behind `$ ` of blocks `console`, and complete ones in running text. They run in
a folder that looks like a built checkout, with the files of a reader: a plugin, a worker, case files. Commands that would
take long get a small suite, and the smaller numbers of SMALL. A command without a rule of its own must end with 0.

Usage: documented_test.py ASSAY_BINARY.
This test is run by .ci/run on the build without sanitizers.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from command_test_support import ASSAY, ROOT, CommandTest

# The pages need these files of the suite; the others would only take time.
SUITE = ["conformance/add.json", "conformance/popcnt.json", "conformance/reverse.json",
         "conformance/shift_right_arithmetic.json"]

# These numbers, and a glob over many large cases, are made smaller wherever they stand.
SMALL = [
    (r"--time (10m|8m|1m)", "--time 1s"),
    (r"--jobs (4|16)\b", "--jobs 2"),
    (r"--count 100000\b", "--count 200"),
    (r"-max_total_time=600", "-max_total_time=2"),
    (r"'[*]_64M'", "'reverse/i8_innermost_64M'"),
]

# A rule has a pattern of the command, the exit codes that it may end with, and text that is added to it. The first rule
# that matches counts.
RULES = [
    # Without a GPU, or a build for one, a backend cannot be started, but its command line must be right.
    (r"cuda(?!-host)", (0, 3), ""),
    # A backend from PyPI may not be installed, and XLA does not conform.
    (r"pjrt:|python:stablehlo", (0, 1, 3), ""),
    # The pages show this: Eigen does not conform, and the example in C declines everything but a sum.
    (r"--backend simd --backend eigen --policy assay", (1,), ""),
    # The small suite does not exercise every constraint.
    (r"--backend simd --backend spec", (0, 1), ""),
    (r"assay fuzz .*--op 'shift", (4,), ""),
    (r"assay fuzz .*--index 4711", (0, 4), ""),
    (r"assay fuzz .*--findings 3", (0,), " --time 2s"),
    (r"--cases cases/exhaustive", (130,), "interrupt"),
    (r"run --backend ./mine.so --policy assay --op 'shift_right", (4,), ""),
    (r"assay worst-error --backend ./mine.so", (4,), " --count 8192"),
    (r"assay worst-error --backend simd", (0,), " --count 8192"),
    (r"assay fuzz --backend (eigen|python:numpy)", (0, 1), " --findings 1"),
    (r"assay shrink add/lengths_f32_9@step2 --backend ./mine.so", (4,), ""),
    (r"assay order --backend", (0,), " --op reduce --type f32 --size 8"),
    (r"assay bench --regions", (0,), " --op 'map/*'"),
    (r"assay bench .*--policy", (0,), " --op add/i8_4096"),
    (r"assay bench", (0,), " --op add"),
    (r"assay mutants --arm formulas", (0, 1), " --op add"),
    (r"assay mutants.*--device cuda-host", (0, 1), " --enough 1 --bug LA01 --op add --seeds 1 --budget 2000"),
    (r"assay mutants", (0, 1), " --enough 1 --bug LP01 --op add --seeds 1 --budget 2000"),
]

# These commands are not run here, for the reason given.
ELSEWHERE = [
    (r"lint --fix$", "would rewrite the repository; tools.lint has a copy"),
    (r"numpy_bench.py", "tools.bench runs it with small settings"),
    (r"^assay [a-z-]+$|assay (run|mutants|report|lint) --(cases|layouts all|out|coverage)$|assay run --cases cases/exhaustive$",
     "names a subcommand or its flags"),
    (r"^tools/dev (test|run|build|format|arrows)", "the tests, the main job and the checks of .ci/run"),
    (r"fuzz_test$", ".ci/run builds and runs it"),
    (r"^tools/dev (backend|package)", "needs PyPI"),
    (r"--backend python:(torch|jax|iree|onnxruntime|paddle|flaggems)", "needs a package of PyPI"),
    (r"^tools/slurm/", "needs Slurm: tools.slurm runs them on a cluster of its own"),
    (r"--backend '?pjrt:", "needs a plugin of PJRT, from PyPI"),
    (r"tools/bench/peer_bench.py", "tools.bench runs it with small cases"),
    (r"^tools/gpu|^nvidia-cuda|peer_bench", "needs a GPU"),
    (r"cmake --preset fuzz|build/fuzz/|^mkdir -p findings$|ASSAY_FUZZ_", "clang builds those for .ci/run, which runs them"),
    (r"^apt-get|^sudo|^git ", "changes the machine"),
    (r"policies_test.py --doc --update", "rewrites the page; oracle.policies_doc compares it"),
    (r"^python3 oracle/policies_test", "oracle.policy_* run it"),
    (r"assay lint --spec FILE.md|assay lint --fix PATH", "names no file"),
]


CASES = {"op": "add", "cases": [{"id": "one", "source": "hand", "inputs": {
    name: {"type": "tensor<1xi8>", "data": [1]} for name in ("lhs", "rhs")}}]}
POLICY = {"extends": "stablehlo", "values": {"shift_overflow": "mask"}}


def pages():
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("build", ".git", "node_modules") and not name.startswith(".")]
        for name in files:
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def without_comment(line):
    return re.sub(r"\s+# .*$", "", line).strip()


def blocks(text):
    """Yields (first line, language, content) of each block."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```", text, re.S | re.M):
        yield text.count("\n", 0, match.start()) + 2, match[1], match[2]


def commands(path):
    """Yields (line number, command) in the order of the page; lines of a block `sh` that set something up are part of the next ones."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for number, language, content in blocks(text):
        if language not in ("sh", "console"):
            continue
        joined = content.replace("\\\n", " ")
        setup = ""
        for line in joined.splitlines():
            if language == "console":
                if not line.startswith("$ "):
                    continue
                line = line[2:]
            line = without_comment(line)
            if line.startswith("export ") or line.startswith("cc "):
                setup += line + " && "
            elif line:
                yield number, setup + line
    prose = re.sub(r"^```\w*\n.*?^```", lambda match: "\n" * match[0].count("\n"), text, flags=re.S | re.M)
    for match in re.finditer(r"`((?:build/release/)?assay [a-z-]+[^`]*|tools/(?:dev|gpu) [^`]*)`", prose):
        command = " ".join(match[1].split())
        # A command with a placeholder is a form and cannot be run.
        if not re.search(r"(?<![\w$-])[A-Z]{2,}\b|\.\.|<|>|\{|\bCASE\b|\bB\b", command):
            yield prose.count("\n", 0, match.start()) + 1, command


class DocumentedTest(CommandTest):
    def setUp(self):
        super().setUp()
        for name in os.listdir(ROOT):
            if name not in ("build", ".git"):
                os.symlink(os.path.join(ROOT, name), self.path(name))
        os.makedirs(self.path("build/dev"))
        os.symlink(os.path.dirname(ASSAY), self.path("build/release"))
        os.makedirs(self.path("build/venv/numpy/bin"))
        os.symlink("/usr/bin/python3", self.path("build/venv/numpy/bin/python"))
        os.makedirs(self.path("suite"))
        os.symlink(os.path.join(ROOT, "cases", "bench"), self.path("suite/bench"))
        for name in SUITE:
            source, target = os.path.join(ROOT, "cases", name), self.path(os.path.join("suite", name))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)
        self.environment = {
            **os.environ,
            "ASSAY_SUITE": self.path("suite"),
            # Debian's Python has NumPy.
            "PATH": os.pathsep.join([os.path.dirname(ASSAY), "/usr/bin", os.environ["PATH"]]),
            "PYTHONPATH": os.path.join(ROOT, "backends", "python"),
            "GITHUB_STEP_SUMMARY": self.path("step.md"),
            "HOME": self.folder,  # where ~ is
        }
        compiler = os.environ.get("CC", "cc")
        for plugin in ("mine.so", "libmine.so"):
            self.shell(f"{compiler} -std=c11 -shared -fPIC -I build/release/include -o {plugin} backends/example/example.c")
        with open(os.path.join(ROOT, "backends", "python", "README.md"), encoding="utf-8") as file:
            worker = next(content for _, language, content in blocks(file.read()) if language == "python")
        self.write("mine_worker.py", worker)
        self.write("model.mlir", "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                   "  %0 = stablehlo.add %x, %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n")
        for baseline, plugin in (("known.json", "./mine.so"), ("assay-baseline.json", "./libmine.so")):
            self.shell(f"assay run --backend {plugin} --baseline {baseline} --update-baseline --out last.jsonl")
        self.write("build/dev/clause_power.jsonl", '{"kind": "clause_power", "format": 1}\n')

    def shell(self, command, seconds=300, interrupt=False):
        if interrupt:
            command = f"timeout --signal=INT --preserve-status 3 {command}"
        return subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, errors="replace", timeout=seconds, check=False, stdin=subprocess.DEVNULL)

    def test_every_command_does_what_its_page_says(self):
        counts, wrong, elsewhere, seen = 0, [], {}, set()
        for page in sorted(pages()):
            name = os.path.relpath(page, ROOT)
            shutil.rmtree(self.path("findings"), ignore_errors=True)
            self.write("mine.json", json.dumps(POLICY if name == "spec/README.md" else CASES, indent=2) + "\n")
            self.shell("assay lint --fix mine.json")
            for number, command in commands(page):
                reason = next((why for pattern, why in ELSEWHERE if re.search(pattern, command)), None)
                if "| man " in command and shutil.which("man") is None:
                    reason = "needs man"
                if reason is not None:
                    elsewhere.setdefault(reason, []).append(f"{name}:{number}: {command}")
                    continue
                if command in seen:
                    continue
                seen.add(command)
                counts += 1
                codes, added = next(
                    ((codes, added) for pattern, codes, added in RULES if re.search(pattern, command)), ((0,), ""))
                small = command
                for pattern, replacement in SMALL:
                    small = re.sub(pattern, replacement, small)
                if added == "interrupt":
                    result = self.shell(small, interrupt=True)
                else:
                    result = self.shell(small + added)
                if result.returncode not in codes:
                    wrong.append(f"{name}:{number}: {small}{added}: ended with {result.returncode}, not {codes}\n"
                                 f"{result.stdout[-500:]}{result.stderr[-1500:]}")
        print(f"{counts} commands of the pages were run, {len(wrong)} were wrong", file=sys.stderr)
        for reason, commands_elsewhere in elsewhere.items():
            print(f"{len(commands_elsewhere)} are not run here: {reason}", file=sys.stderr)
        self.assertGreater(counts, 40)
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_a_command_that_is_wrong_is_found(self):
        page = self.write("page.md", "Text `assay list nosuch` and\n\n```sh\nassay explain add/nosuch \\\n  --policy assay  # a comment\n```\n")
        found = list(commands(page))
        self.assertEqual(found, [(4, "assay explain add/nosuch    --policy assay"), (1, "assay list nosuch")])
        for _, command in found:
            self.assertEqual(self.shell(command).returncode, 2)


if __name__ == "__main__":
    # Sanitizers reserve more address space than this limit leaves.
    if subprocess.run(["bash", "-c", f"ulimit -v 400000; {shlex.quote(ASSAY)} --version"], capture_output=True, check=False).returncode != 0:
        print("SKIPPED: the command has sanitizers")
        sys.exit(77)
    unittest.main()
