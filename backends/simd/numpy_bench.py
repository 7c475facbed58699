#!/usr/bin/env python3
"""Times the plugin simd beside NumPy on the same arrays, layout by layout.

Every result is compared with NumPy's first. Times are medians of repetitions
that take turns: other load on the machine affects all of them. `best` is the
ratio of the least times, which is that of an idle machine: where other guests
share a core, copies through the caches take up to twice their time, and copies
that wait for the memory do not.

    tools/dev backend numpy    # the NumPy of the package index
    build/venv/numpy/bin/python backends/simd/numpy_bench.py [--library build/release/backends/simd.so] [--repeat 7]
"""

import argparse
import ctypes
import functools
import math
import statistics
import sys
import time

try:
    import numpy as np
except ImportError as missing:
    sys.exit(f"NumPy cannot be imported ({missing}): run tools/dev backend numpy")


# ---------------------------------------------------- backends/backend.h, DLPack
class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("dtype", DataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class AssayTensor(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("type", ctypes.c_char_p), ("flags", ctypes.c_uint32),
                ("reserved", ctypes.c_uint64 * 2)]


class Attribute(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p), ("value", ctypes.c_void_p),
                ("reserved", ctypes.c_uint64 * 2)]


class Call(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("op", ctypes.c_char_p), ("num_inputs", ctypes.c_int32),
                ("inputs", ctypes.POINTER(AssayTensor)), ("num_outputs", ctypes.c_int32),
                ("outputs", ctypes.POINTER(AssayTensor)), ("num_attributes", ctypes.c_int32),
                ("attributes", ctypes.POINTER(Attribute)), ("num_regions", ctypes.c_int32),
                ("regions", ctypes.c_void_p)]


class Backend(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("abi_major", ctypes.c_uint32), ("abi_minor", ctypes.c_uint32),
                ("name", ctypes.c_char_p), ("version", ctypes.c_char_p), ("device", Device),
                ("capabilities", ctypes.c_uint64), ("over_read_bytes", ctypes.c_uint64),
                ("configure", ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p,
                                               ctypes.c_size_t)),
                ("run", ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(Call), ctypes.c_char_p, ctypes.c_size_t))]


