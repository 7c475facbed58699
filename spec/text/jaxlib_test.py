#!/usr/bin/env python3
"""Text read by someone else's hand: our generic form beside that of jaxlib's MLIR.

Every chunk of the files under $ASSAY_PEER_DIR is printed by both (text_print is ours), and so are constants of every
float type: all values of the narrow ones, and thousands of the others. What both read must be printed alike, up to
NORMALISATIONS; what jaxlib reads and we refuse must be refused for one of the REFUSED reasons.

jaxlib is that of build/venv/xla (`tools/dev package xla` makes it), else of the Python that runs this. It runs in a
process of its own, which bad input may end. Exit 77, which ctest shows as skipped, without jaxlib or $ASSAY_PEER_DIR.

Usage: jaxlib_test.py TEXT_PRINT
"""

import collections
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

FLOATS = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6, "f8E3M4": 8, "f8E4M3": 8, "f8E4M3FN": 8, "f8E4M3FNUZ": 8,
          "f8E4M3B11FNUZ": 8, "f8E5M2": 8, "f8E5M2FNUZ": 8, "f8E8M0FNU": 8, "bf16": 16, "f16": 16, "f32": 32, "f64": 64}

# Both texts, that of jaxlib and ours, are normalised so.
NORMALISATIONS = [
    # MLIR remembers the one value of `dense<2> : tensor<0xi64>`, which has no elements.
    (re.compile(r"dense<[^<>]*>( : tensor<(?:\d+x)*0x)"), r"dense<>\1"),
    # An op that jaxlib does not know keeps its properties apart from its attributes, as the text has them.
    (re.compile(r'^( *(?:%[\d:]+ = )?"check\.\w+"\([^()]*\)) <(\{.*\})>( : )', re.M), r"\1 \2\3"),
    # Defaults that jaxlib writes down.
    (re.compile(r'("stablehlo\.(?:in|out)feed"\([^()]*\)) <\{(?:in|out)feed_config = ""\}>'), r"\1"),
]

# Why we refuse what jaxlib reads.
REFUSED = re.compile(r"StableHLO has no (tensors of index|tensors without a rank|type '!stablehlo\.future')$"
                     r"|no form of op 'chlo\.\w+' is known but the generic one$")

TENSOR = r"(tensor<(?:[^<>]|<[^<>]*>)*>)"
CHECK_CONST = re.compile(r"check\.(\w+_const) (%[\w#]+), (dense<[^>]*>)\s*:\s*" + TENSOR + r"(?: \{([^}]*)\})?")
CHECK_CLOSE = re.compile(r"check\.expect_close (%[\w#]+), (%[\w#]+), max_ulp_difference = (\d+)"
                         r"(?:, min_ulp_difference = (\d+))? : " + TENSOR + ", " + TENSOR)


def check_const(match):
    more = f", {match[5]}" if match[5] else ""
    return f'"check.{match[1]}"({match[2]}) {{value = {match[3]} : {match[4]}{more}}} : ({match[4]}) -> ()'


def check_close(match):
    least = f", min_ulp_difference = {match[4]} : i64" if match[4] else ""
    return (f'"check.expect_close"({match[1]}, {match[2]}) {{max_ulp_difference = {match[3]} : i64{least}}} : '
            f"({match[5]}, {match[6]}) -> ()")


def for_jaxlib(text):
    """jaxlib reads ops of dialects that it does not have in their generic form alone."""
    return CHECK_CLOSE.sub(check_close, CHECK_CONST.sub(check_const, text))


def serve():
    """Answers each line, a text as JSON, with its generic form or what is wrong with it."""
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, stablehlo

    with ir.Context() as context:
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        stablehlo.register_dialect(context)
        chlo.register_dialect(context)
        context.allow_unregistered_dialects = True
        for line in sys.stdin:
            try:
                module = ir.Module.parse(json.loads(line))
                answer = {"text": module.operation.get_asm(print_generic_op_form=True, enable_debug_info=False)}
            except Exception as error:
                answer = {"error": str(error)}
            print(json.dumps(answer), flush=True)


