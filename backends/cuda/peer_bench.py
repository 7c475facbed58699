#!/usr/bin/env python3
"""Times the backend `cuda` beside PyTorch, torch.compile, JAX and a copy.

    peer_bench.py PATH/cuda.so [--bytes N] [--peers eager,compile,jax] [--cells GLOB]

Everything runs in one process on one GPU, so that clocks and memory are the
same; kernels are timed by CUDA events, cell after cell, and medians are
compared. A cell is checked before it is timed: the result of `cuda` must be that
of PyTorch, bit for bit for ops that are exact, within a few units in the last
place for functions. Bytes are those of the 32-byte sectors that a call reads or
writes, each counted once. The exit status is 1 if a result is wrong, or a cell
is below the required share (LEAST_OF_COPY, LEAST_OF_PEER).
"""
import argparse
import ctypes
import fnmatch
import statistics
import sys

import torch

# ------------------------------------------------------------------ The plugin


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class AssayTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("type", ctypes.c_char_p),
                ("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint64 * 2)]


class AssayAttribute(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p),
                ("value", ctypes.POINTER(AssayTensor)),
                ("reserved", ctypes.c_uint64 * 2)]


class AssayCall(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("op", ctypes.c_char_p),
                ("num_inputs", ctypes.c_int32),
                ("inputs", ctypes.POINTER(AssayTensor)),
                ("num_outputs", ctypes.c_int32),
                ("outputs", ctypes.POINTER(AssayTensor)),
                ("num_attributes", ctypes.c_int32),
                ("attributes", ctypes.POINTER(AssayAttribute)),
                ("num_regions", ctypes.c_int32), ("regions", ctypes.c_void_p)]


RUN = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(AssayCall),
                       ctypes.c_char_p, ctypes.c_size_t)


class AssayBackend(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("major", ctypes.c_uint32),
                ("minor", ctypes.c_uint32), ("name", ctypes.c_char_p),
                ("version", ctypes.c_char_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32),
                ("capabilities", ctypes.c_uint64),
                ("over_read", ctypes.c_uint64), ("configure", ctypes.c_void_p),
                ("run", RUN)]


TYPES = {torch.float32: ("f32", 2, 32), torch.bfloat16: ("bf16", 4, 16),
         torch.float16: ("f16", 2, 16), torch.int32: ("i32", 0, 32),
         torch.int8: ("i8", 0, 8), torch.bool: ("i1", 6, 8),
         torch.float64: ("f64", 2, 64), torch.float8_e4m3fn: ("f8E4M3FN", 10, 8)}


class View:
    """An operand of a call: a tensor of PyTorch, or a reversed one."""

    def __init__(self, tensor, reverse=False):
        self.tensor, self.reverse = tensor, reverse
        self.dtype, self.shape = tensor.dtype, tuple(tensor.shape)

    def strides(self):
        strides = list(self.tensor.stride())
        if self.reverse:
            strides[-1] = -strides[-1]
        return strides

    def address(self):
        address = self.tensor.data_ptr()
        if self.reverse:
            address += (self.shape[-1] - 1) * self.tensor.stride(-1) * self.tensor.element_size()
        return address

    def sectors(self):
        """Returns the bytes of the sectors that its elements lie in."""
        size = self.tensor.element_size()
        dims = sorted((abs(s), n) for s, n in zip(self.strides(), self.shape)
                      if n > 1 and s != 0)
        run, count = 1, 1
        for stride, n in dims:
            if stride == run:
                run *= n
            else:
                count *= n
        return count * max(32, run * size) if run * size < 32 else count * run * size


class Plugin:
    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.assay_backend.restype = ctypes.POINTER(AssayBackend)
        self.backend = library.assay_backend().contents

    def call(self, op, inputs, output, attributes=()):
        keep = []

        def tensor(view):
            name, code, bits = TYPES[view.dtype]
            n = len(view.shape)
            shape = (ctypes.c_int64 * n)(*view.shape)
            strides = (ctypes.c_int64 * n)(*view.strides())
            text = "tensor<%s%s>" % ("".join("%dx" % d for d in view.shape), name)
            address = view.address()
            keep.extend([shape, strides])
            return AssayTensor(DLTensor(address // 256 * 256, 2, 0, n, code, bits, 1,
                                        shape, strides, address % 256),
                               text.encode(), 0)
        ins = (AssayTensor * len(inputs))(*[tensor(v) for v in inputs])
        outs = (AssayTensor * 1)(tensor(output))
        attrs = (AssayAttribute * max(1, len(attributes)))(
            *[AssayAttribute(k.encode(), v.encode(), None) for k, v in attributes])
        call = AssayCall(ctypes.sizeof(AssayCall), op.encode(), len(inputs), ins, 1,
                         outs, len(attributes), attrs, 0, None)
        message = ctypes.create_string_buffer(512)
        run = self.backend.run
        keep.extend([ins, outs, attrs, call])

        def go(_keep=keep):
            status = run(ctypes.byref(call), message, 512)
            if status != 0:
                raise RuntimeError("%s: status %d: %s" % (op, status, message.value.decode()))
        return go