class Plugin:
    CODES = {"i": 0, "f": 2, "b": 6}

    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.assay_backend.restype = ctypes.POINTER(Backend)
        self._backend = library.assay_backend().contents
        self._message = ctypes.create_string_buffer(300)

    def configure(self, key, value):
        if self._backend.configure(key.encode(), str(value).encode(), self._message, 300) != 0:
            raise SystemExit(self._message.value.decode())

    def _tensor(self, array):
        vector = ctypes.c_int64 * max(array.ndim, 1)
        shape = vector(*array.shape)
        strides = vector(*[stride // array.itemsize for stride in array.strides])
        dtype = DataType(self.CODES[array.dtype.kind], 8 * array.itemsize, 1)
        return AssayTensor(Tensor(array.ctypes.data, Device(1, 0), array.ndim, dtype, shape, strides, 0))

    def prepare(self, op, attributes, inputs, output):
        """Returns a function that runs the call, with all structures made beforehand."""
        operands = (AssayTensor * len(inputs))(*[self._tensor(array) for array in inputs])
        results = (AssayTensor * 1)(self._tensor(output))
        texts = [Attribute(name.encode(), text.encode(), None) for name, text in attributes.items()]
        call = Call(ctypes.sizeof(Call), op.encode(), len(inputs), operands, 1, results, len(texts),
                    (Attribute * max(len(texts), 1))(*texts), 0, None)
        pointer = ctypes.pointer(call)

        def run():
            if self._backend.run(pointer, self._message, 300) != 0:
                raise SystemExit(f"{op}: {self._message.value.decode()}")

        return run


# --------------------------------------------------------------------- Workloads
OPS = [("add", "f4", np.add, {}), ("add", "i4", np.add, {}), ("multiply", "f4", np.multiply, {}),
       ("multiply", "i4", np.multiply, {}), ("shift_left", "i4", np.left_shift, {}),
       ("compare", "f4", np.less, {"comparison_direction": "LT", "compare_type": "FLOAT"}),
       ("compare", "i4", np.less, {"comparison_direction": "LT", "compare_type": "SIGNED"}), ("exponential", "f4", np.exp, {})]


def values(dtype, shape, seed):
    random = np.random.default_rng(seed)
    if dtype == "i4":
        return random.integers(0, 32, shape, dtype=np.int32)
    return random.uniform(-4, 4, shape).astype(np.float32)


def layouts(dtype, log2):
    """Returns pairs of operands by layout; unary ops take the second one."""
    rows = 2 ** (log2 // 2)
    columns = 2 ** log2 // rows
    side = 2 ** (log2 // 4)
    a, b = (values(dtype, (rows, columns), seed) for seed in (1, 2))
    wide = [values(dtype, (rows, 2 * columns), seed) for seed in (3, 4)]
    quad = (side, side, side, 2 ** log2 // side ** 3)
    return {
        "contiguous": (a, b),
        "transposed": (a, b.reshape(columns, rows).T),
        "broadcast": (a[:, :1].copy(), np.broadcast_to(b[:1], (1, columns)).copy()),
        "slice": tuple(array[:, ::2] for array in wide),
        "reversed": (a[::-1, ::-1], b[::-1, ::-1]),
        "permuted": (a.reshape(quad), b.reshape(quad[2], quad[0], quad[3], quad[1]).transpose(1, 3, 0, 2)),
        "in_place": (a, b),
    }


def broadcast_attributes(op, attributes):
    method = "ALWAYS_BOOL" if op == "compare" else "DEFAULT"
    return {"promotion_methods": f'[[0, 1, "{method}"]]', **attributes}


class Cell:
    """One op on one layout, with the calls that are timed, which write to the same memory.

    In memory of its own, either call could be twice as fast as the other, because of the pages that it got.
    """

    def __init__(self, plugin, op, dtype, function, attributes, layout, operands):
        self.op, self.dtype, self.layout = op, dtype, layout
        self.times = {"numpy": [], "one": [], "all": []}
        unary = function is np.exp
        inputs = list(operands[1:] if unary else operands)
        shape = np.broadcast_shapes(*[array.shape for array in operands])
        if unary and layout == "broadcast":
            inputs = [np.broadcast_to(inputs[0], shape)]
        result = "?" if op == "compare" else dtype
        self.in_place = layout == "in_place" and result == dtype
        self._output = output = memory(result, math.prod(shape)).reshape(shape)
        self._operand = inputs[0]
        if self.in_place:
            inputs[0] = output
        if layout == "broadcast" and not unary:
            op, attributes = "pointwise." + op, broadcast_attributes(op, attributes)
        self.mine = plugin.prepare(op, attributes, inputs, output)
        self.theirs = lambda: function(*inputs, out=output)

    def prepare(self):
        """An operand in place is the result of the call before."""
        if self.in_place:
            self._output[...] = self._operand

    def _result_of(self, function):
        self.prepare()
        if not self.in_place:
            self._output.fill(0)
        function()
        return self._output.copy()

    def time(self, plugin, threads, first):
        """The three take turns to be first, because the call before changes the caches."""
        ways = [("numpy", self.theirs, 1), ("one", self.mine, 1), ("all", self.mine, threads)]
        for name, function, count in ways[first:] + ways[:first]:
            plugin.configure("threads", count)
            self.prepare()
            self.times[name].append(timed(function))

    def check(self, what):
        mine, theirs = self._result_of(self.mine), self._result_of(self.theirs)
        if mine.dtype.kind == "f":
            same = np.allclose(mine, theirs, rtol=1e-6, atol=0)
        else:
            same = np.array_equal(mine, theirs)
        if not same:
            raise SystemExit(f"{what}: the result differs from NumPy's")


@functools.cache
def memory(dtype, count):
    return np.zeros(count, dtype)


def timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/release/backends/simd.so")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--log2", type=int, default=24, help="of the number of elements")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="an op or a layout")
    arguments = parser.parse_args()
    plugin = Plugin(arguments.library)
    operands = {dtype: layouts(dtype, arguments.log2) for dtype in ("f4", "i4")}
    count = 2 ** arguments.log2

    source, target = operands["f4"]["contiguous"][0], np.zeros(count, np.float32)
    copy = lambda: ctypes.memmove(target.ctypes.data, source.ctypes.data, target.nbytes)

    cells = []
    for op, dtype, function, attributes in OPS:
        for layout, pair in operands[dtype].items():
            if arguments.only in ("", op, layout):
                cell = Cell(plugin, op, dtype, function, attributes, layout, pair)
                for threads in (1, arguments.threads):
                    plugin.configure("threads", threads)
                    cell.check(f"{op} {dtype} {layout}")
                cells.append(cell)
    # The cells are timed round by round, so that a minute in which others use the
    # machine affects all of them.
    memcpy = []
    for round_number in range(arguments.repeat):
        print(f"\rround {round_number + 1} of {arguments.repeat}", end="", file=sys.stderr, flush=True)
        memcpy.append(timed(copy))
        for cell in cells:
            cell.time(plugin, arguments.threads, round_number % 3)
    print("", file=sys.stderr)
    report(cells, arguments, 1e3 * min(memcpy), target.nbytes)


def report(cells, arguments, memcpy, copied_bytes):
    print(f"NumPy {np.__version__}; {2 ** arguments.log2} elements; ms, medians of {arguments.repeat}")
    print(f"{'op':12} {'type':4} {'layout':11} {'NumPy':>8} {'simd':>8} {'ratio':>6} {'best':>6} "
          f"{str(arguments.threads) + ' thr.':>8} {'speedup':>7}")
    ratios, bests = [], []
    for cell in cells:
        numpy, one, all_threads = (1e3 * statistics.median(times) for times in cell.times.values())
        best = [1e3 * min(times) for times in cell.times.values()]
        ratios.append(numpy / one)
        bests.append(best[0] / best[1])
        row = (f"{cell.op:12} {cell.dtype:4} {cell.layout:11} {numpy:8.2f} {one:8.2f} {ratios[-1]:6.2f} "
               f"{bests[-1]:6.2f} {all_threads:8.2f} {best[1] / best[2]:7.2f}")
        if cell.op == "add" and cell.layout == "contiguous":
            # This is the rate of memcpy in bytes a second: the sum moves three
            # arrays, the copy two.
            row += f"  {1.5 * memcpy / best[1]:.2f} of memcpy ({2 * copied_bytes / memcpy / 1e6:.1f} GB/s)"
        print(row)
    for name, values_of in (("ratio", ratios), ("best", bests)):
        mean = math.exp(statistics.mean(map(math.log, values_of)))
        print(f"{name}: geometric mean {mean:.2f}, least {min(values_of):.2f}")


if __name__ == "__main__":
    main()
