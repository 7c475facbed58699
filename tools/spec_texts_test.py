#!/usr/bin/env python3
"""The Indonesian text of the StableHLO specification has the labels and the formulas of the English one.

Usage: spec_texts_test.py ASSAY_BINARY (which is not run)
ASSAY_SPEC_TEXT names the English text, NAME.en.md; the Indonesian one is NAME.id.md beside it. Without them nothing is compared.

Formulas and labels are not translated, so both texts must have the same. The English text is Markdown; the other has
lost its marks: headings are lines of one word, and code has no backticks. Ops are the sections that have "Semantics", in
the order of the text, since their titles are translated. Of each op are compared:

- the labels of the constraints, their order, and the code in each;
- the rows of the Inputs and Outputs tables: label, name, constraints, and the code, the numbers and some words in the type;
- the code in the semantics.

Code of the English text is what stands in backticks and between lines ```; code of the other is compared without white
space, and what is left of it when the code of the English text is taken out may not look like code, unless the English
text has it without backticks.
"""

import os
import re
import unittest

from command_test_support import CommandTest

# What differs in revision 1.8.0: (op, place): (English text, Indonesian text, why the English one is right).
PARENTHESES = "every other cell has its labels in parentheses"
KNOWN = {
    ("dot_general", "I7, constraints"): ("(C11), (C21)", "(C11), C21)", PARENTHESES),
    ("dot_general", "I12, constraints"): ("(C21), (C23)", "(C21), C23", PARENTHESES),
    ("dot_general", "I13, constraints"): ("(C21), (C24)", "(C21), C24", PARENTHESES),
    ("dynamic_conv", "I10, constraints"): ("(C12), (C13)", "(C12), C13)", PARENTHESES),
    ("dynamic_pad", "I3, constraints"): ("(C1), (C4)", "(C1), C4", PARENTHESES),
    ("get_tuple_element", "I2, constraints"): ("(C1), (C2)", "(C1), C2", PARENTHESES),
    ("imag", "I1, constraints"): ("(C1), (C2)", "(C1), C2", PARENTHESES),
    ("infeed", "results, type"): (
        "variadic number of tensors, quantized tensors or tokens",
        "jumlah tensor, tensor atau token terkuantisasi",
        "C3 has one token, whose type has no parameters: quantized are tensors",
    ),
    ("real", "I1, constraints"): ("(C1), (C2)", "(C1), C2", PARENTHESES),
    ("recv", "results, type"): (
        "variadic number of tensors, quantized tensors or tokens",
        "jumlah tensor, tensor atau token terkuantisasi",
        "C4 has one token, whose type has no parameters: quantized are tensors",
    ),
    ("rng_bit_generator", "I2, constraints"): ("(C1), (C2)", "(C1), C2", PARENTHESES),
    ("scatter", "I1, type"): (
        "variadic number of tensors or per-tensor quantized tensors",
        "jumlah tensor atau tensor terkuantisasi per-tensor",
        "C1 speaks of the shapes of inputs..., as of any variadic input",
    ),
    ("scatter", "C2"): (
        "rank(inputs[0])=size(update_window_dims)+size(inserted_window_dims)+size(input_batching_dims)",
        "rank(inputs[0]) = size(update_window_dims) size(inserted_window_dims) size(input_batching_dims)",
        "ranks are sums: without the sign two numbers stand side by side",
    ),
    ("sort", "results, type"): (
        "variadic number of tensors or per-tensor quantized tensors",
        "jumlah tensor atau tensor terkuantisasi per-tensor",
        "C2 speaks of the types of results..., as of any variadic output",
    ),
    ("uniform_quantize", "result, constraints"): ("(C1), (C2)", "(C1), C2", PARENTHESES),
}