# ----------------------------------------------------------------------- Cells

# Each op has its ABI name, the number and type of its operands, the type of the
# result, attributes, PyTorch's function, and how many units in the last place the
# two may differ.
OPS = {
    "add f32": ("add", 2, torch.float32, None, (), torch.add, 0),
    "add bf16": ("add", 2, torch.bfloat16, None, (), torch.add, 0),
    "compare f32": ("compare", 2, torch.float32, torch.bool,
                    (("comparison_direction", "LT"), ("compare_type", "FLOAT")), torch.lt, 0),
    "exponential f32": ("exponential", 1, torch.float32, None, (), torch.exp, 2),
    "exponential bf16": ("exponential", 1, torch.bfloat16, None, (), torch.exp, 1),
    "convert f32->bf16": ("convert", 1, torch.float32, torch.bfloat16, (),
                          lambda x: x.to(torch.bfloat16), 0),
    "convert f32->f8E4M3FN": ("convert", 1, torch.float32, torch.float8_e4m3fn, (),
                              lambda x: x.to(torch.float8_e4m3fn), 0),
    "multiply f32": ("multiply", 2, torch.float32, None, (), torch.mul, 0),
    "shift_left i32": ("shift_left", 2, torch.int32, None, (), torch.bitwise_left_shift, 0),
    "select f32": ("select", 3, torch.float32, None, (), torch.where, 0),
    "tanh f32": ("tanh", 1, torch.float32, None, (), torch.tanh, 4),
    "power f32": ("power", 2, torch.float32, None, (), torch.pow, 6),
}
# These ops are compared with all peers; the others are compared with eager
# only.
PEER_OPS = ["add f32", "add bf16", "compare f32", "exponential f32", "exponential bf16",
            "convert f32->bf16"]
PEER_LAYOUTS = ["contiguous", "transposed", "outer", "permuted"]
LAYOUTS = PEER_LAYOUTS + ["row", "slice", "reversed", "in_place"]
# These ops are limited by arithmetic: they are checked and timed, but not
# compared with a copy.
ARITHMETIC_OPS = ["power f32"]
# These are the required shares of the speed of the copy, and of the best peer.
LEAST_OF_COPY = {"contiguous": 0.97}
LEAST_OF_COPY_ELSE = 0.90
LEAST_OF_PEER = 0.95


# A cell that moves fewer bytes than the copy is given more rows, because the
# start and the end of a launch would be a larger part of its time.
LEAST_BYTES = 1 << 30


def draw(shape, dtype):
    count = 1
    for n in shape:
        count *= n
    if dtype == torch.bool:
        return torch.randint(0, 2, (count,), device="cuda", dtype=torch.uint8).view(torch.bool).view(shape)
    if dtype == torch.int32:
        # These integers serve as numbers and as counts of bits.
        return torch.randint(-8, 40, (count,), device="cuda", dtype=torch.int32).view(shape)
    return torch.randn(count, device="cuda", dtype=torch.float32).to(dtype).view(shape)


def operands(layout, types, out_type, rows, columns):
    """Returns the inputs and the output as views."""
    shape = (rows, columns)
    arity = len(types)
    if layout == "permuted":
        a, b, c = 64, 32, 64
        d = rows * columns // (a * b * c)
        shape = (a, b, c, d)
    make = lambda t, s=shape: View(draw(s, t))
    if layout == "contiguous" or layout == "in_place":
        inputs = [make(t) for t in types]
    elif layout == "transposed":
        inputs = [make(t) for t in types]
        # The last operand is transposed.
        inputs[-1] = View(draw((columns, rows), types[-1]).t())
    elif layout == "outer":
        inputs = [make(t) for t in types]
        inputs[-1] = View(draw((1, columns), types[-1]).expand(shape))
        if arity > 1:
            inputs[0] = View(draw((rows, 1), types[0]).expand(shape))
    elif layout == "permuted":
        inputs = [make(t) for t in types]
        a, b, c, d = shape
        inputs[-1] = View(draw((a, c, b, d), types[-1]).permute(0, 2, 1, 3))
    elif layout == "row":
        inputs = [make(t) for t in types]
        inputs[-1] = View(draw((1, columns), types[-1]).expand(shape))
    elif layout == "slice":
        inputs = [View(draw((rows, columns + 64), t)[:, 32:32 + columns]) for t in types]
    elif layout == "reversed":
        inputs = [View(draw(shape, t), reverse=True) for t in types]
    if layout == "in_place" and types[-1] == out_type:
        return inputs, inputs[-1]
    output = torch.empty(shape, device="cuda", dtype=torch.uint8 if out_type == torch.bool else out_type)
    return inputs, View(output.view(out_type))