class Jaxlib:
    def __init__(self, python):
        self.command = [python, __file__, "--serve"]
        self.process = None

    def generic(self, text):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        try:
            self.process.stdin.write(json.dumps(text) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if answer:
            return json.loads(answer)
        self.process.wait()
        self.process = None
        return {"error": "the process died"}

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def find_python():
    for python in (ROOT / "build/venv/xla/bin/python", pathlib.Path(sys.executable)):
        if not python.exists():
            continue
        probe = subprocess.run([python, "-c", "import jaxlib.mlir.ir"], capture_output=True, check=False)
        if probe.returncode == 0:
            return python
    return None


def float_constants():
    draw = random.Random(1)
    lines = []

    def add(elements, name):
        lines.append(f"%c{len(lines)} = stablehlo.constant dense<[{', '.join(elements)}]> : "
                     f"tensor<{len(elements)}x{name}>")

    for name, bits in FLOATS.items():
        values = list(range(1 << bits)) if bits <= 8 else [draw.getrandbits(bits) for _ in range(2000)]
        if bits >= 32:
            ints, floats = ("<I", "<f") if bits == 32 else ("<Q", "<d")
            for _ in range(3000):
                value = draw.choice([draw.uniform(-1e8, 1e8), draw.uniform(-1, 1),
                                     round(draw.uniform(-100, 100), draw.randint(0, 9)),
                                     float(draw.randint(0, 10 ** draw.randint(1, 20)))])
                values.append(struct.unpack(ints, struct.pack(floats, value))[0])
        # Longer ones are printed as blobs.
        for i in range(0, len(values), 50):
            add([hex(value) for value in values[i:i + 50]], name)
        if name != "f8E8M0FNU":  # no negative values
            for _ in range(4):
                add([f"{draw.uniform(-10, 10):.{draw.randint(1, 18)}f}" for _ in range(50)], name)
    return "\n".join(lines)


def normal(text):
    for pattern, replacement in NORMALISATIONS:
        text = pattern.sub(replacement, text)
    return text.strip()


def first_difference(ours, theirs):
    for a, b in zip(ours.splitlines(), theirs.splitlines()):
        if a != b:
            return f"  ours:   {a[:300]}\n  theirs: {b[:300]}"
    return "  one of them ends before the other"


def main():
    text_print = sys.argv[1]
    peer = os.environ.get("ASSAY_PEER_DIR")
    python = find_python()
    if peer is None or python is None:
        print("SKIPPED: " + ("ASSAY_PEER_DIR is not set" if peer is None else "there is no jaxlib"))
        return 77
    jaxlib = Jaxlib(python)
    counts, failures = collections.Counter(), []

    def check(path, name):
        text = path.read_text()
        ours = subprocess.run([text_print, path], capture_output=True, text=True, check=True).stdout
        chunks = re.split(r"^// -----.*\n?", text, flags=re.M)
        printed = ours.split("// -----\n")
        assert len(chunks) == len(printed), name
        for number, (chunk, own) in enumerate(zip(chunks, printed), 1):
            answer = jaxlib.generic(for_jaxlib(chunk))
            refused = re.match(r"// refused: \d+:\d+: (.*)", own)
            if "error" in answer:
                counts["died" if answer["error"] == "the process died" else "refused by jaxlib"] += 1
                counts["refused by both"] += refused is not None
            elif refused:
                counts["refused by us alone"] += 1
                if not REFUSED.search(refused[1]):
                    failures.append(f"{name} chunk {number}: jaxlib reads it: {refused[1]}")
            elif normal(own) != normal(answer["text"]):
                failures.append(f"{name} chunk {number}:\n{first_difference(normal(own), normal(answer['text']))}")
            else:
                counts["same"] += 1
                counts["same without normalisations"] += own.strip() == answer["text"].strip()

    for path in sorted(pathlib.Path(peer).rglob("*.mlir")):
        check(path, path.relative_to(peer))
    with tempfile.TemporaryDirectory() as folder:
        floats = pathlib.Path(folder) / "floats.mlir"
        floats.write_text(float_constants())
        check(floats, "floats")
        # A difference of one digit would have been seen.
        seen = len(failures)
        wrong = pathlib.Path(folder) / "wrong"
        wrong.write_text(f"#!/bin/sh\n'{text_print}' \"$1\" | sed 's/1.000000e+00/1.000001e+00/'\n")
        wrong.chmod(0o755)
        text_print = wrong
        check(floats, "floats")
        if len(failures) != seen + 1:
            failures.append("a wrong digit was not seen")
        else:
            failures.pop()
    jaxlib.close()
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    if counts["same"] < 1800:
        failures.append("fewer chunks are compared than there were: did jaxlib's API change?")
    for failure in failures[:20]:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    elif len(sys.argv) != 2:
        sys.exit(__doc__)
    else:
        sys.exit(main())
