#include <ctype.h>
#include <string.h>

#include <algorithm>
#include <optional>

#include "backends/calls/attributes.h"
#include "backends/calls/contraction_readers.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/violations.h"

namespace assay::calls {
namespace {

using Numbers = std::vector<int64_t>;

std::optional<Numbers> ListOr(const AssayCall& call, const char* name,
                              size_t size, int64_t by_default) {
  if (FindAttribute(call, name) == nullptr) return Numbers(size, by_default);
  return ListOf(call, name);
}

// Reads a list of truths such as "[true, false]".
std::optional<std::vector<bool>> TruthsOf(const AssayCall& call,
                                          const char* name, size_t size) {
  std::vector<bool> truths;
  const AssayAttribute* const attribute = FindAttribute(call, name);
  if (attribute == nullptr) return std::vector<bool>(size);
  for (const char* text = attribute->text; *text != '\0'; ++text) {
    if (!isalpha(static_cast<unsigned char>(*text))) continue;
    const bool is_true = strncmp(text, "true", 4) == 0;
    if (!is_true && strncmp(text, "false", 5) != 0) return std::nullopt;
    truths.push_back(is_true);
    text += is_true ? 3 : 4;
  }
  if (truths.size() != size) return std::nullopt;
  return truths;
}

// The dimensions of a tensor: of what there is one, of features, and of places.
struct Roles {
  size_t outer;  // the batch of lhs and result, the output features of rhs
  size_t feature;
  std::vector<size_t> places;
};

std::optional<Roles> RolesOf(const AssayCall& call, const char* outer,
                             const char* feature, const char* places,
                             size_t rank) {
  const auto of_outer = NumberOf(call, outer),
             of_feature = NumberOf(call, feature);
  const auto of_places = ListOr(call, places, 0, 0);
  if (!of_outer || !of_feature || !of_places || of_places->size() + 2 != rank)
    return std::nullopt;
  Numbers all = *of_places;
  all.push_back(*of_outer);
  all.push_back(*of_feature);
  if (!AreContractionDims(all, rank)) return std::nullopt;
  Roles roles = {
      static_cast<size_t>(*of_outer), static_cast<size_t>(*of_feature), {}};
  for (const int64_t d : *of_places)
    roles.places.push_back(static_cast<size_t>(d));
  return roles;
}

// What a spatial dimension needs beside its sizes.
struct Place {
  int64_t stride, low, high, lhs_dilation, rhs_dilation;
  bool is_reversed;
};

// Sets the number of windows along a dimension, as the constraint of the shape
// of the result has it, or returns false if numbers are too great.
bool CountWindows(int64_t size, int64_t window, const Place& place,
                  int64_t* count) {
  // So that no place of a window is too great a number either.
  constexpr int64_t kMost = int64_t{1} << 60;
  int64_t dilated = 0, padded = 0, reach = 0;
  if (std::max({place.low, place.high, -(place.low + 1), -(place.high + 1)}) >=
      kMost)
    return false;
  if (size > 0 &&
      (__builtin_mul_overflow(size - 1, place.lhs_dilation, &dilated) ||
       __builtin_add_overflow(dilated, int64_t{1}, &dilated) ||
       dilated >= kMost))
    return false;
  if (__builtin_add_overflow(place.low, dilated, &padded) ||
      __builtin_add_overflow(padded, place.high, &padded))
    return false;
  if (window > 0 &&
      (__builtin_mul_overflow(window - 1, place.rhs_dilation, &reach) ||
       __builtin_add_overflow(reach, int64_t{1}, &reach)))
    return false;
  const bool is_empty = padded == 0 || reach > padded;
  *count = is_empty ? 0 : (padded - reach) / place.stride + 1;
  return true;
}

const char* Read(const AssayCall& call, const Numbers& padding,
                 const char* wrong_windows, Contraction* contraction) {
  const DimsView lhs = ContractionView(call.inputs[0].tensor),
                 rhs = ContractionView(call.inputs[1].tensor),
                 result = ContractionView(call.outputs[0].tensor);
  const size_t rank = lhs.shape.size();
  if (rank < 2 || rhs.shape.size() != rank || result.shape.size() != rank)
    return kOperandShapes;
  const size_t spatial = rank - 2;
  const auto input =
      RolesOf(call, "input_batch_dimension", "input_feature_dimension",
              "input_spatial_dimensions", rank);
  const auto kernel = RolesOf(call, "kernel_output_feature_dimension",
                              "kernel_input_feature_dimension",
                              "kernel_spatial_dimensions", rank);
  const auto output =
      RolesOf(call, "output_batch_dimension", "output_feature_dimension",
              "output_spatial_dimensions", rank);
  const auto strides = ListOr(call, "window_strides", spatial, 1),
             lhs_dilation = ListOr(call, "lhs_dilation", spatial, 1),
             rhs_dilation = ListOr(call, "rhs_dilation", spatial, 1);
  const auto reversal = TruthsOf(call, "window_reversal", spatial);
  const auto groups = NumberOf(call, "feature_group_count"),
             batch_groups = NumberOf(call, "batch_group_count");
  const auto are_positive = [&](const std::optional<Numbers>& numbers) {
    return numbers && numbers->size() == spatial &&
           std::ranges::all_of(*numbers, [](int64_t n) { return n > 0; });
  };
  if (!input || !kernel || !output || !reversal || !are_positive(strides) ||
      !are_positive(lhs_dilation) || !are_positive(rhs_dilation) ||
      padding.size() != 2 * spatial || !groups || !batch_groups ||
      *groups < 1 || *batch_groups < 1 || (*groups != 1 && *batch_groups != 1))
    return kAttributeValue;
  const int64_t images = lhs.shape[input->outer],
                features = lhs.shape[input->feature],
                made = rhs.shape[kernel->outer];
  const int64_t count = std::max(*groups, *batch_groups);
  if (images % *batch_groups != 0 || features % *groups != 0 ||
      made % count != 0 || rhs.shape[kernel->feature] != features / *groups ||
      result.shape[output->outer] != images / *batch_groups ||
      result.shape[output->feature] != made)
    return kOperandShapes;
  contraction->batch = {
      {count,
       *groups > 1 ? features / *groups * lhs.strides[input->feature]
                   : images / *batch_groups * lhs.strides[input->outer],
       made / count * rhs.strides[kernel->outer],
       made / count * result.strides[output->feature]}};
  contraction->rows = {{images / *batch_groups, lhs.strides[input->outer], 0,
                        result.strides[output->outer]}};
  contraction->columns = {{made / count, 0, rhs.strides[kernel->outer],
                           result.strides[output->feature]}};
  for (size_t s = 0; s < spatial; ++s) {
    const size_t of_lhs = input->places[s], of_rhs = kernel->places[s],
                 of_result = output->places[s];
    const Place place = {(*strides)[s],      padding[2 * s],
                         padding[2 * s + 1], (*lhs_dilation)[s],
                         (*rhs_dilation)[s], (*reversal)[s]};
    const int64_t size = lhs.shape[of_lhs], window = rhs.shape[of_rhs];
    int64_t windows;
    if (!CountWindows(size, window, place, &windows)) return "so great numbers";
    if (result.shape[of_result] != windows) return wrong_windows;
    const int64_t step =
        place.is_reversed ? -place.rhs_dilation : place.rhs_dilation;
    // Where there is a window, these numbers are no greater than the padded
    // operand, whose size is a number.
    const int64_t from = windows > 0 && window > 0 && place.is_reversed
                             ? (window - 1) * place.rhs_dilation
                             : 0;
    contraction->windows.push_back({s + 1, s, size, lhs.strides[of_lhs],
                                    windows > 0 ? from - place.low : 0,
                                    place.stride, step, place.lhs_dilation});
    contraction->rows.push_back({windows, 0, 0, result.strides[of_result]});
    contraction->terms.push_back({window, 0, rhs.strides[of_rhs], 0});
  }
  contraction->terms.push_back({features / *groups, lhs.strides[input->feature],
                                rhs.strides[kernel->feature], 0});
  return nullptr;
}

const char* CheckAttributes(const AssayCall& call) {
  return CheckContractionAttributes(
      call,
      {"window_strides", "padding", "lhs_dilation", "rhs_dilation",
       "window_reversal", "input_batch_dimension", "input_feature_dimension",
       "input_spatial_dimensions", "kernel_input_feature_dimension",
       "kernel_output_feature_dimension", "kernel_spatial_dimensions",
       "output_batch_dimension", "output_feature_dimension",
       "output_spatial_dimensions", "feature_group_count", "batch_group_count",
       "precision_config"});
}

bool IsPadding(const DLTensor& tensor, int32_t rank) {
  return tensor.ndim == 2 && tensor.shape[0] == rank - 2 &&
         tensor.shape[1] == 2;
}

}  // namespace

const char* ReadConvolution(const AssayCall& call, const ReadIntegers&,
                            Contraction* contraction) {
  if (const char* unknown = CheckAttributes(call)) return unknown;
  const int32_t rank = call.inputs[0].tensor.ndim;
  if (rank < 2) return kOperandShapes;
  Numbers padding(2 * static_cast<size_t>(rank - 2));
  if (const AssayAttribute* attribute = FindAttribute(call, "padding")) {
    if (attribute->value == nullptr ||
        !IsPadding(attribute->value->tensor, rank))
      return kAttributeValue;
    padding.clear();
    if (ReadHostIntegers(*attribute->value, &padding) != nullptr)
      return kAttributeValue;
  }
  return Read(call, padding, kOperandShapes, contraction);
}

const char* ReadDynamicConvolution(const AssayCall& call,
                                   const ReadIntegers& read,
                                   Contraction* contraction) {
  if (const char* unknown = CheckAttributes(call)) return unknown;
  const int32_t rank = call.inputs[0].tensor.ndim;
  if (rank < 2 || !IsPadding(call.inputs[2].tensor, rank))
    return kOperandShapes;
  Numbers padding;
  if (const char* failure = read(call.inputs[2], &padding)) return failure;
  // No constraint says which paddings a call may have when it runs.
  return Read(call, padding, "another shape of the result at this padding",
              contraction);
}

}  // namespace assay::calls
