"""The table says how a package shows the value of each policy key. A key of policy.schema.json without a row is a failure."""

from probes import *  # noqa: F403: the table reads as one text

ALWAYS = {"any": any_value}


def greater(value):
    return {value: as_expected(value), **ALWAYS}


KEYS = {
    "shift_overflow": Key(
        "shifts by the width, one more, twice as much, -1 and minus the width",
        tuple(shift_probes(INTEGERS, ("shift_left", "shift_right_logical", "shift_right_arithmetic"),
                           lambda w: [w, w + 1, 2 * w if w > 8 else 16, -1, -w])),
        {"saturate": shifted(saturated), "clamp": shifted(lambda count, w: min(max(count, 0), w - 1)),
         "mask": shifted(lambda count, w: count % w), **ALWAYS}),
    "unsigned_arithmetic_shift": Key(
        "`shift_right_arithmetic` of ui8 200 by 1, 3 and 7",
        (Probe("shift_right_arithmetic", ("ui8", "ui8"), ([200] * 3, [1, 3, 7]), "ui8"),),
        {"top_bit": shifted(saturated), "zero": shifted(saturated, lambda name: False), **ALWAYS}),
    "integer_overflow": Key(
        "sums, products, negations, absolute values and conversions beyond the range", tuple(overflows()),
        {"wrap": arithmetic, **ALWAYS}),
    "integer_divide_by_zero": Key(
        "quotients and remainders of 5, 0 and -7 by 0", tuple(divisions()),
        {"zero": by_zero(lambda x: 0, lambda x: 0), "all_ones": by_zero(lambda x: -1, lambda x: x), **ALWAYS}),
    "integer_power_negative_exponent": Key(
        "0, 1, 2, -1 and -2 to the powers of -1, -2, -3 and -100", tuple(negative_powers()),
        {"zero_but_for_units": negative_power(lambda bits: bits == 0),
         "zero_unless_unit": negative_power(lambda bits: True), **ALWAYS},
        {"zero_unless_unit": ("zero_but_for_units",)}),
    "integer_power_overflow": Key(
        "2, 3 and 10 to powers from 33 to 127 that are beyond the range", tuple(powers()),
        {"wrap": arithmetic,
         "wrap_below_64": lambda probe, i, bits: probe.operands[1][i] >= 64 or arithmetic(probe, i, bits), **ALWAYS},
        {"wrap_below_64": ("wrap",)}),
    "float_to_integer": Key(
        "NaN, infinities and numbers beyond the range, of f32 and f64, to integers of 8, 32 and 64 bits",
        tuple(out_of_range()), {"saturate": float_to_integer, **ALWAYS}),
    "inexact_conversion": Key(
        "f64 and integers just above a tie of a narrow format; 1.25 * 2^-127 to f8E8M0FNU", tuple(rounded_twice()),
        {"nearest_even": as_expected("once"), "nearest_even_or_by_f32": once_or_twice,
         "either_neighbour": once_or_twice, **ALWAYS},
        {"nearest_even_or_by_f32": ("nearest_even",), "either_neighbour": ("nearest_even", "nearest_even_or_by_f32")}),
    "sign_of_zero_operand": Key("`sign` of +0.0", tuple(zeros()),
                                {"by_example": as_expected("by_example"), "literal": as_expected("literal"),
                                 "either_zero": either_of("by_example", "literal")},
                                {"either_zero": ("by_example", "literal")}),
    "float_remainder": Key("`remainder` of 5.5 and 2 with all signs, and of 1e20 and 3", tuple(remainders()),
                           greater("fmod")),
    "total_order_equality": Key("`compare` EQ and NE, TOTALORDER, of zeros and of NaNs that differ in sign or payload",
                                tuple(total_orders()), greater("bitwise")),
    "complex_special": Key("", not_shown="it has one value"),
    "complex_overflow": Key(
        "products, quotients and exponentials of complex<f32> with parts beyond the largest value",
        tuple(complex_overflows()),
        {"by_part": overflow_by_part(False), "by_part_of_near_angles": overflow_by_part(False),
         "by_part_or_steps": overflow_by_part(True), **ALWAYS},
        {"by_part_or_steps": ("by_part", "by_part_of_near_angles")}),
    "complex_remainder": Key("", not_shown="it has one value"),
    "complex_order": Key(
        "`maximum` and `minimum` of complex numbers of which one is NaN, or that differ in the sign of a zero",
        tuple(unordered()),
        {"either_operand": either_operand(False), "either_operand_or_nan": either_operand(True), **ALWAYS},
        {"either_operand_or_nan": ("either_operand",)}),
    "complex_branch_cut": Key("`log` and `sqrt` of -4 + 0i and -4 - 0i", tuple(cuts()),
                              {"signed_zero": signed_zero, "either_side": either_side, **ALWAYS},
                              {"either_side": ("signed_zero",)}),
    "logistic_formula": Key(
        "`logistic` of -11.5 in f16, whose exp(11.5) is infinite, and of -89 in f32",
        (Probe("logistic", ("f16",), ([0xC9C0],), "f16", expect={"zero": [0]}),
         Probe("logistic", ("f32",), (floats("f32", [-89.0]),), "f32", expect={"zero": [0]})),
        {"real": lambda probe, i, bits: bits != 0, "real_or_steps": any_value}),
    "overflow_without_infinity": Key(
        "f32 twice the largest value, and infinities, to each format without infinity", tuple(overflowing()),
        {"by_format": overflow_model(FNUZ + ("f8E4M3FN",)), "saturate": overflow_model(()),
         "saturate_but_fnuz": overflow_model(FNUZ),
         "by_format_but_f6": overflow_model(FNUZ + ("f8E4M3FN",), ("f6E2M3FN", "f6E3M2FN")), **ALWAYS}),
    "nan_without_nan": Key(
        "NaNs of both signs to f4E2M1FN, f6E2M3FN and f6E3M2FN", tuple(nans_without()),
        {"zero": lambda probe, i, bits: bits == 0,
         "negative_zero": lambda probe, i, bits: bits == MINUS_ZERO[probe.result],
         "either_zero": lambda probe, i, bits: bits in (0, MINUS_ZERO[probe.result]), **ALWAYS},
        {"either_zero": ("zero", "negative_zero")}),
    "e8m0_tie": Key("1.5, 3 and 6 to f8E8M0FNU",
                    (scales([1.5, 3.0, 6.0], {"larger": [0x80, 0x81, 0x82], "even_code": [0x80, 0x80, 0x82]}),),
                    {"larger": as_expected("larger"), "even_code": as_expected("even_code"), **ALWAYS}),
    "e8m0_zero": Key(
        "0 and 2^-130 of f32 and f64 to f8E8M0FNU", tuple(tiny_scales()),
        {"smallest": as_expected("smallest"), "nan_for_zero": as_expected("nan"), "nan_for_exact_zero": exact_zero,
         **ALWAYS}, {"nan_for_exact_zero": ("nan_for_zero",)}),
    "e8m0_negative": Key("-1, -6 and minus infinity to f8E8M0FNU",
                         (scales([-1.0, -6.0, -math.inf], {"nan": [0xFF] * 3, "magnitude": [0x7F, 0x82, 0xFF]}),),
                         {"nan": as_expected("nan"), "magnitude": as_expected("magnitude"), **ALWAYS}),
    "e8m0_overflow": Key("1.5 * 2^127 and infinity to f8E8M0FNU",
                         (scales([1.5 * 2.0**127, math.inf], {"nan": [0xFF] * 2, "saturate": [0xFE] * 2}),),
                         {"nan": as_expected("nan"), "saturate": as_expected("saturate"), **ALWAYS}),
    "e8m0_least": Key("the product of 2^-127 and 1 in f8E8M0FNU",
                      (Probe("multiply", ("f8E8M0FNU",) * 2, ([0x00], [0x7F]), "f8E8M0FNU",
                             expect={"value": [0x00]}),),
                      {"value": as_expected("value"), "subnormal": any_value}, {"subnormal": ("value",)}),
    "division_by_reciprocal": Key(
        "f32 2^127 / 2^127 and infinity / 2^127",
        (Probe("divide", ("f32", "f32"), (floats("f32", [2.0**127, math.inf]), floats("f32", [2.0**127] * 2)), "f32",
               expect={"no": floats("f32", [1.0, math.inf])}),), expects("no", "allowed"), {"allowed": ("no",)}),
    "power_by_logarithm": Key(
        "f32 (-2)^2, 0^0, 1^inf and (-0)^3",
        (Probe("power", ("f32", "f32"), (floats("f32", [-2.0, 0.0, 1.0, -0.0]),
                                         floats("f32", [2.0, 0.0, math.inf, 3.0])), "f32",
               expect={"no": floats("f32", [4.0, 1.0, 1.0, -0.0])}),), expects("no", "allowed"), {"allowed": ("no",)}),
    "subnormals": Key("products, sums, maxima, minima, comparisons and roots of subnormals of f32, f64 and bf16",
                      tuple(subnormals()), expects("preserve", "flush_uniformly"),
                      {"flush_uniformly": ("preserve",)}),
    "nan_payload_in_movement": Key("`select` of quiet and signaling NaNs with payloads", tuple(payloads()),
                                   {"keep": keeps, "any_nan": keeps_nan}, {"any_nan": ("keep",)}),
    "iota_unrepresentable": Key("", not_shown="packages are asked by calls that have operands, and `iota` has none"),
    "total_order_single_nan": Key(
        "`compare`, TOTALORDER, of the NaN of the FNUZ formats and of f8E8M0FNU with numbers", tuple(single_nans()),
        {"greatest": as_expected("greatest"), "by_sign_bit": as_expected("by_sign_bit"), **ALWAYS}),
    "reduce_precision_nan": Key(
        "`reduce_precision` of NaNs of f32 and f16 with mantissa_bits = 0", tuple(nans_without_payload()),
        {"nan": nan_model, "infinity": as_expected("infinity"),
         "nan_or_infinity": lambda probe, i, bits: nan_model(probe, i, bits) or as_expected("infinity")(probe, i, bits)},
        {"nan_or_infinity": ("nan", "infinity")}),
    "reduce_precision_tie": Key(
        "`reduce_precision` of 1.5, 3 and -6 of f32 with mantissa_bits = 0", tuple(ties_of_powers()),
        {"larger": as_expected("larger"), "even_code": as_expected("even_code"),
         "either_neighbour": either_of("larger", "even_code")}, {"either_neighbour": ("larger", "even_code")}),
    "reduce_precision_exponents": Key(
        "`reduce_precision` of 8 of f8E4M3FNUZ with exponent_bits = 3", tuple(exponents_of_fnuz()),
        {"by_value": as_expected("by_value"), "by_code": as_expected("by_code"),
         "either": either_of("by_value", "by_code")}, {"either": ("by_value", "by_code")}),
    "bitcast_layout": Key("`bitcast_convert` of ui32 0x04030201 to four ui8",
                          (Probe("bitcast_convert", ("ui32",), ([0x04030201],), "ui8",
                                 expect={"little_endian": [1, 2, 3, 4]}),), greater("little_endian")),
    "broadcastable_dynamic_to_static": Key("", not_shown="a trait of MLIR's verifier, which runs nothing"),
    "broadcastable_zero": Key("", not_shown="a trait of MLIR's verifier, which runs nothing"),
    "broadcastable_runtime_mismatch": Key("", not_shown="it has one value"),
    "contraction": Key("f32 x + y * y in one function, where rounding the product gives 0", tuple(contractions()),
                       expects("no", "allowed"), {"allowed": ("no",)}),
    "excess_precision": Key("the same in bf16", tuple(excesses()), expects("no", "below_f32", "allowed"),
                            {"allowed": ("no", "below_f32"), "below_f32": ("no",)}),
    "algebraic_rewrites": Key("", not_shown="the probes are calls of elementwise ops"),
    "reduction_init": Key("", not_shown="the probes are calls of elementwise ops"),
    "reduction_order": Key("", not_shown="the probes are calls of elementwise ops"),
    "accumulation_type": Key("", not_shown="the probes are calls of elementwise ops"),
    "contraction_order": Key("", not_shown="the probes are calls of elementwise ops"),
    "dot_product_type": Key("", not_shown="the probes are calls of elementwise ops"),
    "dot_precision": Key("", not_shown="the probes are calls of elementwise ops"),
    "dot_algorithm": Key("", not_shown="it has one value"),
    "sort_equal_elements": Key("", not_shown="the probes are calls of elementwise ops"),
    "sort_without_order": Key("", not_shown="the probes are calls of elementwise ops"),
    "scatter_order": Key("", not_shown="the probes are calls of elementwise ops"),
    "broken_index_promise": Key("", not_shown="the probes are calls of elementwise ops"),
    "index_without_element": Key("", not_shown="it has one value"),
    "empty_selection_window": Key("", not_shown="the probes are calls of elementwise ops"),
    "broken_expansion_promise": Key("", not_shown="the probes are calls of elementwise ops"),
    "runtime_shape_mismatch": Key("", not_shown="it has one value"),
    "repeatable": Key("", not_shown="a package is asked once"),
    "layout_invariant": Key(
        "`exponential`, `sine`, `tanh`, `power` and `atan2` of 67 values of f32 together and of each alone",
        tuple(Probe(op, ("f32",) * n, (floats("f32", [k * 0.37 + 0.1 for k in range(67)]),) * n, "f32",
                    {"alone": True}) for op, n in (("exponential", 1), ("sine", 1), ("tanh", 1), ("power", 2), ("atan2", 2))),
        expects("alone", "counted"), {"counted": ("required",)}),
}
KEYS["layout_invariant"].models["required"] = KEYS["layout_invariant"].models.pop("alone")