def bytes_of(inputs, output):
    return sum(v.sectors() for v in inputs) + output.sectors()


def peer_operands(inputs):
    """PyTorch has no negative strides."""
    return [v.tensor.flip(-1) if v.reverse else v.tensor for v in inputs]


def ordered(tensor):
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32}[tensor.element_size()]
    key = tensor.contiguous().view(bits).to(torch.int64)
    top = 1 << (8 * tensor.element_size() - 1)
    return torch.where(key < 0, -(key + top), key)


def judge(result, expected, units):
    if result.dtype == torch.float8_e4m3fn:
        result, expected = result.view(torch.uint8), expected.view(torch.uint8)
    if result.dtype in (torch.bool, torch.uint8, torch.int32) or units == 0:
        same = (result == expected) | ((result != result) & (expected != expected))
        wrong = int((~same).sum())
        return "" if wrong == 0 else "%d elements differ" % wrong
    worst = 0
    for part_r, part_e in zip(result.reshape(-1).split(1 << 24), expected.reshape(-1).split(1 << 24)):
        nan = (part_r != part_r) & (part_e != part_e)
        distance = (ordered(part_r) - ordered(part_e)).abs()
        distance[nan] = 0
        worst = max(worst, int(distance.max()))
    return "" if worst <= units else "off by %d units" % worst


# ---------------------------------------------------------------------- Timing


def seconds(run, rounds=9, repeat=3):
    run()
    torch.cuda.synchronize()
    samples = []
    for _ in range(rounds):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record(torch.cuda.default_stream())
        for _ in range(repeat):
            run()
        end.record(torch.cuda.default_stream())
        end.synchronize()
        samples.append(start.elapsed_time(end) / 1e3 / repeat)
    return statistics.median(samples)


def eager_peer(op, function, inputs, output):
    """Returns a call of PyTorch's op that writes a result of the plugin's layout.

    By itself, PyTorch gives the result of an op on one operand that operand's
    layout, and has nothing to transpose.
    """
    y = output.tensor
    if op == "convert":
        return lambda: y.copy_(inputs[0])
    return lambda: function(*inputs, out=y)


def jax_peer(op):
    import jax
    import jax.numpy as jnp
    functions = {"add": jnp.add, "compare": jnp.less, "exponential": jnp.exp,
                 "convert": lambda x: x.astype(jnp.bfloat16)}
    return jax, functions[op]


def time_jax(op, layout, inputs):
    """Returns the time of JAX's function.

    JAX has row-major arrays only: the layout is part of the program.
    """
    jax, function = jax_peer(op)
    import jax.numpy as jnp
    arrays = []
    for v in inputs:
        base = v.tensor
        if layout == "transposed" and not base.is_contiguous() and v is inputs[-1]:
            arrays.append((base.t(), "t"))
        elif layout == "permuted" and v is inputs[-1]:
            arrays.append((base.permute(0, 2, 1, 3), "p"))
        elif layout in ("outer", "row") and 0 in base.stride():
            arrays.append((base[:, :1] if base.stride(1) == 0 else base[:1], "b"))
        else:
            arrays.append((base, ""))
    shape = inputs[0].shape
    kinds = [k for _, k in arrays]

    def program(*xs):
        turned = []
        for x, kind in zip(xs, kinds):
            if kind == "t":
                x = x.T
            elif kind == "p":
                x = x.transpose(0, 2, 1, 3)
            elif kind == "b":
                x = jnp.broadcast_to(x, shape)
            turned.append(x)
        return function(*turned)
    jitted = jax.jit(program)
    xs = [jax.dlpack.from_dlpack(t.contiguous()) for t, _ in arrays]
    jax.block_until_ready(jitted(*xs))
    import time
    samples = []
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(4):
            y = jitted(*xs)
        jax.block_until_ready(y)
        samples.append((time.perf_counter() - begin) / 4)
    return statistics.median(samples)


def expectation(op, function, inputs):
    if op == "shift_left":
        a, b = inputs
        return torch.where((b >= 0) & (b < 32), a << b.clamp(0, 31), 0)
    return function(*inputs)


