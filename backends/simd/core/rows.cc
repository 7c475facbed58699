// This file finds the row and the kernel of an op on certain types. Nothing
// here depends on a particular op, except for subnormals: the shape of a row's
// kernels says everything else.
#include "backends/simd/core/rows.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <memory>
#include <string_view>

#include "backends/simd/core/names.h"
#include "backends/simd/core/row_function.h"

namespace assay::simd {
namespace {

bool IsInteger(const Type& type) {
  return type.kind == Kind::kSigned || type.kind == Kind::kUnsigned;
}

bool IsPredicate(Shape shape, int input) {
  return shape == Shape::kSelect && input == 0;
}

// Returns the input whose type selects the kernel.
const Type& TypeOf(const Signature& signature, Shape shape) {
  return signature.inputs[shape == Shape::kSelect ? 1 : 0];
}

// A Choice says how a job computes elements of a type.
struct Choice {
  Kernel kernel;
  Extend extend = Extend::kZero;
  bool decodes = false;  // The elements are computed in f32 lanes.
};

Kernel BitsKernel(const FloatKernels& kernels, const Type& type) {
  if (type.kind == Kind::kComplex) return {};
  if (type.kind == Kind::kFormat) {
    const Special special = SpecOf(type.format).special;
    if (special == Special::kScale) return kernels.e8m0_bits;
    if (special == Special::kNanAtMinusZero) return kernels.fnuz_bits;
  }
  return kernels.bits.width[type.width];
}

Choice ChooseForFloat(const FloatKernels& kernels, const Type& type) {
  const Kernel bits = BitsKernel(kernels, type);
  if (bits.store != nullptr) return {bits, kernels.bits.extend};
  if (type.kind == Kind::kFormat) {
    return {kernels.f32, Extend::kZero, true};
  }
  if (type.kind == Kind::kComplex) {
    return {type.bits == 64 ? kernels.complex_f32 : kernels.complex_f64};
  }
  return {type.bits == 32 ? kernels.f32 : kernels.f64};
}

Choice Choose(const OpKernels& row, const Type& type) {
  const Kernels& kernels = row.kernels;
  switch (type.kind) {
    case Kind::kBool:
      return {row.boolean};
    case Kind::kSigned:
      return {kernels.of_signed.width[type.width], kernels.of_signed.extend};
    case Kind::kUnsigned:
      return {kernels.of_unsigned.width[type.width],
              kernels.of_unsigned.extend};
    default:
      return ChooseForFloat(kernels.of_float, type);
  }
}

bool HasArity(const Signature& signature, Shape shape) {
  const int inputs = shape == Shape::kUnary    ? 1
                     : shape == Shape::kBinary ? 2
                                               : 3;
  return signature.num_inputs == inputs;
}

bool HasAttribute(const Signature& signature, const Attribute& attribute) {
  if (attribute.name == nullptr) return true;
  const char* text = signature.AttributeText(attribute.name);
  if (text == nullptr || attribute.value == nullptr) {
    return text == attribute.value;
  }
  return strcmp(text, attribute.value) == 0;
}

bool HasResultType(const Signature& signature, const Kernels& kernels) {
  const Type& operand = TypeOf(signature, kernels.shape);
  const Type& type = signature.output;
  switch (kernels.result) {
    case Result::kSame:
      return type == operand;
    case Result::kBool:
      return type.kind == Kind::kBool;
    case Result::kPart:
      if (operand.kind != Kind::kComplex) return type == operand;
      return type.kind == Kind::kFloat && 2 * type.bits == operand.bits;
    case Result::kComplex:
      return type.kind == Kind::kComplex && operand.kind == Kind::kFloat &&
             type.bits == 2 * operand.bits;
    default:
      return IsInteger(type) && type.width == static_cast<int>(kernels.result) -
                                                  static_cast<int>(Result::k8);
  }
}

struct Match {
  const OpKernels* row = nullptr;
  size_t vector_bytes = 0;
  const char* failure = "op";  // This names what no row was found for.
};

Match FindRow(const Signature& signature, const hwy::ChosenTarget& target) {
  static constexpr decltype(&ArithmeticTable) kTables[] = {
      ArithmeticTable,   BitwiseTable,      CompareSelectTable,
      ComplexTable,      ConvertTable,      FloatArithmeticTable,
      FloatCompareTable, RealFunctionTable, ShiftTable};
  Match match;
  for (const auto table_of : kTables) {
    const Table table = table_of(target);
    for (size_t i = 0; i < table.size; ++i) {
      const OpKernels& row = table.rows[i];
      const Shape shape = row.kernels.shape;
      if (row.op != signature.op) continue;
      if (!HasArity(signature, shape)) {
        match.failure = "number of operands";
      } else if (!HasAttribute(signature, row.attributes[0]) ||
                 !HasAttribute(signature, row.attributes[1])) {
        match.failure = "attribute value";
      } else if (!HasResultType(signature, row.kernels)) {
        match.failure = "result type";
      } else if (Choose(row, TypeOf(signature, shape)).kernel.store ==
                 nullptr) {
        match.failure = "element type";
      } else {
        return {&row, table.vector_bytes, nullptr};
      }
    }
  }
  return match;
}

// `flush` applies to the arithmetic of f32, f64 and complex numbers. The
// narrower formats lie in f32 lanes, where one of their normal numbers may be
// subnormal (2^-127 of f8E8M0FNU); extrema, sign and remainder may return an
// operand as it is, and would return unflushed what they had compared as zero;
// and elementary functions are made of many operations, whose own results would
// be flushed.
bool HasSayInSubnormals(const Signature& signature) {
  static constexpr std::string_view kKeeping[] = {
      "atan2",     "cbrt",         "clamp",
      "cosine",    "exponential",  "exponential_minus_one",
      "log",       "log_plus_one", "logistic",
      "maximum",   "minimum",      "power",
      "remainder", "rsqrt",        "sign",
      "sine",      "tan",          "tanh"};
  const Type& type = signature.inputs[0];
  if (type.kind != Kind::kFloat && type.kind != Kind::kComplex) return false;
  for (const std::string_view op : kKeeping) {
    if (op == signature.op) return false;
  }
  return true;
}

}  // namespace

Making MakeRow(const Signature& signature, const hwy::ChosenTarget& target,
               Subnormals subnormals) {
  const Match match = FindRow(signature, target);
  if (match.failure != nullptr) return match.failure;
  const Shape shape = match.row->kernels.shape;
  const Type& typed = TypeOf(signature, shape);
  const Choice choice = Choose(*match.row, typed);
  Job job = {};
  job.kernel = choice.kernel;
  job.extend = choice.extend;
  job.vector_bytes = match.vector_bytes;
  const auto lane_of = [&](const Type& type) -> Lanes {
    const bool decodes = choice.decodes && type.kind == Kind::kFormat;
    return {type.bytes(), type.bits,
            decodes ? &FormatTable(target, type.format) : nullptr};
  };
  job.num_inputs = signature.num_inputs;
  for (int k = 0; k < signature.num_inputs; ++k) {
    const Type& type = signature.inputs[k];
    if (IsPredicate(shape, k) ? type.kind != Kind::kBool : type != typed) {
      return "mix of operand types";
    }
    job.in[k] = lane_of(type);
  }
  job.out = lane_of(signature.output);
  job.out_lanes = signature.output.kind == Kind::kComplex ? 2 : 1;
  auto function = std::make_unique<RowFunction>(job);
  if (HasSayInSubnormals(signature)) function->subnormals = subnormals;
  return function;
}

}  // namespace assay::simd
