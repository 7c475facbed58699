// Windows are folded to the places of the elements that they select. Source
// values of one place are then combined, neighbours first, in their order.
#include <algorithm>
#include <numeric>
#include <utility>

#include "backends/calls/functions.h"
#include "backends/calls/tensors.h"
#include "backends/calls/window_fold.h"

namespace assay::calls {
namespace {

using Shape = Columns::Shape;
using Places = std::vector<int64_t>;

constexpr char kPlace[] = "tensor<i64>";

// Returns the place of each element of a tensor in row-major order.
Column PlacesOf(const Shape& shape, Columns* columns) {
  Column places = columns->New(kPlace, {CountOf(shape)});
  AssayAttribute dimension = {};
  dimension.name = "iota_dimension";
  dimension.text = "0";
  if (CountOf(shape) > 0) columns->Run("iota", {}, places, {dimension});
  places.view.shape = shape;
  places.view.strides = RowMajor(shape);
  return places;
}

// Returns by window the place that it selects, or -1 if it is padding alone.
Places Selected(const std::vector<SlidingDim>& dims,
                const FunctionCall& operands, Columns* columns) {
  const Column& operand = operands.groups[0][0];
  const Shape& shape = operand.view.shape;
  const Column of_padding = columns->New(kPlace, {});
  columns->Convert(columns->Number(-1, {}), of_padding);
  const bool has_padding = ReachPadding(dims, shape);
  const CombinePairs select = [&](const std::vector<Column>& lhs,
                                  const std::vector<Column>& rhs,
                                  const std::vector<Column>& to) {
    const Columns::Mark mark = columns->GetMark();
    const Shape& size = lhs[0].view.shape;
    std::vector<Column> arguments = {lhs[0], rhs[0]};
    for (const Column& capture : operands.captures)
      arguments.push_back(Columns::Broadcast(capture, size));
    const std::vector<Column> results =
        columns->Apply(operands.function[0], arguments, size);
    if (columns->failure() != nullptr) return;
    Column takes_lhs = results[0];
    if (has_padding) {
      const Column nowhere = Columns::Broadcast(of_padding, size);
      takes_lhs = columns->Truth(
          "or", {takes_lhs, columns->Compare("EQ", rhs[1], nowhere)}, size);
      takes_lhs = columns->Truth(
          "and", {takes_lhs, columns->Compare("NE", lhs[1], nowhere)}, size);
    }
    for (size_t k = 0; k < to.size(); ++k)
      columns->Run("select", {takes_lhs, lhs[k], rhs[k]}, to[k]);
    columns->Rewind(mark);
  };
  // Padding is never selected, whatever its value is.
  const std::vector<Column> folded =
      FoldWindows(dims, {operand, PlacesOf(shape, columns)},
                  {operands.groups[2][0], of_padding}, select, columns);
  Places places;
  if (columns->failure() != nullptr) return places;
  const Shape& windows = folded[1].view.shape;
  const Column packed = columns->New(kPlace, windows);
  columns->Convert(folded[1], packed);
  if (columns->failure() == nullptr)
    columns->Fail(columns->machine().Read(columns->TensorOf(packed), &places));
  return places;
}

// Source values that go to one place stand together, in their order.
struct Groups {
  Places sources;         // of all groups
  Places sizes, targets;  // by group
};

Groups GroupsOf(const Places& selected) {
  Groups groups;
  groups.sources.resize(selected.size());
  std::iota(groups.sources.begin(), groups.sources.end(), 0);
  const auto place = [&](int64_t source) {
    return selected[static_cast<size_t>(source)];
  };
  std::erase_if(groups.sources, [&](int64_t s) { return place(s) < 0; });
  std::ranges::stable_sort(groups.sources, {}, place);
  for (const int64_t source : groups.sources) {
    if (groups.targets.empty() || groups.targets.back() != place(source)) {
      groups.targets.push_back(place(source));
      groups.sizes.push_back(0);
    }
    ++groups.sizes.back();
  }
  return groups;
}

}  // namespace

void RunSelectAndScatter(const AssayCall& call, const FunctionCall& operands,
                         Columns* columns) {
  const Column& operand = operands.groups[0][0];
  const Column& source = operands.groups[1][0];
  const Column& init = operands.groups[2][0];
  const Column& output = operands.outputs[0];
  const AssayFunction &select = operands.function[0],
                      &scatter = operands.function[1];
  for (const auto& group : operands.groups) {
    if (group.size() != 1) return columns->Fail("number of operands");
  }
  if (operands.outputs.size() != 1 || select.num_results != 1 ||
      scatter.num_results != 1)
    return columns->Fail("number of operands");
  const Shape& shape = operand.view.shape;
  const Shape& windows = source.view.shape;
  if (output.view.shape != shape || windows.size() != shape.size())
    return columns->Fail("mix of operand shapes");
  std::vector<SlidingDim> dims;
  if (!ReadSlidingDims(call, windows, &dims))
    return columns->Fail("attribute value");
  if (CountOf(shape) == 0) return;
  const char* const type = output.type;
  const Column start = columns->New(type, {});
  columns->Convert(init, start);
  Column result = columns->New(type, {CountOf(shape)});
  columns->Convert(Columns::Broadcast(start, result.view.shape), result);
  Groups groups;
  if (CountOf(windows) > 0)
    groups = GroupsOf(Selected(dims, operands, columns));
  if (columns->failure() != nullptr) return;
  if (!groups.sources.empty()) {
    const Column packed = columns->New(type, windows);
    columns->Convert(source, packed);
    Column terms = columns->Take(packed, groups.sources);
    const auto combine = [&](const Column& lhs, const Column& rhs) {
      const Column to = columns->New(type, lhs.view.shape);
      if (columns->failure() == nullptr)
        ApplyToPairs(scatter, operands.captures, {lhs}, {rhs}, {to}, columns);
      return to;
    };
    while (std::ranges::any_of(groups.sizes, [](int64_t n) { return n > 1; }) &&
           columns->failure() == nullptr) {
      Places lhs, rhs, pairs, rest, rest_to;
      int64_t from = 0, to = 0;
      for (int64_t& size : groups.sizes) {
        for (int64_t i = 0; i < size; i += 2, ++to) {
          const bool is_pair = i + 1 < size;
          (is_pair ? lhs : rest).push_back(from + i);
          (is_pair ? pairs : rest_to).push_back(to);
          if (is_pair) rhs.push_back(from + i + 1);
        }
        from += size;
        size = (size + 1) / 2;
      }
      Column next = columns->New(type, {to});
      const Column combined =
          combine(columns->Take(terms, lhs), columns->Take(terms, rhs));
      if (columns->failure() != nullptr) return;
      columns->Put(combined, pairs, &next);
      if (!rest.empty())
        columns->Put(columns->Take(terms, rest), rest_to, &next);
      terms = next;
    }
    const Column updated =
        combine(Columns::Broadcast(start, terms.view.shape), terms);
    if (columns->failure() != nullptr) return;
    columns->Put(updated, groups.targets, &result);
  }
  result.view.shape = shape;
  result.view.strides = RowMajor(shape);
  columns->Convert(result, output);
}

}  // namespace assay::calls