def summarise(cells):
    """Prints which cells are below the required share, and how cells compare with eager.
    Returns how many are below."""
    memory = [c for c in cells if c[0] not in ARITHMETIC_OPS]
    low = 0
    for name, layout, ours, shares in memory:
        least = LEAST_OF_COPY.get(layout, LEAST_OF_COPY_ELSE)
        is_peer = name in PEER_OPS and layout in PEER_LAYOUTS
        best = max(shares.values(), default=0) if is_peer else 0
        if ours < least or ours < LEAST_OF_PEER * best:
            low += 1
            print("below: %s/%s: %.3f of the copy (%.2f), %.3f of the best peer (%.2f)" % (
                name, layout, ours, least, ours / best if best else 0, LEAST_OF_PEER))
    print("%d of %d cells below what is asked for" % (low, len(memory)))
    for what, layouts, ops in (("peers' strided and broadcast", PEER_LAYOUTS[1:], PEER_OPS),
                               ("all strided and broadcast", LAYOUTS[1:-1], list(OPS))):
        ratios = [c[2] / c[3]["eager"] for c in memory
                  if c[0] in ops and c[1] in layouts and "eager" in c[3]]
        if ratios:
            print("geometric mean of %d %s cells: %.2f times PyTorch eager" % (
                len(ratios), what, statistics.geometric_mean(ratios)))
    return low


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plugin")
    parser.add_argument("--elements", type=int, default=1 << 27)
    parser.add_argument("--peers", default="eager,compile,jax")
    parser.add_argument("--cells", default="*", help="globs over 'op type/layout', comma-separated")
    args = parser.parse_args()
    peers = [p for p in args.peers.split(",") if p]
    patterns = args.cells.split(",")
    plugin = Plugin(args.plugin)
    torch.manual_seed(7)
    rows, columns = 8192, args.elements // 8192
    source = torch.empty(args.elements * 4, device="cuda", dtype=torch.uint8)
    target = torch.empty_like(source)
    copy = lambda: target.copy_(source)
    copy_rate = 2 * source.numel() / seconds(copy, 15)
    print("%s, %d elements; copy of %d MiB: %.0f GB/s" % (
        torch.cuda.get_device_name(), args.elements, source.numel() >> 20, copy_rate / 1e9))
    print("%-24s %-11s %9s %6s" % ("op", "layout", "GB/s", "copy") +
          "".join("%10s" % p for p in peers) + "   (shares of the copy)")
    failed, cells = False, []
    for name, (op, arity, in_type, out_type, attributes, function, units) in OPS.items():
        for layout in LAYOUTS:
            if not any(fnmatch.fnmatch("%s/%s" % (name, layout), p) for p in patterns):
                continue
            types = [in_type] * arity
            if op == "select":
                types[0] = torch.bool
            try:
                cell = lambda n: operands(layout, types, out_type or in_type, n, columns)
                inputs, output = cell(rows)
                moved = bytes_of(inputs, output)
                if moved < LEAST_BYTES:
                    inputs = output = None
                    inputs, output = cell(rows * -(-LEAST_BYTES // moved))
                    moved = bytes_of(inputs, output)
                go = plugin.call(op, inputs, output, attributes)
                peer_in = peer_operands(inputs)
                with torch.no_grad():
                    expected = expectation(op, function, peer_in)
                    go()
                    torch.cuda.synchronize()
                    wrong = judge(output.tensor, expected, units)
                    del expected
                    if wrong:
                        print("%-24s %-11s not measured: %s" % (name, layout, wrong))
                        failed = True
                        continue
                    ours = moved / seconds(go) / copy_rate
                    line = "%-24s %-11s %9.0f %6.3f" % (name, layout, ours * copy_rate / 1e9, ours)
                    shares = {}
                    for peer in peers:
                        if peer == "eager":
                            if layout == "reversed":
                                continue
                            run = eager_peer(op, function, peer_in, output)
                            rate = moved / seconds(run)
                        elif name not in PEER_OPS or layout not in PEER_LAYOUTS:
                            continue
                        elif peer == "compile":
                            torch._dynamo.reset()
                            compiled = torch.compile(lambda *xs: function(*xs).contiguous())
                            rate = moved / seconds(lambda: compiled(*peer_in))
                        else:
                            rate = moved / time_jax(op, layout, inputs)
                        shares[peer] = rate / copy_rate
                    print(line + "".join("%10.3f" % shares[p] if p in shares else "%10s" % ""
                                         for p in peers), flush=True)
                cells.append((name, layout, ours, shares))
            except RuntimeError as error:
                print("%-24s %-11s failed: %s" % (name, layout, str(error).split("\n")[0][:150]))
                failed = True
            inputs = output = peer_in = go = run = compiled = None
            torch.cuda.empty_cache()
    low = summarise(cells)
    return 1 if failed or low else 0


if __name__ == "__main__":
    sys.exit(main())