# The headings of an op's section, in the languages that there are.
HEADINGS = {
    "semantics": ("Semantics", "Semantik"),
    "inputs": ("Inputs", "Arguments", "Input", "Argumen"),
    "outputs": ("Outputs", "Output"),
    "constraints": ("Constraints", "Batasan"),
    "examples": ("Examples", "Contoh"),
}
# Words of a type, and how the translation has them.
WORDS_OF_TYPES = (("per-tensor", "per[- ]?tensor"), ("variadic", "varia[bd]"))
PART_OF = {word: part for part, words in HEADINGS.items() for word in words}
CODE_BLOCK = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
LOOKS_LIKE_CODE = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|\w\(|\w\[|[<>=]|\.\.\.")


def read_ops(path):
    """Returns a list of (title, {part: lines})."""
    with open(path, encoding="utf-8") as file:
        # The first item of a list may stand on the line that introduces the list.
        lines = re.sub(r":- (?=[(]C[0-9]+[)])", ":\n- ", file.read()).splitlines()
    ops, part, before = [], None, ""
    for line in lines:
        title = line.lstrip("# ").strip()
        starts_section = line.startswith(("# ", "## ", "### "))
        if PART_OF.get(title) == "semantics":
            ops.append((before, {"semantics": []}))
            part = "semantics"
        elif starts_section:
            part = None
        elif ops and part and title in PART_OF:
            part = PART_OF[title]
            ops[-1][1].setdefault(part, [])
        elif part:
            ops[-1][1][part].append(line)
        if title and not line.startswith(">") and (part is None or starts_section or not line.startswith("#")):
            before = title
    return ops


def squeezed(text):
    return re.sub(r"\s", "", text)


def code_of(text):
    """Returns the code of Markdown, without white space."""
    blocks = [line for block in CODE_BLOCK.findall(text) for line in block.splitlines()]
    spans = re.findall(r"`([^`]+)`", CODE_BLOCK.sub(" ", text))
    return [code for code in (squeezed(code.replace("`", "")) for code in spans + blocks) if code]


def like_code(text):
    """Returns the words that look like code."""
    text = re.sub(r"!?\[([^]]+)\]\([^)\s]*\)", r"\1", text)  # links
    text = re.sub(r"\(\[?#[0-9]+\]?[^)]*\)|https?:\S+|\((?:[CI][0-9]+(?:-C?[0-9]+)?(?:, )?)+\)", " ", text)
    words = [word if word == "..." else word.strip(".,:;-|*") for word in text.split()]
    return [word for word in words if LOOKS_LIKE_CODE.search(word)]


def compare_code(first, other):
    """Yields at most one pair: the code that only the first text has, and that only the other has."""
    missing, rest = [], other.replace("`", "")
    for code in sorted(code_of(first), key=len, reverse=True):
        spaced = re.search(r"\s*".join(map(re.escape, code)), rest)
        if spaced:
            rest = rest[:spaced.start()] + " \0 " + rest[spaced.end():]
        else:
            missing.append(code)
    unmarked = like_code(re.sub("`[^`]+`", " ", CODE_BLOCK.sub(" ", first)))
    extra = []
    for word in like_code(rest):
        if word in unmarked:
            unmarked.remove(word)
        else:
            extra.append(word)
    if missing or extra:
        yield "; ".join(missing), " ".join(extra)


def constraints(lines):
    """Returns {label: text}; an item that is only a label is left out."""
    result, label = {}, None
    for line in lines:
        item = re.match(r"\s*[*-] \((C[0-9]+)\)(.*)", line)
        if item:
            label = item[1] if item[2].strip() else None
            if label:
                result[label] = item[2]
        elif label and line.startswith(("* ", "If ")):
            label = None
        elif label:
            result[label] += "\n" + line
    return result


def rows(lines):
    """Returns [(label or "", name, type, constraints)]."""
    result = []
    for line in lines:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.lstrip().startswith("|") or set(cells[0]) <= set("-: ") and cells[0]:
            continue
        label = ""
        if re.fullmatch(r"\(I[0-9]+\)", cells[0]):
            label = cells.pop(0)
        elif cells[0] in ("Label", "Name", "Nama"):
            continue
        cells += [""] * (3 - len(cells))
        result.append((label, cells[0].strip("`"), cells[1], cells[2]))
    return result


def compare_rows(first, other):
    """Yields (place, first, other)."""
    for i in range(max(len(first), len(other))):
        a = first[i] if i < len(first) else ("", "", "", "")
        b = other[i] if i < len(other) else ("", "", "", "")
        place = a[0].strip("()") or a[1] or b[1]
        for k, what in ((0, "label"), (1, "name"), (3, "constraints")):
            if squeezed(a[k]) != squeezed(b[k]):
                yield f"{place}, {what}", a[k], b[k]
        for code, extra in compare_code(a[2], b[2]):
            yield f"{place}, type", code, extra
        words = re.sub("`[^`]*`", " ", a[2])
        numbers = re.findall(r"\b[0-9]+\b", words)
        if numbers != re.findall(r"\b[0-9]+(?=[- ]d)", re.sub("`[^`]*`", " ", b[2])):
            yield f"{place}, type", words, b[2]
        for pattern, translation in WORDS_OF_TYPES:
            if len(re.findall(pattern, words)) != len(re.findall(translation, b[2], re.IGNORECASE)):
                yield f"{place}, type", a[2], b[2]


def compare_ops(first, other):
    """Yields (place, first, other)."""
    for part in ("inputs", "outputs"):
        yield from compare_rows(rows(first.get(part, [])), rows(other.get(part, [])))
    a, b = constraints(first.get("constraints", [])), constraints(other.get("constraints", []))
    if list(a) != list(b):
        yield "labels", ", ".join(a), ", ".join(b)
    for label in a:
        if label in b:
            for code, extra in compare_code(a[label], b[label]):
                yield label, code, extra
    for code, extra in compare_code("\n".join(first["semantics"]), "\n".join(other["semantics"])):
        yield "semantics", code, extra


def differences(first, other):
    """Yields ((op, place), (first, other))."""
    if len(first) != len(other):
        yield ("", "ops"), (str(len(first)), str(len(other)))
    for (title, a), (_, b) in zip(first, other):
        for place, *texts in compare_ops(a, b):
            yield (title, place), tuple(" ".join(text.split()) for text in texts)


# A section as each of the texts has it.
ENGLISH = """### move

#### Semantics

Moves `a[i]` to:

```python
b[i]
```

#### Inputs

| Label | Name | Type                                 | Constraints |
|-------|------|--------------------------------------|-------------|
| (I1)  | `a`  | variadic number of tensors of `f32`  | (C1), (C2)  |
| (I2)  | `b`  | 1-dimensional per-tensor quantized   | (C1)        |

#### Constraints

* (C1) `rank(a) = 2`.
* (C2) If `a[0]`, then `b`.
"""
INDONESIAN = """pindah
Semantik
Memindahkan a[i] ke:
b [i]
Input
| Label | Nama | Jenis | Batasan |
| (I1) | a | jumlah variabel tensor f32 | (C1), (C2) |
| (I2) | b | 1-dimensi per-tensor terkuantisasi | (C1) |
Batasan
- (C1) rank(a) = 2.
- (C2) Jika a[0], maka b.
"""


class SpecTextsTest(CommandTest):
    def differences(self, english, indonesian):
        return list(differences(read_ops(english), read_ops(indonesian)))

    def test_the_texts_differ_as_known(self):
        english = os.environ.get("ASSAY_SPEC_TEXT", "")
        if not english:
            self.skipTest("ASSAY_SPEC_TEXT is not set: no translation was compared with the text")
        indonesian = english.removesuffix(".en.md") + ".id.md"
        if not english.endswith(".en.md") or not os.path.exists(indonesian):
            self.skipTest(f"there is no Indonesian text beside {english}: no translation was compared with it")
        self.assertEqual(len(read_ops(english)), 105)
        self.maxDiff = None
        known = [(place, texts[:2]) for place, texts in KNOWN.items()]
        self.assertEqual(sorted(self.differences(english, indonesian)), sorted(known))

    def test_every_difference_is_found(self):
        english = self.write("text.en.md", ENGLISH)
        self.assertEqual(self.differences(english, self.write("text.id.md", INDONESIAN)), [])
        for old, new, place, texts in (
            ("rank(a) = 2", "rank(a) = 3", "C1", ("rank(a)=2", "rank(a) =")),
            ("maka b", "maka", "C2", ("b", "")),
            ("maka b", "maka b atau a[1]", "C2", ("", "a[1]")),
            ("(C2) Jika", "(C3) Jika", "labels", ("C1, C2", "C1, C3")),
            ("b [i]", "b [j]", "semantics", ("b[i]", "")),
            ("(C1), (C2)", "(C1), C2", "I1, constraints", ("(C1), (C2)", "(C1), C2")),
            ("(I2)", "(I3)", "I2, label", ("(I2)", "(I3)")),
            ("| b |", "| c |", "I2, name", ("b", "c")),
            ("f32", "f64", "I1, type", ("f32", "")),
            ("variabel ", "", "I1, type", ("variadic number of tensors of `f32`", "jumlah tensor f32")),
            ("1-dimensi", "2-dimensi", "I2, type", ("1-dimensional per-tensor quantized", "2-dimensi per-tensor terkuantisasi")),
            ("per-tensor ", "", "I2, type", ("1-dimensional per-tensor quantized", "1-dimensi terkuantisasi")),
        ):
            with self.subTest(new):
                self.assertEqual(INDONESIAN.count(old), 1)
                other = self.write("text.id.md", INDONESIAN.replace(old, new))
                self.assertEqual(self.differences(english, other), [(("move", place), texts)])
        other = self.write("text.id.md", INDONESIAN * 2)
        self.assertEqual(self.differences(english, other), [(("", "ops"), ("1", "2"))])


if __name__ == "__main__":
    unittest.main(verbosity=2)
