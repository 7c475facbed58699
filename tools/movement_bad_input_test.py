#!/usr/bin/env python3
"""Indices of a wrong shape, sizes beyond 63 bits or beyond memory, and loops without an end do no harm.

Each is an error of one line with file and place, or the outcome that the suite has for it.
Usage: movement_bad_input_test.py ASSAY
This test is run by .ci/run on the build without sanitizers.
"""
import json
import resource
import unittest

from command_test_support import CommandTest, assay

TWO_32 = 2**32
TWO_40 = 2**40
LARGEST = 2**63 - 1
WIDE = f"{TWO_32}x{TWO_32}x"  # 2^64 elements
OVERFLOWS = "its size overflows 63 bits"
BATCHING = {"operand_batching_dims": [], "start_indices_batching_dims": []}
GATHER = {"offset_dims": [1, 2], "collapsed_slice_dims": [], "start_index_map": [0], "index_vector_dim": 1,
          "indices_are_sorted": False}
SCATTER = {"update_window_dims": [], "inserted_window_dims": [0], "input_batching_dims": [],
           "scatter_indices_batching_dims": [], "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1,
           "indices_are_sorted": False, "unique_indices": False,
           "update_computation": "^bb0(%a: tensor<i8>, %b: tensor<i8>): stablehlo.return %b : tensor<i8>"}
TURNS = "^bb0(%a: tensor<i1>): %b = stablehlo.not %a : tensor<i1> stablehlo.return %b : tensor<i1>"
ALWAYS = "^bb0(%a: tensor<i1>): %c = stablehlo.constant dense<true> : tensor<i1> stablehlo.return %c : tensor<i1>"


def tensor(shape_and_type, data=None):
    return {"type": f"tensor<{shape_and_type}>"} | ({} if data is None else {"data": data})


SQUARE = tensor("4x4xi8", list(range(16)))
FOUR = tensor("4xi8", [1, 2, 3, 4])
ZERO = tensor("i8", [0])


def case(inputs, result=None, **more):
    outputs = {} if result is None else {"outputs": {"result": {"type": f"tensor<{result}>"}}}
    return {"inputs": inputs, **outputs, **more}


def gather(indices, sizes, operand=SQUARE, **more):
    return {"operand": operand, "start_indices": indices, **GATHER, **BATCHING, "slice_sizes": sizes, **more}


def dynamic_gather(indices, sizes, operand=SQUARE):
    return {"operand": operand, "start_indices": indices, **GATHER, "slice_sizes": sizes}


def scatter(indices, updates, **more):
    return {"inputs": [FOUR], "scatter_indices": indices, "updates": [updates], **SCATTER, **more}


def pad(operand, low, high, interior):
    return {"operand": operand, "padding_value": ZERO, "edge_padding_low": low, "edge_padding_high": high,
            "interior_padding": interior}


def loop(cond, body):
    return {"inputs": {"operand": [tensor("i1", [True])], "cond": cond, "body": body},
            "outputs": {"results": [{"type": "tensor<i1>"}]}}


