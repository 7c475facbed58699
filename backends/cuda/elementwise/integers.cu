// This file has the kernels of integers, truth values, and all ops that treat
// elements as bits.
#include <string.h>

#include "backends/cuda/core/formats.h"
#include "backends/cuda/core/kernel_set.h"
#include "backends/cuda/elementwise/comparison_ops.h"
#include "backends/cuda/elementwise/integer_ops.h"

namespace assay::cuda {
namespace {

using calls::Kind;
using calls::Signature;
using calls::Type;

template <class U>
using Unary = SameType<BitStorage<U>, BitUnary, false>;
template <class U>
using Binary = SameType<BitStorage<U>, BitBinary, false>;
template <class U>
using Ternary = SameType<BitStorage<U>, BitTernary, false>;
template <class U>
using Comparisons = SameType<KeyStorage<U>, BitComparisons, false, uint8_t>;
template <class U>
using Divisions = SameType<BitStorage<U>, DivisionOps, true>;
template <class U>
using Tests = SameType<BitStorage<U>, BitTests, false, uint8_t>;

// A Pair is a complex number, whose parts are aligned but not the whole.
template <class T>
struct Pair {
  T parts[2];
};

template <class T>
struct PairStorage {
  using Raw = Pair<T>;
  using Value = Raw;
  static constexpr bool kTilesArithmetic = true;
  static constexpr bool kTilesFunctions = false;
  ASSAY_DEVICE static Raw ToValue(Raw raw, const Parameters&) { return raw; }
  ASSAY_DEVICE static Raw ToRaw(Raw value, const Parameters&) { return value; }
};

template <class T>
using PairMoves = SameType<PairStorage<T>, OpList<BitCopy>, false>;

// Finds the function in the group for this width.
template <template <class> class Group>
Function FindByWidth(int width, std::string_view name, int num_inputs,
                     const Parameters& p) {
  switch (width) {
    case 0:
      return FunctionOf<Group<uint8_t>>(name, num_inputs, p);
    case 1:
      return FunctionOf<Group<uint16_t>>(name, num_inputs, p);
    case 2:
      return FunctionOf<Group<uint32_t>>(name, num_inputs, p);
    case 3:
      return FunctionOf<Group<uint64_t>>(name, num_inputs, p);
    default:
      return {};
  }
}

Function FindBits(int width, std::string_view name, int num_inputs,
                  const Parameters& p) {
  if (num_inputs == 1) return FindByWidth<Unary>(width, name, 1, p);
  if (num_inputs == 2) return FindByWidth<Binary>(width, name, 2, p);
  return FindByWidth<Ternary>(width, name, num_inputs, p);
}

bool IsInteger(const Type& type) {
  return type.kind == Kind::kSigned || type.kind == Kind::kUnsigned;
}

// Returns whether all operands and the result are of one type.
bool HasOneType(const Signature& signature) {
  for (int k = 0; k < signature.num_inputs; ++k) {
    if (signature.inputs[k] != signature.output) return false;
  }
  return signature.num_inputs > 0;
}

Parameters IntegerParameters(const Type& type) {
  Parameters p = {};
  p.bits = type.kind == Kind::kBool ? 1 : type.bits;
  p.limit = ~uint64_t{0} >> (64 - p.bits);
  p.cleared = type.bits < 8 ? 0xFFu & ~static_cast<uint32_t>(p.limit) : 0;
  if (type.kind == Kind::kSigned) p.mask = uint64_t{1} << (p.bits - 1);
  p.flip_negative = p.mask;
  return p;
}

// Returns the name of the op that computes `op` on truth values.
std::string_view TruthName(std::string_view op) {
  if (op == "add" || op == "maximum") return "or";
  if (op == "multiply" || op == "minimum") return "and";
  const bool has_others =
      op == "and" || op == "or" || op == "xor" || op == "not" || op == "clamp";
  return has_others ? op : "";
}

// StableHLO's arithmetic shift fills with the top bit even of unsigned types,
// Paddle's shift fills with 0.
std::string_view ShiftName(const Signature& signature) {
  if (signature.op == "paddle.bitwise_left_shift") return "shift_left";
  if (signature.op != "paddle.bitwise_right_shift") return signature.op;
  const char* mode = signature.AttributeText("is_arithmetic");
  const bool is_logical = (mode != nullptr && strcmp(mode, "false") == 0) ||
                          signature.inputs[0].kind == Kind::kUnsigned;
  return is_logical ? "shift_right_logical" : "shift_right_arithmetic";
}

uint32_t WantOf(const char* direction) {
  static constexpr struct {
    const char* name;
    uint32_t want;
  } kDirections[] = {{"EQ", kEqual},   {"NE", kLess | kGreater | kUnordered},
                     {"LT", kLess},    {"LE", kLess | kEqual},
                     {"GT", kGreater}, {"GE", kGreater | kEqual}};
  if (direction == nullptr) return 0;
  for (const auto& [name, want] : kDirections) {
    if (strcmp(direction, name) == 0) return want;
  }
  return 0;
}

Function FindSelect(const Signature& signature) {
  if (signature.num_inputs != 3 || signature.inputs[0].kind != Kind::kBool ||
      signature.inputs[1] != signature.output ||
      signature.inputs[2] != signature.output)
    return {};
  const Type& type = signature.output;
  const bool is_pair = type.kind == Kind::kComplex;
  const KernelSet* kernels = nullptr;
  switch (type.width) {
    case 0:
      kernels = &kKernels<Select<uint8_t>>;
      break;
    case 1:
      kernels = &kKernels<Select<uint16_t>>;
      break;
    case 2:
      kernels = &kKernels<Select<uint32_t>>;
      break;
    case 3:
      kernels = is_pair ? &kKernels<Select<Pair<uint32_t>>>
                        : &kKernels<Select<uint64_t>>;
      break;
    default:
      kernels = &kKernels<Select<Pair<uint64_t>>>;
  }
  return {kernels, 0, 3, {}};
}

Function FindReducePrecision(const Signature& signature) {
  Parameters p;
  if (!HasOneType(signature) ||
      !ReductionOf(signature.output, signature.AttributeText("exponent_bits"),
                   signature.AttributeText("mantissa_bits"), &p))
    return {};
  return FindBits(signature.output.width, signature.op, signature.num_inputs,
                  p);
}

}  // namespace

bool ReadComparison(const Signature& signature, uint32_t* want,
                    bool* is_total) {
  if (signature.op != "compare" || signature.num_inputs != 2 ||
      signature.inputs[0] != signature.inputs[1] ||
      signature.output.kind != Kind::kBool)
    return false;
  const char* type = signature.AttributeText("compare_type");
  *is_total = type != nullptr && strcmp(type, "TOTALORDER") == 0;
  *want = WantOf(signature.AttributeText("comparison_direction"));
  return *want != 0;
}

Function FindMove(const char* name, size_t bytes, size_t alignment) {
  if (alignment < bytes) {
    return bytes == 8 ? FunctionOf<PairMoves<uint32_t>>(name, 1, {})
                      : FunctionOf<PairMoves<uint64_t>>(name, 1, {});
  }
  int width = 0;
  while (size_t{1} << width < bytes) ++width;
  const int num_inputs = strcmp(name, "join") == 0 ? 2 : 1;
  return FindBits(width, name, num_inputs, {});
}

Function FindIntegerFunction(const Signature& signature) {
  if (signature.num_inputs == 0) return {};
  const Type& type = signature.inputs[0];
  if (signature.op == "select") return FindSelect(signature);
  if (signature.op == "reduce_precision") return FindReducePrecision(signature);
  uint32_t want = 0;
  bool is_total = false;
  if (ReadComparison(signature, &want, &is_total)) {
    if (IsFloat(type) != is_total || type.kind == Kind::kComplex) return {};
    const Parameters p = is_total ? OrderOf(type) : IntegerParameters(type);
    return FindByWidth<Comparisons>(
        type.width, signature.AttributeText("comparison_direction"), 2, p);
  }
  if (signature.op == "is_finite") {
    if (!IsFloat(type) || signature.output.kind != Kind::kBool) return {};
    return FindByWidth<Tests>(type.width, "is_finite", signature.num_inputs,
                              OrderOf(type));
  }
  if (!HasOneType(signature)) return {};
  const bool is_part = signature.op == "real" || signature.op == "imag";
  if (is_part && IsFloat(type)) {
    return FindBits(type.width, signature.op == "real" ? "copy" : "zero",
                    signature.num_inputs, {});
  }
  if (type.kind == Kind::kBool) {
    return FindBits(0, TruthName(signature.op), signature.num_inputs,
                    IntegerParameters(type));
  }
  const bool needs_sign = signature.op == "abs" || signature.op == "sign";
  if (!IsInteger(type) || (needs_sign && type.kind != Kind::kSigned)) return {};
  const Parameters p = IntegerParameters(type);
  const std::string_view name = ShiftName(signature);
  const bool is_internal =
      name == "copy" || name == "zero" || name == "split" || name == "join";
  if (is_internal) return {};
  Function function = FindBits(type.width, name, signature.num_inputs, p);
  if (function.kernels != nullptr) return function;
  return FindByWidth<Divisions>(type.width, name, signature.num_inputs, p);
}

}  // namespace assay::cuda
