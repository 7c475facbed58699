#include "backends/calls/paddings.h"

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/calls/attributes.h"
#include "backends/calls/tensors.h"
#include "backends/calls/violations.h"

namespace assay::calls {
namespace {

using Numbers = std::vector<int64_t>;
__extension__ typedef __int128 Wide;

// The padding value is copied to every place of the result, and to those of the
// operand's elements that stay these elements are. Paddings may be any numbers
// of 64 bits, with a sign or without one, and what is computed of them has
// more.
struct Paddings {
  std::vector<Wide> low, high, interior;
};
const char* ReadPaddings(const AssayCall& call, const Paddings& paddings,
                         Moves* moves) {
  const DimsView result = DimsView::Of(call.outputs[0].tensor);
  Copy copy{DimsView::Of(call.inputs[0].tensor), result};
  const size_t rank = result.shape.size();
  const DLTensor& value = call.inputs[1].tensor;
  if (copy.from.shape.size() != rank || value.ndim != 0) return kOperandShapes;
  const auto& [lows, highs, interiors] = paddings;
  if (lows.size() != rank || highs.size() != rank || interiors.size() != rank)
    return kAttributeValue;
  for (size_t d = 0; d < rank; ++d) {
    const Wide size = copy.from.shape[d];
    const Wide low = lows[d];
    const Wide step = interiors[d] + 1;
    if (step < 1) return kAttributeValue;
    const Wide padded = size == 0 ? 0 : (size - 1) * step + 1;
    if (low + padded + highs[d] != result.shape[d]) return kOperandShapes;
    // Element i of the operand lies at low + i * step, if that is there.
    const Wide first = low >= 0 ? 0 : (step - 1 - low) / step;
    const Wide last = std::min(size, (result.shape[d] - low + step - 1) / step);
    const Wide count = low < result.shape[d] && first < last ? last - first : 0;
    copy.from.shape[d] = copy.to.shape[d] = static_cast<int64_t>(count);
    if (count == 0) continue;
    copy.from.Advance(static_cast<int64_t>(first) * copy.from.strides[d],
                      moves->bytes());
    copy.to.Advance(
        static_cast<int64_t>(low + first * step) * copy.to.strides[d],
        moves->bytes());
    // A step that is larger than the result is not used.
    if (count > 1) copy.to.strides[d] *= static_cast<int64_t>(step);
  }
  if (copy.to.shape != result.shape)
    moves->copies.push_back(
        {{Numbers(rank, 1), Numbers(rank, 0), FirstElement(value)}, result});
  if (CountOf(copy.to.shape) != 0) moves->copies.push_back(std::move(copy));
  return nullptr;
}

}  // namespace

const char* ReadPad(const AssayCall& call, const ReadIntegers&, Moves* moves) {
  Paddings paddings;
  const std::pair<const char*, std::vector<Wide>&> lists[] = {
      {"edge_padding_low", paddings.low},
      {"edge_padding_high", paddings.high},
      {"interior_padding", paddings.interior}};
  for (const auto& [name, numbers] : lists) {
    const auto list = ListOf(call, name);
    if (!list) return kAttributeValue;
    numbers.assign(list->begin(), list->end());
  }
  return ReadPaddings(call, paddings, moves);
}

const char* ReadDynamicPad(const AssayCall& call, const ReadIntegers& read,
                           Moves* moves) {
  const DLTensor& operand = call.inputs[0].tensor;
  if (operand.ndim != call.outputs[0].tensor.ndim ||
      call.inputs[1].tensor.ndim != 0)
    return kOperandShapes;
  Paddings paddings;
  const std::pair<AssayTensor, std::vector<Wide>&> lists[] = {
      {call.inputs[2], paddings.low},
      {call.inputs[3], paddings.high},
      {call.inputs[4], paddings.interior}};
  for (auto [list, numbers] : lists) {
    const char* failure = CheckList(list, operand.ndim);
    // Numbers of 64 bits without a sign are read as those that have one.
    DLDataType& type = list.tensor.dtype;
    const bool is_unsigned = type.code == kDLUInt && type.bits == 64;
    if (is_unsigned) type.code = kDLInt;
    Numbers read_numbers;
    if (failure == nullptr) failure = read(list, &read_numbers);
    if (failure != nullptr) return failure;
    for (const int64_t number : read_numbers)
      numbers.push_back(is_unsigned ? Wide{static_cast<uint64_t>(number)}
                                    : Wide{number});
  }
  if (ReadPaddings(call, paddings, moves) == nullptr) return nullptr;
  // The sizes do not agree, which no constraint forbids: any result is right.
  DimsView result = DimsView::Of(call.outputs[0].tensor);
  const size_t rank = result.shape.size();
  const DimsView value = {Numbers(rank, 1), Numbers(rank, 0),
                          FirstElement(call.inputs[1].tensor)};
  moves->copies = {{value, std::move(result)}};
  return nullptr;
}

}  // namespace assay::calls
