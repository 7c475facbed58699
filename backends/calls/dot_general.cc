#include <string.h>

#include <algorithm>
#include <optional>
#include <string>

#include "backends/calls/attributes.h"
#include "backends/calls/contraction_readers.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/violations.h"

namespace assay::calls {
namespace {

using Numbers = std::vector<int64_t>;

std::optional<Numbers> ListOrNone(const AssayCall& call, const char* name) {
  return FindAttribute(call, name) == nullptr ? Numbers() : ListOf(call, name);
}

bool IsAbsent(const AssayCall& call, const char* name) {
  const AssayAttribute* const attribute = FindAttribute(call, name);
  return attribute == nullptr || strcmp(attribute->text, "None") == 0;
}

// A float type that operands are rounded to, or that sums have.
struct Precision {
  RoundingTo rounding;
  bool is_f64 = false;
};

std::optional<Precision> PrecisionOf(const AssayCall& call, const char* name) {
  const AssayAttribute* const attribute = FindAttribute(call, name);
  if (attribute == nullptr) return std::nullopt;
  if (strcmp(attribute->text, "tf32") == 0)
    return Precision{{RoundingTo::kTf32}};
  const std::string scalar = std::string("tensor<") + attribute->text + ">";
  AssayTensor tensor = {};
  Type type;
  if (!ParseScalarType(scalar.c_str(), &tensor.tensor.dtype) ||
      !ParseType(tensor, &type))
    return std::nullopt;
  if (type.kind == Kind::kFormat)
    return Precision{{RoundingTo::kFormat, type.format}};
  if (type.kind != Kind::kFloat) return std::nullopt;
  if (type.bits == 32) return Precision{{RoundingTo::kF32}};
  return Precision{{}, true};
}

// Operands are not rounded to a type that has all of their values.
RoundingTo Needed(const RoundingTo& rounding, const Type& operand) {
  const bool is_format = operand.kind == Kind::kFormat;
  const bool is_f64 = operand.kind == Kind::kFloat && operand.bits == 64;
  const bool is_same = rounding.kind == RoundingTo::kFormat && is_format &&
                       rounding.format == operand.format;
  // tf32 has the values of all formats, and f32 those of all but f64.
  const bool has_all = (rounding.kind == RoundingTo::kTf32 && is_format) ||
                       (rounding.kind == RoundingTo::kF32 && !is_f64);
  return is_same || has_all ? RoundingTo() : rounding;
}

// Reads what says how the dot product is to be computed. An algorithm that
// takes operands apart is declined, as the text asks of one that is not
// supported.
const char* ReadAlgorithm(const AssayCall& call, Contraction* contraction) {
  constexpr const char* kFields[] = {
      "lhs_precision_type",          "rhs_precision_type",
      "accumulation_type",           "lhs_component_count",
      "rhs_component_count",         "num_primitive_operations",
      "allow_imprecise_accumulation"};
  const auto absent = std::ranges::count_if(
      kFields, [&](const char* name) { return IsAbsent(call, name); });
  if (absent == std::ssize(kFields)) return nullptr;
  if (absent != 0) return "an algorithm without some of its fields";
  for (const char* count : {"lhs_component_count", "rhs_component_count",
                            "num_primitive_operations"}) {
    if (NumberOf(call, count) != 1) return "an algorithm of several components";
  }
  if (contraction->operand.kind != Kind::kFloat &&
      contraction->operand.kind != Kind::kFormat)
    return "an algorithm of floats on other operands";
  const auto lhs = PrecisionOf(call, "lhs_precision_type"),
             rhs = PrecisionOf(call, "rhs_precision_type"),
             sums = PrecisionOf(call, "accumulation_type");
  if (!lhs || !rhs || !sums) return "a precision type";
  contraction->lhs_rounding = Needed(lhs->rounding, contraction->operand);
  contraction->rhs_rounding = Needed(rhs->rounding, contraction->operand);
  contraction->in_f64 = sums->is_f64;
  return nullptr;
}

}  // namespace

const char* ReadDotGeneral(const AssayCall& call, const ReadIntegers&,
                           Contraction* contraction) {
  if (const char* unknown = CheckContractionAttributes(
          call,
          {"lhs_batching_dimensions", "rhs_batching_dimensions",
           "lhs_contracting_dimensions", "rhs_contracting_dimensions",
           "precision_config", "lhs_precision_type", "rhs_precision_type",
           "accumulation_type", "lhs_component_count", "rhs_component_count",
           "num_primitive_operations", "allow_imprecise_accumulation"}))
    return unknown;
  const auto lhs_batch = ListOrNone(call, "lhs_batching_dimensions"),
             rhs_batch = ListOrNone(call, "rhs_batching_dimensions"),
             lhs_terms = ListOrNone(call, "lhs_contracting_dimensions"),
             rhs_terms = ListOrNone(call, "rhs_contracting_dimensions");
  if (!lhs_batch || !rhs_batch || !lhs_terms || !rhs_terms ||
      lhs_batch->size() != rhs_batch->size() ||
      lhs_terms->size() != rhs_terms->size())
    return kAttributeValue;
  const DimsView lhs = ContractionView(call.inputs[0].tensor),
                 rhs = ContractionView(call.inputs[1].tensor),
                 result = ContractionView(call.outputs[0].tensor);
  Numbers lhs_taken = *lhs_batch, rhs_taken = *rhs_batch;
  lhs_taken.insert(lhs_taken.end(), lhs_terms->begin(), lhs_terms->end());
  rhs_taken.insert(rhs_taken.end(), rhs_terms->begin(), rhs_terms->end());
  if (!AreContractionDims(lhs_taken, lhs.shape.size()) ||
      !AreContractionDims(rhs_taken, rhs.shape.size()))
    return kAttributeValue;
  const auto paired = [&](const Numbers& of_lhs, const Numbers& of_rhs,
                          Contraction::Dims* dims) {
    for (size_t i = 0; i < of_lhs.size(); ++i) {
      const auto l = static_cast<size_t>(of_lhs[i]),
                 r = static_cast<size_t>(of_rhs[i]);
      if (lhs.shape[l] != rhs.shape[r]) return false;
      dims->push_back({lhs.shape[l], lhs.strides[l], rhs.strides[r], 0});
    }
    return true;
  };
  if (!paired(*lhs_batch, *rhs_batch, &contraction->batch) ||
      !paired(*lhs_terms, *rhs_terms, &contraction->terms))
    return kOperandShapes;
  const auto is_in = [](const Numbers& taken, size_t d) {
    return std::ranges::find(taken, static_cast<int64_t>(d)) != taken.end();
  };
  for (size_t d = 0; d < lhs.shape.size(); ++d) {
    if (!is_in(lhs_taken, d))
      contraction->rows.push_back({lhs.shape[d], lhs.strides[d], 0, 0});
  }
  for (size_t d = 0; d < rhs.shape.size(); ++d) {
    if (!is_in(rhs_taken, d))
      contraction->columns.push_back({rhs.shape[d], 0, rhs.strides[d], 0});
  }
  size_t at = 0;
  for (Contraction::Dims* dims :
       {&contraction->batch, &contraction->rows, &contraction->columns}) {
    for (ContractionDim& dim : *dims) {
      if (at == result.shape.size() || result.shape[at] != dim.size)
        return kOperandShapes;
      dim.result_stride = result.strides[at++];
    }
  }
  if (at != result.shape.size()) return kOperandShapes;
  return ReadAlgorithm(call, contraction);
}

}  // namespace assay::calls
