#!/usr/bin/env python3
"""Times NumPy or PyTorch on the operands of cases/bench that `assay bench` times a backend on: the same names, shapes and bytes.

    peer_bench.py [--peer numpy|torch] [--device cpu|cuda] [--threads 2] [--op 'gather/*_64M'] [--cases FOLDER]

Only ops that move, gather, scatter, sort and add up elements are known. The elements are others than those of the case, drawn in the same
way, and results are not judged: this says how fast a library is, and nothing about it. Bytes are those of the case, so the indices of
PyTorch, which are of i64, count as those of i32 that the case has.
"""

import argparse
import fnmatch
import glob
import itertools
import json
import math
import os
import re
import statistics
import sys
import time

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cases", "bench")
BYTES = {"i8": 1, "bf16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}
ROUNDS = 9
LONG_SECONDS = 10  # of a case, after which three rounds are enough


class Numpy:
    """The functions of a peer return a result that is row-major, in memory of its own."""

    def __init__(self, _):
        import numpy
        self.lib, self.random = numpy, numpy.random.default_rng(7)
        self.types = {"i8": numpy.int8, "i32": numpy.int32, "i64": numpy.int64}

    def draw(self, shape, element):
        if element in ("f32", "f64"):
            return self.random.uniform(-1, 1, shape).astype(self.lib.float32 if element == "f32" else self.lib.float64)
        limit = 2 ** (8 * BYTES[element] - 1)
        return self.random.integers(-limit, limit, shape, dtype=self.types[element])

    def indices(self, count, below, is_sorted):
        indices = self.random.integers(0, below, count)
        return self.lib.sort(indices) if is_sorted else indices

    def transpose(self, x, permutation):
        return self.lib.ascontiguousarray(x.transpose(permutation))

    def reverse(self, x, dimensions):
        return self.lib.flip(x, dimensions).copy()

    def copy(self, x):
        return x.copy()

    def pad(self, x, low, high, value):
        x = x[tuple(slice(max(0, -a), n - max(0, -b)) for a, b, n in zip(low, high, x.shape))]
        return self.lib.pad(x, [(max(0, a), max(0, b)) for a, b in zip(low, high)], constant_values=value)

    def concatenate(self, xs, dimension):
        return self.lib.concatenate(xs, dimension)

    def take(self, x, indices):
        return self.lib.take(x, indices, axis=0)

    def put(self, x, indices, updates, adds):
        x = x.copy()
        if adds:
            self.lib.add.at(x, indices, updates)
        else:
            x[indices] = updates
        return x

    def sort(self, keys, dimension, payloads):
        if not payloads:
            return self.lib.sort(keys, axis=dimension, kind="stable")
        order = self.lib.argsort(keys, axis=dimension, kind="stable")
        return [self.lib.take_along_axis(x, order, dimension) for x in (keys, *payloads)]

    def reduce(self, x, op, dimensions):
        return (self.lib.sum if op == "add" else self.lib.max)(x, axis=tuple(dimensions))

    def matmul(self, x, y, element):
        if element == "i32":
            x, y = x.astype(self.lib.int32), y.astype(self.lib.int32)
        return self.lib.matmul(x, y)

    def seconds(self, run):
        start = time.perf_counter()
        run()
        return time.perf_counter() - start


class Torch:
    def __init__(self, arguments):
        import torch
        torch.set_num_threads(arguments.threads)
        torch.manual_seed(7)
        self.lib, self.device = torch, arguments.device
        self.types = {"i8": torch.int8, "i32": torch.int32, "i64": torch.int64}

    def draw(self, shape, element):
        if element in ("f32", "f64", "bf16"):
            type = {"f32": self.lib.float32, "f64": self.lib.float64, "bf16": self.lib.bfloat16}[element]
            return (self.lib.rand(shape, device=self.device) * 2 - 1).to(type)
        limit = 2 ** (8 * BYTES[element] - 1)
        return self.lib.randint(-limit, limit - 1, shape, device=self.device, dtype=self.types[element])

    def indices(self, count, below, is_sorted):
        indices = self.lib.randint(0, below, (count,), device=self.device)
        return indices.sort().values if is_sorted else indices

    def transpose(self, x, permutation):
        return x.permute(permutation).contiguous()

    def reverse(self, x, dimensions):
        return self.lib.flip(x, dimensions)

    def copy(self, x):
        return x.clone(memory_format=self.lib.contiguous_format)

    def pad(self, x, low, high, value):
        pairs = [n for pair in zip(reversed(low), reversed(high)) for n in pair]
        return self.lib.nn.functional.pad(x, pairs, value=value)

    def concatenate(self, xs, dimension):
        return self.lib.cat(xs, dimension)

    def take(self, x, indices):
        return self.lib.index_select(x, 0, indices)

    def put(self, x, indices, updates, adds):
        return (self.lib.index_add if adds else self.lib.index_copy)(x, 0, indices, updates)

    def sort(self, keys, dimension, payloads):
        keys, order = self.lib.sort(keys, dim=dimension, stable=True)
        return [keys, *(self.lib.gather(x, dimension, order) for x in payloads)]

    def reduce(self, x, op, dimensions):
        return (self.lib.sum if op == "add" else self.lib.amax)(x, dim=dimensions)

    def matmul(self, x, y, element):
        return self.lib._int_mm(x, y) if element == "i32" else self.lib.matmul(x, y)

    def convolution(self, x, kernel):
        """Operands are as in the case: features last, which is how PyTorch keeps channels_last."""
        x, kernel = x.permute(0, 3, 1, 2), kernel.permute(3, 2, 0, 1).contiguous(memory_format=self.lib.channels_last)
        return self.lib.nn.functional.conv2d(x, kernel, padding=1)

    def seconds(self, run):
        if self.device == "cpu":
            return Numpy.seconds(self, run)
        start, end = (self.lib.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1e3


def expanded(case):
    """Yields the cases that `each` makes."""
    each = case.get("each", {})
    for values in itertools.product(*each.values()):
        text = json.dumps({key: value for key, value in case.items() if key != "each"})
        for name, value in zip(each, values):
            text = text.replace("{%s}" % name, str(value))
        yield json.loads(text)


def shape_of(operand):
    *shape, element = re.fullmatch(r"tensor<(.*)>", operand["type"])[1].split("x")
    return [int(n) for n in shape], element


def call_of(peer, op, inputs, outputs):
    """Returns the call, the shapes and types of its operands, and those of its results."""
    if op in ("dot_general", "convolution"):
        sides, results = [shape_of(inputs["lhs"]), shape_of(inputs["rhs"])], [shape_of(outputs["result"])]
        if isinstance(peer, Numpy) and (op == "convolution" or sides[0][1] == "bf16"):
            return None, sides, results
        x, y = (peer.draw(*side) for side in sides)
        if op == "convolution":
            return lambda: peer.convolution(x, y), sides, results
        return lambda: peer.matmul(x, y, results[0][1]), sides, results
    first = inputs["inputs"][0] if "inputs" in inputs else inputs["operand"]
    shape, element = shape_of(first)
    if op == "reduce":
        x, dimensions = peer.draw(shape, element), inputs["dimensions"]
        kept = [n for d, n in enumerate(shape) if d not in dimensions]
        body = "add" if "stablehlo.add" in inputs["body"] else "maximum"
        return lambda: peer.reduce(x, body, dimensions), [(shape, element)], [(kept, element)]
    if op in ("gather", "scatter"):
        name = "start_indices" if op == "gather" else "scatter_indices"
        count, draw = shape_of(inputs[name])[0][0], inputs[name]["draw"]
        x, indices = peer.draw(shape, element), peer.indices(count, draw["below"], draw.get("sorted", False))
        rows, operands = [count, *shape[1:]], [(shape, element), ([count], "i32")]
        if op == "gather":
            return lambda: peer.take(x, indices), operands, [(rows, element)]
        updates, adds = peer.draw(rows, element), "stablehlo.add" in inputs["update_computation"]
        return lambda: peer.put(x, indices, updates, adds), [*operands, (rows, element)], [(shape, element)]
    if op in ("concatenate", "sort"):
        operands = [shape_of(operand) for operand in inputs["inputs"]]
        xs, dimension = [peer.draw(*operand) for operand in operands], inputs["dimension"]
        if op == "sort":
            return lambda: peer.sort(xs[0], dimension, xs[1:]), operands, operands
        return lambda: peer.concatenate(xs, dimension), operands, operands
    x, operands = peer.draw(shape, element), [(shape, element)]
    if op == "transpose":
        return lambda: peer.transpose(x, inputs["permutation"]), operands, operands
    if op == "reverse":
        return lambda: peer.reverse(x, inputs["dimensions"]), operands, operands
    if op == "slice":
        view = x[tuple(map(slice, inputs["start_indices"], inputs["limit_indices"], inputs["strides"]))]
        return lambda: peer.copy(view), operands, [(list(view.shape), element)]
    low, high, value = inputs["edge_padding_low"], inputs["edge_padding_high"], inputs["padding_value"]["data"][0]
    padded = [n + a + b for n, a, b in zip(shape, low, high)]
    return lambda: peer.pad(x, low, high, value), operands, [(padded, element)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=("numpy", "torch"), default="numpy")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="of torch")
    parser.add_argument("--threads", type=int, default=2, help="of torch on the cpu")
    parser.add_argument("--op", action="append", help="a glob over OP/ID; may be given several times")
    parser.add_argument("--cases", default=FOLDER)
    arguments = parser.parse_args()
    try:
        peer = (Numpy if arguments.peer == "numpy" else Torch)(arguments)
    except ImportError as missing:
        sys.exit(f"{arguments.peer} cannot be imported ({missing})")
    print(f"{arguments.peer} {peer.lib.__version__} on {arguments.device}: median of 3 to {ROUNDS}, bytes as `assay bench` counts them")
    print(f"{'case':<40} {'ms':>10} {'GB/s':>10}")
    for path in sorted(glob.glob(os.path.join(arguments.cases, "*.json"))):
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        op = content["op"]
        if op not in ("concatenate", "convolution", "dot_general", "gather", "pad", "reduce", "reverse", "scatter", "slice", "sort",
                      "transpose"):
            continue
        for case in itertools.chain.from_iterable(map(expanded, content["cases"])):
            name = f"{op}/{case['id']}"
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in arguments.op or ["*"]):
                continue
            run, operands, results = call_of(peer, op, case["inputs"], case.get("outputs"))
            if run is None:
                print(f"{name:<40} {arguments.peer} has no such function")
                continue
            run()
            samples = []
            while len(samples) < ROUNDS and (len(samples) < 3 or sum(samples) < LONG_SECONDS):
                samples.append(peer.seconds(run))
            seconds = statistics.median(samples)
            moved = sum(math.prod(shape) * BYTES[element] for shape, element in operands + results)
            print(f"{name:<40} {1e3 * seconds:10.3f} {moved / seconds / 1e9:10.1f}", flush=True)


if __name__ == "__main__":
    main()