# Some policies allow more than their package showed, for these reasons: (policy, key) -> reason.
WIDER = {
    ("xla", "excess_precision"): "of two conversions, to a narrower type and back, it removes both where it simplifies "
                                 "a program (xla_allow_excess_precision); the function asked here is rounded",
    ("numpy", "layout_invariant"): "vector or scalar code computes an element by where it lies, and which of the two "
                                   "has another result depends on the processor; the functions asked here agree",
    ("xla", "layout_invariant"): "vector or scalar code computes an element by where it lies, and what they have in "
                                 "common depends on the processor; the functions asked here agree",
}

# A package cannot show these keys, although it has their types.
NOT_SHOWN_BY = {
    ("numpy", "integer_power_negative_exponent"): "NumPy raises ValueError",
    ("torch", "integer_divide_by_zero"): "PyTorch raises ZeroDivisionError",
    ("torch", "e8m0_least"): "PyTorch has no arithmetic on f8E8M0FNU",
    **{(name, key): f"{text} has no total order" for name, text in (("numpy", "NumPy"), ("torch", "PyTorch"))
       for key in ("total_order_equality", "total_order_single_nan")},
    **{(name, key): f"{text} has no reduce_precision" for name, text in (("numpy", "NumPy"), ("torch", "PyTorch"))
       for key in ("reduce_precision_nan", "reduce_precision_tie", "reduce_precision_exponents")},
    ("torch", "complex_order"): "PyTorch does not compare complex numbers",
    ("torch", "nan_without_nan"): "PyTorch does not convert to formats without NaN",
}

