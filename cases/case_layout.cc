// Strides come from files: nothing is added or multiplied unchecked.
#include "cases/case_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "spec/error.h"

namespace assay {
namespace {

constexpr int64_t kFarthest = int64_t{1} << 40;  // of a stride or an offset

// The dimension along which a layout reaches farthest below or above.
std::string FarthestDimension(const Layout& layout, const Shape& shape,
                              bool below) {
  size_t farthest = 0;
  __int128 most = -1;
  for (size_t d = 0; d < shape.size(); ++d) {
    __int128 reach = __int128{shape[d] - 1} * layout.strides[d];
    if (below) reach = -reach;
    if (reach > most) {
      most = reach;
      farthest = d;
    }
  }
  return shape.empty()
             ? "element []"
             : fmt::format("dimension {} (size {}, stride {})", farthest,
                           shape[farthest], layout.strides[farthest]);
}

}  // namespace

Layout ParseLayout(const JsonView& object, const TensorType& type,
                   int64_t memory_limit) {
  Layout layout = Layout::RowMajor(type.shape);
  if (const auto strides = object.Find("strides")) {
    layout.strides.clear();
    for (const JsonView& stride : strides->Elements())
      layout.strides.push_back(stride.Integer(-kFarthest, kFarthest));
    if (layout.strides.size() != type.shape.size()) {
      strides->Fail(fmt::format("{} stride(s) for rank {}",
                                layout.strides.size(), type.shape.size()));
    }
  }
  if (const auto offset = object.Find("offset"))
    layout.offset = offset->Integer(0, kFarthest);
  const auto storage = object.Find("storage");
  if (layout.offset == 0 && !storage && layout.IsRowMajor(type.shape))
    return layout;
  const auto extent = layout.ExtentOf(type.shape);
  const __int128 elements =
      extent ? __int128{layout.offset} + extent->above + 1 : 0;
  if (!extent || elements * Info(type.element_type).bytes > memory_limit)
    object.Fail("the strides reach farther than --memory allows");
  if (__int128{layout.offset} + extent->below < 0)
    object.Fail(fmt::format(
        "the strides reach in front of the buffer, the farthest along {}; "
        "'offset' is too small",
        FarthestDimension(layout, type.shape, true)));
  if (!storage || ElementCount(type.shape) == 0) return layout;
  const int64_t size = storage->Integer(1, kFarthest);
  if (layout.offset >= size)
    object.At("offset").Fail(
        fmt::format("the offset {} is outside of a storage of {} element(s)",
                    layout.offset, size));
  if (elements > size)
    object.Fail(fmt::format(
        "the strides leave the storage of {} element(s), the farthest along {}",
        size, FarthestDimension(layout, type.shape, false)));
  return layout;
}

void RequireOneValueAPlace(const JsonView& object, const CaseInput& input) {
  if (input.layout.IsRowMajor(input.data.type.shape)) return;
  const Tensor tensor = input.data.Materialise();
  // Where an element lies, and which it is in row-major order.
  std::vector<std::pair<int64_t, int64_t>> places;
  Index index;
  for (IndexSpace space(tensor.type().shape); space.Next(&index);)
    places.emplace_back(input.layout.At(index),
                        static_cast<int64_t>(places.size()));
  std::ranges::sort(places);
  for (size_t k = 1; k < places.size(); ++k) {
    const auto [place, first] = places[k - 1];
    const auto [next_place, second] = places[k];
    if (place == next_place && tensor.Bits(first) != tensor.Bits(second))
      object.Fail(fmt::format(
          "elements {} and {} (in row-major order) have different values and "
          "lie in one place, {} element(s) into the buffer",
          first, second, place));
  }
}

void RequireOneElementAPlace(const JsonView& object, const TensorType& type,
                             const Layout& layout) {
  if (layout.IsRowMajor(type.shape) || ElementCount(type.shape) == 0) return;
  const auto extent = layout.ExtentOf(type.shape);
  ASSAY_CHECK(extent.has_value());
  std::vector<bool> is_taken(
      static_cast<size_t>(extent->above - extent->below + 1));
  Index index;
  for (IndexSpace space(type.shape); space.Next(&index);) {
    const int64_t at = layout.At(index);
    const auto bit =
        is_taken[static_cast<size_t>(at - layout.offset - extent->below)];
    if (bit)
      object.Fail(fmt::format(
          "two elements of a result lie in one place, {} element(s) into the "
          "buffer",
          at));
    is_taken[static_cast<size_t>(at - layout.offset - extent->below)] = true;
  }
}

void ParseAlias(const JsonView& alias, Case* c) {
  std::vector<std::string> taken;
  const Function& main = c->program.main();
  Op& op = c->program.functions[0].body[0];
  for (const auto& [output, value] : alias.Members()) {
    const std::string input = value.String();
    const auto result =
        std::ranges::find(op.outputs, output, &Op::Result::value);
    if (result == op.outputs.end())
      value.Fail(fmt::format("'{}' is no result of {}", output, op.op));
    const auto operand =
        std::ranges::find(op.inputs, input, &Op::Operand::value);
    const auto placed = std::ranges::find(main.inputs, input, &TypedName::name);
    if (operand == op.inputs.end() || placed == main.inputs.end())
      value.Fail(fmt::format("'{}' is no operand of {}", input, op.op));
    result->in_place = operand->name;
    if (!c->violates.empty()) continue;  // it is for the constraints to say
    if (operand->type != result->type)
      value.Fail(fmt::format(
          "'{}' is {}, which the memory of '{}', {}, cannot be", output,
          result->type.ToString(), input, operand->type.ToString()));
    if (c->output_layouts.contains(output))
      value.Fail(
          fmt::format("'{}' lies where '{}' does, and has no layout of "
                      "its own",
                      output, input));
    if (std::ranges::find(taken, input) != taken.end())
      value.Fail(
          fmt::format("two results in the memory of '{}' overlap", input));
    taken.push_back(input);
    RequireOneElementAPlace(
        value, result->type,
        c->inputs[static_cast<size_t>(placed - main.inputs.begin())].layout);
    c->alias[output] = input;
  }
}

}  // namespace assay