class MovementBadInputTest(CommandTest):
    def cases(self, op, *cases):
        return self.write("bad.json", json.dumps({"op": op, "cases": [
            {"id": f"c{i}", **case} for i, case in enumerate(cases)]}))

    def run_file(self, file, *arguments):
        return assay("run", "--backend", "simd", "--jobs", "1", "--memory", "1G", "--cases", file, *arguments)

    def expect_error(self, file, place, reason):
        """The run ends with one line that names the file and the place; lint names them, too."""
        run = self.run_file(file)
        said = f"{place}: {reason}: exit {run.returncode}, {run.stderr[-500:]}"
        self.assertEqual(run.returncode, 2, said)
        self.assertEqual(run.stderr.count("\n"), 1, said)
        self.assertIn(f"bad.json#{place}: ", run.stderr, said)
        self.assertIn(reason, run.stderr, said)
        lint = assay("lint", "--memory", "1G", file)
        said = f"{place}: {reason}: exit {lint.returncode}, {(lint.stdout + lint.stderr)[-500:]}"
        self.assertIn(lint.returncode, (1, 2), said)
        self.assertIn(f"bad.json: {place}: ", lint.stdout + lint.stderr, said)

    def test_indices_of_a_wrong_shape(self):
        two = tensor("1x2xi32", [0, 0])
        scalar = tensor("i64", [0])
        calls = [
            ("gather", "C3", case(gather(two, [1, 1]))),
            ("gather", "C2", case(gather(tensor("i32", [0]), [1, 1], offset_dims=[0, 1]), "1x1xi8")),
            ("gather", "C22", case(gather(tensor("3x1xi32", [0, 0, 0]), [1, 1]), "2x1x1xi8")),
            ("dynamic_gather", "C3", case(dynamic_gather(two, tensor("2xi64", [1, 1])), "1x1x1xi8")),
            ("dynamic_gather", "C11",
             case(dynamic_gather(tensor("1x1xi32", [0]), tensor("3xi64", [1, 1, 1])), "1x1x1xi8")),
            ("scatter", "C19", case(scatter(two, tensor("1xi8", [1])))),
            ("scatter", "C4", case(scatter(tensor("2x1xi32", [0, 0]), tensor("3xi8", [1, 2, 3])))),
            ("dynamic_slice", "C2", case({"operand": SQUARE, "start_indices": [scalar], "slice_sizes": [1, 1]})),
            ("dynamic_slice", "I2",
             case({"operand": SQUARE, "start_indices": [tensor("1xi64", [0])] * 2, "slice_sizes": [1, 1]})),
            ("dynamic_update_slice", "C4",
             case({"operand": SQUARE, "update": tensor("1x1xi8", [1]), "start_indices": [scalar] * 3})),
            ("dynamic_update_slice", "I3",
             case({"operand": SQUARE, "update": tensor("1x1xi8", [1]), "start_indices": [tensor("1xi64", [0])] * 2})),
        ]
        for op, label, call in calls:
            self.expect_error(self.cases(op, call), "/cases/0", f"violates {op}/{label}")

    def test_a_type_of_more_elements_than_63_bits(self):
        wide = tensor("2xi64", [TWO_32, TWO_32])
        one = tensor("1x1xi32", [0])
        result = "/cases/0/outputs/result/type"
        calls = [
            ("gather", result, case(gather(one, [TWO_32, TWO_32]), f"1x{WIDE}i8")),
            ("gather", "/cases/0/inputs/operand/type", case(gather(one, [1, 1], operand=tensor(f"{WIDE}i8", [])))),
            ("dynamic_gather", result, case(dynamic_gather(one, wide), f"1x{WIDE}i8")),
            ("dynamic_iota", result, case({"output_shape": wide, "iota_dimension": 0}, f"{WIDE}i8")),
            ("dynamic_reshape", result, case({"operand": tensor("0xi8", []), "output_shape": wide}, f"{WIDE}i8")),
            ("dynamic_broadcast_in_dim", result,
             case({"operand": ZERO, "output_dimensions": wide, "broadcast_dimensions": []}, f"{WIDE}i8")),
            ("dynamic_pad", result, case(pad(tensor("2x2xi8", [1, 2, 3, 4]), *[tensor("2xi64", [0, 0])] * 2,
                                             tensor("2xi64", [TWO_32 - 2] * 2)), f"{WIDE}i8")),
            ("dynamic_slice", result,
             case({"operand": SQUARE, "start_indices": [ZERO] * 2, "slice_sizes": [TWO_32] * 2}, f"{WIDE}i8")),
            ("dynamic_update_slice", "/cases/0/inputs/update/type",
             case({"operand": SQUARE, "update": tensor(f"{WIDE}i8", []), "start_indices": [ZERO] * 2})),
            ("scatter", "/cases/0/inputs/updates/0/type",
             case(scatter(tensor(f"{WIDE}0xi32", []), tensor(f"{WIDE}i8", []), scatter_dims_to_operand_dims=[],
                          index_vector_dim=2))),
        ]
        for op, place, call in calls:
            self.expect_error(self.cases(op, call), place, OVERFLOWS)

    def test_an_inferred_type_of_more_elements_than_63_bits(self):
        one = tensor("1x1xi32", [0])
        small = tensor("2x2xi8", [1, 2, 3, 4])
        wide = pad(small, [0, 0], [0, 0], [TWO_32 - 2] * 2)
        none = {"start_index_map": [], "index_vector_dim": 2, "offset_dims": [2, 3]}
        calls = [
            ("gather", "/cases/0", case(gather(one, [TWO_32, TWO_32]))),
            ("gather", "/cases/0", case(gather(tensor(f"{WIDE}0xi32", []), [4, 4], **none))),
            ("dynamic_slice", "/cases/0",
             case({"operand": SQUARE, "start_indices": [ZERO] * 2, "slice_sizes": [TWO_32] * 2})),
            ("pad", "/cases/0", case(wide)),
            ("pad", "/cases/0/program/0", {"inputs": {"x": small}, "program": [
                {"op": "pad", "inputs": {**wide, "operand": "x"}, "outputs": {"result": {"name": "r"}}}]}),
        ]
        for number, (op, place, call) in enumerate(calls):
            with self.subTest(number=number, op=op):
                self.expect_error(self.cases(op, call), place, "63 bits")

    def test_a_violation_by_sizes_beyond_63_bits(self):
        """A case whose result has no type cannot be asked, whatever it violates."""
        call = case(gather(tensor("1x1xi32"), [TWO_32, TWO_32], operand=tensor("4x4xi8")), expect={"violates": "C21"})
        self.expect_error(self.cases("gather", call), "/cases/0", "63 bits")

    def test_a_dimension_of_more_than_63_bits(self):
        half = tensor(f"0x{2**62}xi8", [])
        reason = "the type of output 'result' is not inferred"
        self.expect_error(self.cases("concatenate", case({"inputs": [half, half], "dimension": 1})), "/cases/0", reason)
        self.expect_error(self.cases("pad", case(pad(tensor("0x3xi8", []), [0, 0], [0, 0], [0, LARGEST]))), "/cases/0",
                          reason)
        # 2^62 + 2^62 - 1 is the largest dimension, and no element needs memory.
        largest = case({"inputs": [half, tensor(f"0x{2**62 - 1}xi8", [])], "dimension": 1})
        run = self.run_file(self.cases("concatenate", largest))
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)

    def test_padding_whose_sum_has_more_than_64_bits_is_not_valid(self):
        # 3 + 2 (2^63 - 1) is 1 modulo 2^64.
        for paddings in (([LARGEST], [LARGEST], [0]), ([0], [0], [LARGEST])):
            call = pad(tensor("3xi8", [1, 2, 3]), *paddings)
            types = {**call, "operand": tensor("3xi8"), "padding_value": tensor("i8")}
            with self.subTest(paddings=paddings, judged_by="spec"):
                file = self.cases("pad", case(types, "1xi8", expect={"violates": "C4"}))
                run = assay("run", "--backend", "spec", "--cases", file)
                self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
            with self.subTest(paddings=paddings, judged_by="simd"):
                self.expect_error(self.cases("pad", case(call, "1xi8")), "/cases/0", "pad/C4")

    def test_sizes_that_are_operands_decide_nothing_where_they_contradict_the_type(self):
        """What such a call does is open, whatever the sizes are: it is judged as one, and nothing ends."""
        for sizes in ([TWO_32, TWO_32], [LARGEST, LARGEST], [-LARGEST - 1, -LARGEST - 1]):
            shape = tensor("2xi64", sizes)
            calls = [
                ("dynamic_iota", {"output_shape": shape, "iota_dimension": 0}),
                ("dynamic_reshape", {"operand": FOUR, "output_shape": shape}),
                ("dynamic_broadcast_in_dim", {"operand": ZERO, "output_dimensions": shape, "broadcast_dimensions": []}),
            ]
            for op, inputs in calls:
                run = self.run_file(self.cases(op, case(inputs, "2x2xi8")))
                self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
                self.assertIn("4 of 4 elements, whole or in part, because an open clause decides them", run.stdout)
            file = self.cases("dynamic_gather", case(dynamic_gather(tensor("1x1xi32", [0]), shape), "1x2x2xi8"))
            self.expect_error(file, "/cases/0", "violates dynamic_gather/C12")

    def test_announced_memory(self):
        many = f"{TWO_40}x"
        scattered = [scatter(tensor(f"{many}1xi32", data), tensor(f"{many}i8", data)) for data in (None, [])]
        drawn = {"draw": {"seed": 1, "profile": "uniform"}}
        scattered.append(scatter(tensor(f"{many}1xi32") | drawn, tensor(f"{many}i8") | drawn))
        none = scatter(tensor(f"{many}0xi32", []), tensor(f"{many}i8") | drawn, scatter_dims_to_operand_dims=[])
        grown = {"op": "pad", "inputs": pad(FOUR, [0], [0], [2**39]) | {"operand": "x"},
                 "outputs": {"result": {"name": "r"}}}
        calls = [
            *[("scatter", "/cases/0/inputs/scatter_indices", case(inputs)) for inputs in scattered],
            ("scatter", "/cases/0/inputs/updates/0", case(none)),
            ("gather", "/cases/0", case(gather(tensor(f"{many}0xi32", []), [4, 4], start_index_map=[]))),
            ("iota", "/cases/0",
             {"inputs": {"iota_dimension": 0}, "outputs": {"output": {"type": f"tensor<{many}i8>"}}}),
            ("broadcast_in_dim", "/cases/0", case({"operand": ZERO, "broadcast_dimensions": []}, f"{many}i8")),
            ("pad", "/cases/0", case(pad(FOUR, [0], [0], [2**39]))),
            ("pad", "/cases/0/program/0", {"inputs": {"x": FOUR}, "program": [grown]}),
        ]
        for op, place, call in calls:
            self.expect_error(self.cases(op, call), place, "--memory allows")
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of all commands so far, in KiB
        self.assertLess(largest, 500 << 10)

    def test_text(self):
        wide = f"tensor<{WIDE}i8>"
        file = self.write("wide.mlir", f"""func.func @main(%x: tensor<2x2xi8>, %p: tensor<i8>) -> {wide} {{
  %r = stablehlo.pad %x, %p, low = [0, 0], high = [0, 0], interior = [4294967294, 4294967294] :
    (tensor<2x2xi8>, tensor<i8>) -> {wide}
  return %r : {wide}
}}
""")
        run = self.run_file(file)
        self.assertEqual(run.returncode, 2, run.stderr + run.stdout)
        self.assertRegex(run.stderr, r"wide[.]mlir:1:\d+: the size of a tensor overflows 63 bits\n$")
        types = f"tensor<4xi8>, tensor<{TWO_40}x1xi32>, tensor<{TWO_40}xi8>"
        x, i, u = types.split(", ")
        file = self.write("many.mlir", f"""func.func @main(%x: {x}, %i: {i}, %u: {u}) -> {x} {{
  %r = "stablehlo.scatter"(%x, %i, %u) ({{
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    stablehlo.return %b : tensor<i8>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
     index_vector_dim = 1>}} : ({types}) -> {x}
  return %r : {x}
}}
""")
        run = self.run_file(file)
        self.assertEqual(run.returncode, 4, run.stderr + run.stdout)
        self.assertRegex(run.stdout + run.stderr,
                         r"many[.]mlir:1:1: the tensors of the case take more than \d+ bytes\n")

    def test_a_loop_without_an_end(self):
        same = "^bb0(%a: tensor<i1>): stablehlo.return %a : tensor<i1>"
        inner = f'%r = "stablehlo.while"(%z) ({{ {ALWAYS} }}, {{ {TURNS} }}) : (tensor<i1>) -> tensor<i1> '
        inner += "stablehlo.return %r : tensor<i1>"
        branch = (f'%s = "stablehlo.if"(%z) ({{ {inner} }}, {{ stablehlo.return %z : tensor<i1> }}) : '
                  "(tensor<i1>) -> tensor<i1> stablehlo.return %s : tensor<i1>")
        argument = "^bb0(%z: tensor<i1>): "
        endless = [loop(ALWAYS, TURNS), loop(ALWAYS, same), loop(ALWAYS, argument + inner),
                   loop(same, argument + branch)]
        file = self.cases("while", *endless, loop(same, TURNS))
        out = self.path("out.jsonl")
        run = self.run_file(file, "--fuel", "1000", "--out", out)
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        self.assertIn("4  out_of_fuel: more than 1000 steps (--fuel): a loop without an end is TBD", run.stdout)
        with open(out, encoding="utf-8") as lines:
            outcomes = [line["outcome"] for line in map(json.loads, lines) if line["kind"] == "result"]
        self.assertEqual(outcomes, ["out_of_fuel"] * 4 + ["pass"])
        # Alone it is a run in which nothing was judged, with the steps that there are if nobody says how many.
        run = self.run_file(self.cases("while", loop(ALWAYS, TURNS)))
        self.assertEqual(run.returncode, 4, run.stderr + run.stdout)
        self.assertIn("out_of_fuel: more than 65536 steps", run.stdout)


if __name__ == "__main__":
    unittest.main()