# These are further remarks about values.
REMARKS = {
    ("numpy", "logistic_formula"): "NumPy has no logistic; 1 / (1 + exp(-x)) is composed of its functions",
    ("numpy", "nan_without_nan"): "the zero has the sign that the NaN has not",
    ("xla", "nan_without_nan"): "-0 in f4E2M1FN, a zero of the NaN's sign in f6E2M3FN and f6E3M2FN, which jaxlib 0.10 "
                                "does not have",
    ("xla", "integer_power_overflow"): "of the exponent only six bits are used; since jaxlib 0.12 an even base to a "
                                       "power of 64 and more gives 0",
    ("xla", "inexact_conversion"): "through f32 to f16 and bf16, at once to the formats of 8 bits and less",
    ("numpy", "inexact_conversion"): "f64 to f16 at once, to the formats of ml_dtypes through f32",
    ("xla", "complex_branch_cut"): "`log` follows the sign of the zero, `sqrt` does not",
    ("xla", "overflow_without_infinity"): "the zero is what jaxlib 0.12 gives; 0.10 does not have the two formats",
    ("xla", "nan_payload_in_movement"): "f8E5M2, and in jaxlib 0.10 bf16, get a NaN of their own; other types keep it",
    ("xla", "e8m0_zero"): "2^-130 of f32 gives 2^-127, of f64 NaN",
    ("xla", "subnormals"): "of f16 and of the narrower formats none is flushed; minima and maxima of bf16 compare zeros "
                           "and return operands as they are in jaxlib 0.12, which policy flush has as ways of its own",
    ("torch", "subnormals"): "unless torch.set_flush_denormal asks for it; scalar code then compares zeros and returns "
                             "operands as they are, and vector code returns zeros",
    ("torch", "float_to_integer"): "what a cast of C gives, which the text of C leaves undefined",
    ("numpy", "float_to_integer"): "what a cast of C gives, which the text of C leaves undefined",
}
