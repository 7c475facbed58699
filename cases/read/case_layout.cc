// Strides come from files, so nothing is added or multiplied unchecked.
#include "cases/read/case_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr int64_t kFarthest = int64_t{1} << 40;  // of a stride or an offset

// Returns the dimension along which a layout reaches farthest below or above.
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

namespace {

// Returns whether the strides alone show that no two elements share a place:
// each dimension steps over all that the smaller ones reach.
bool AllApart(const Shape& shape, const Layout& layout) {
  std::vector<std::pair<int64_t, int64_t>> steps;  // distance, size
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) return true;
    if (shape[d] > 1) steps.emplace_back(std::abs(layout.strides[d]), shape[d]);
  }
  std::ranges::sort(steps);
  __int128 reach = 0;
  for (const auto& [distance, size] : steps) {
    if (distance <= reach) return false;
    reach += __int128{distance} * (size - 1);
  }
  return true;
}

// Calls f(the place of an element, counted from the lowest) for each element in
// row-major order.
template <class F>
void VisitPlaces(const Shape& shape, const Layout& layout, F f) {
  const auto extent = layout.ExtentOf(shape);
  ASSAY_CHECK(extent.has_value());
  const int64_t lowest = layout.offset + extent->below;
  Index index;
  for (IndexSpace space(shape); space.Next(&index);)
    f(static_cast<size_t>(layout.At(index) - lowest));
}

size_t PlacesOf(const Shape& shape, const Layout& layout) {
  const auto extent = layout.ExtentOf(shape);
  ASSAY_CHECK(extent.has_value());
  return static_cast<size_t>(extent->above - extent->below + 1);
}

}  // namespace

int64_t LayoutBytes(const TensorType& type, const Layout& layout) {
  if (ElementCount(type.shape) == 0) return 0;
  const auto extent = layout.ExtentOf(type.shape);
  ASSAY_CHECK(extent.has_value());
  return (layout.offset + extent->above + 1) * Info(type.element_type).bytes;
}

// The check takes the memory of the placed tensor and a bit for each element of
// it, because elements are made some at a time.
void RequireOneValueAPlace(const JsonView& object, const CaseInput& input) {
  constexpr int64_t kSomeElements = int64_t{1} << 16;
  const TensorType& type = input.data.type;
  const Layout& layout = input.layout;
  if (layout.IsRowMajor(type.shape) || AllApart(type.shape, layout)) return;
  const size_t places = PlacesOf(type.shape, layout);
  Tensor placed({{static_cast<int64_t>(places)}, type.element_type});
  std::vector<bool> is_taken(places);
  Tensor some;
  int64_t i = 0, begin = 0;
  VisitPlaces(type.shape, layout, [&](size_t place) {
    if (i == begin + some.size() || i == 0) {
      begin = i;
      const int64_t count =
          std::min(*ElementCount(type.shape) - i, kSomeElements);
      InputData data = input.data;
      data.type.shape = {count};
      data.window = Window{type.shape, begin};
      some = data.Materialise();
    }
    const ElementBits bits = some.Bits(i - begin);
    const int64_t at = static_cast<int64_t>(place);
    if (!is_taken[place]) {
      is_taken[place] = true;
      placed.SetBits(at, bits);
    } else if (placed.Bits(at) != bits) {
      int64_t first = -1, number = 0;
      VisitPlaces(type.shape, layout, [&](size_t other) {
        if (other == place && first < 0) first = number;
        ++number;
      });
      object.Fail(fmt::format(
          "elements {} and {} (in row-major order) have different values and "
          "lie in one place, {} element(s) into the buffer",
          first, i, at + layout.offset + layout.ExtentOf(type.shape)->below));
    }
    ++i;
  });
}

void RequireOneElementAPlace(const JsonView& object, const TensorType& type,
                             const Layout& layout) {
  if (layout.IsRowMajor(type.shape) || AllApart(type.shape, layout)) return;
  std::vector<bool> is_taken(PlacesOf(type.shape, layout));
  VisitPlaces(type.shape, layout, [&](size_t place) {
    if (is_taken[place])
      object.Fail(fmt::format(
          "two elements of a result lie in one place, {} element(s) into the "
          "buffer",
          static_cast<int64_t>(place) + layout.offset +
              layout.ExtentOf(type.shape)->below));
    is_taken[place] = true;
  });
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
      value.Fail(fmt::format("'{}' is no result of {}", Cut(output), op.op));
    const auto operand =
        std::ranges::find(op.inputs, input, &Op::Operand::value);
    const auto placed = std::ranges::find(main.inputs, input, &TypedName::name);
    if (operand == op.inputs.end() || placed == main.inputs.end())
      value.Fail(fmt::format("'{}' is no operand of {}", Cut(input), op.op));
    result->in_place = static_cast<size_t>(operand - op.inputs.begin());
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
