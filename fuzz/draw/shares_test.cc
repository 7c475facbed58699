// Tests how many of the drawn calls of the ops that move elements by indices
// show what kernels get wrong: indices out of bounds, updates of one element,
// and windows of which a part is out of bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>

#include "fuzz/draw/draw.h"

namespace assay {
namespace {

constexpr uint64_t kCallsOfShares = 1500;

std::vector<int64_t> ListOf(const Op& op, std::string_view name) {
  const Tensor& tensor = std::get<Tensor>(op.FindAttribute(name)->value);
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < tensor.size(); ++i)
    numbers.push_back(static_cast<int64_t>(tensor.Bits(i)));
  return numbers;
}

// Returns the place of a number in a list, or -1.
int64_t PlaceOf(int64_t number, const std::vector<int64_t>& list) {
  const auto it = std::ranges::find(list, number);
  return it == list.end() ? -1 : it - list.begin();
}

// The values of an operand of a call that is a case of its own.
Tensor DrawnValues(const Case& c, const Op::Operand& operand) {
  const auto& names = c.program.main().inputs;
  const auto it = std::ranges::find(names, operand.value, &TypedName::name);
  return c.inputs[static_cast<size_t>(it - names.begin())].data.Materialise();
}

// What is seen of one call.
struct IndexSight {
  bool can_leave = false, leaves = false;  // out of bounds
  bool can_meet = false, meets = false;    // updates of one element
  bool can_part = false, parts = false;    // of windows that are partly inside
};

IndexSight SeeScatter(const Case& c, const Op& op) {
  IndexSight sight;
  const Shape input = op.Inputs("inputs")[0].type.tensor().shape;
  const Shape updates = op.Inputs("updates")[0].type.tensor().shape;
  const Tensor indices = DrawnValues(c, op.Inputs("scatter_indices")[0]);
  const Shape& index_shape = indices.type().shape;
  const auto windows = ListOf(op, "update_window_dims");
  const auto inserted = ListOf(op, "inserted_window_dims");
  const auto batching = ListOf(op, "input_batching_dims");
  const auto of_indices = ListOf(op, "scatter_indices_batching_dims");
  const auto mapped = ListOf(op, "scatter_dims_to_operand_dims");
  const auto vector_dim =
      static_cast<size_t>(ListOf(op, "index_vector_dim")[0]);
  if (*ElementCount(updates) == 0 || *ElementCount(input) == 0) return sight;
  // By window: how many of its elements are inside, and how many outside.
  std::map<Index, std::pair<int, int>> inside;
  std::set<Index> targets;
  Index update;
  for (IndexSpace space(updates); space.Next(&update);) {
    Index scatter, window;
    for (size_t d = 0; d < updates.size(); ++d)
      (PlaceOf(static_cast<int64_t>(d), windows) < 0 ? scatter : window)
          .push_back(update[d]);
    Index target;
    bool is_inside = true;
    size_t next = 0;
    for (size_t d = 0; d < input.size(); ++d) {
      const auto number = static_cast<int64_t>(d);
      __int128 at = 0;
      if (const int64_t k = PlaceOf(number, mapped); k >= 0) {
        Index place = scatter;
        if (vector_dim < index_shape.size())
          place.insert(place.begin() + static_cast<int64_t>(vector_dim), k);
        int64_t element = 0;
        for (size_t e = 0; e < place.size(); ++e)
          element = element * index_shape[e] + place[e];
        at += ValueOf(indices.element_type(), indices.Bits(element));
      }
      if (const int64_t k = PlaceOf(number, batching); k >= 0) {
        const auto dim =
            static_cast<size_t>(of_indices[static_cast<size_t>(k)]);
        at += scatter[dim - (dim < vector_dim ? 0 : 1)];
      } else if (PlaceOf(number, inserted) < 0) {
        at += window[next++];
      }
      is_inside = is_inside && at >= 0 && at < input[d];
      if (is_inside) target.push_back(static_cast<int64_t>(at));
    }
    ++(is_inside ? inside[scatter].first : inside[scatter].second);
    if (!is_inside) continue;
    if (!targets.insert(target).second) sight.meets = true;
  }
  sight.can_leave = !mapped.empty();
  sight.can_meet = inside.size() > 1;
  for (const auto& [scatter, counts] : inside) {
    sight.leaves = sight.leaves || counts.second > 0;
    sight.can_part =
        sight.can_part || (sight.can_leave && counts.first + counts.second > 1);
    sight.parts = sight.parts || (counts.first > 0 && counts.second > 0);
  }
  return sight;
}

// Says whether an index is clamped, of a tensor of tuples of indices.
void SeeStarts(const Tensor& indices, size_t vector_dim,
               const std::vector<int64_t>& last, IndexSight* sight) {
  Index index;
  int64_t i = 0;
  for (IndexSpace space(indices.type().shape); space.Next(&index); ++i) {
    const size_t k =
        vector_dim < index.size() ? static_cast<size_t>(index[vector_dim]) : 0;
    const __int128 start = ValueOf(indices.element_type(), indices.Bits(i));
    sight->can_leave = true;
    sight->leaves = sight->leaves || start < 0 || start > last[k];
  }
}

IndexSight SeeGather(const Case& c, const Op& op) {
  IndexSight sight;
  const Shape operand = op.Inputs("operand")[0].type.tensor().shape;
  std::vector<int64_t> sizes;
  if (op.FindAttribute("slice_sizes")) {
    sizes = ListOf(op, "slice_sizes");
  } else {
    const Tensor values = DrawnValues(c, op.Inputs("slice_sizes")[0]);
    for (int64_t d = 0; d < values.size(); ++d)
      sizes.push_back(
          static_cast<int64_t>(ValueOf(values.element_type(), values.Bits(d))));
  }
  std::vector<int64_t> last;
  for (const int64_t d : ListOf(op, "start_index_map"))
    last.push_back(operand[static_cast<size_t>(d)] -
                   sizes[static_cast<size_t>(d)]);
  SeeStarts(DrawnValues(c, op.Inputs("start_indices")[0]),
            static_cast<size_t>(ListOf(op, "index_vector_dim")[0]), last,
            &sight);
  return sight;
}

IndexSight SeeSlice(const Case& c, const Op& op) {
  IndexSight sight;
  const Shape operand = op.inputs[0].type.tensor().shape;
  const auto updates = op.Inputs("update");
  const Shape slice = updates.empty() ? op.outputs[0].type.tensor().shape
                                      : updates[0].type.tensor().shape;
  const auto starts = op.Inputs("start_indices");
  for (size_t d = 0; d < starts.size(); ++d)
    SeeStarts(DrawnValues(c, starts[d]), 0, {operand[d] - slice[d]}, &sight);
  return sight;
}

using See = IndexSight (*)(const Case& c, const Op& op);

struct Shares {
  int cases = 0, whole = 0;  // with results that have elements
  int can_leave = 0, leave = 0, can_meet = 0, meet = 0, can_part = 0, part = 0;
};

Shares SharesOf(const std::string& id, See see) {
  DrawOptions options;
  options.ops = {id};
  options.violations = options.programs = false;
  Generator generator(options);
  Shares shares;
  for (uint64_t index = 0; index < kCallsOfShares; ++index) {
    const Case c = generator.Draw(11, index).c;
    const Op& op = c.program.main().body[0];
    ++shares.cases;
    bool has_elements = true;
    for (const Op::Result& result : op.outputs)
      has_elements = has_elements && result.type.IsTensor() &&
                     *ElementCount(result.type.tensor().shape) > 0;
    if (!has_elements) continue;
    ++shares.whole;
    const IndexSight sight = see == nullptr ? IndexSight() : see(c, op);
    shares.can_leave += sight.can_leave;
    shares.leave += sight.leaves;
    shares.can_meet += sight.can_meet;
    shares.meet += sight.meets;
    shares.can_part += sight.can_part;
    shares.part += sight.parts;
  }
  return shares;
}

TEST(Shares, OfCallsWhoseResultsHaveElementsAreMost) {
  for (const char* id :
       {"bitcast_convert", "broadcast_in_dim", "concatenate", "constant",
        "dynamic_broadcast_in_dim", "dynamic_iota", "dynamic_pad",
        "dynamic_reshape", "get_dimension_size", "iota", "pad", "reshape",
        "reverse", "slice", "sort", "transpose"}) {
    const Shares shares = SharesOf(id, nullptr);
    EXPECT_GE(100 * shares.whole, 80 * shares.cases) << id;
    RecordProperty(id, shares.whole);
  }
}

// What is seen of a call with windows: whether they have elements of which some
// order counts, and what is special about them.
struct WindowSight {
  bool is_whole = false, has_several = false, has_many = false;
  bool overlap = false, are_dilated = false, are_padded = false,
       are_cut = false;
};

WindowSight SeeWindows(const Op& op) {
  WindowSight sight;
  const Op::Operand& of_windows = op.inputs[op.op == "reduce_window" ? 0 : 1];
  const Shape& windows = op.op == "reduce_window"
                             ? op.outputs[0].type.tensor().shape
                             : of_windows.type.tensor().shape;
  sight.is_whole = *ElementCount(windows) > 0 &&
                   *ElementCount(op.inputs[0].type.tensor().shape) > 0;
  const std::vector<int64_t> sizes = ListOf(op, "window_dimensions"),
                             strides = ListOf(op, "window_strides"),
                             padding = ListOf(op, "padding");
  int64_t length = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    length *= sizes[d];
    sight.overlap |= windows[d] > 1 && strides[d] < sizes[d];
    sight.are_padded |= padding[2 * d] > 0 || padding[2 * d + 1] > 0;
    sight.are_cut |= padding[2 * d] < 0 || padding[2 * d + 1] < 0;
    for (const char* name : {"base_dilations", "window_dilations"})
      sight.are_dilated |=
          op.FindAttribute(name) != nullptr && ListOf(op, name)[d] > 1;
  }
  sight.has_several = length > 1;
  sight.has_many = length > 8;
  return sight;
}

TEST(Shares, OfWindowsThatShowAnOrderAreMost) {
  for (const char* id : {"reduce_window", "select_and_scatter"}) {
    DrawOptions options;
    options.ops = {id};
    options.violations = options.programs = false;
    Generator generator(options);
    int whole = 0, several = 0, many = 0, overlap = 0, dilated = 0, padded = 0,
        cut = 0;
    for (uint64_t index = 0; index < kCallsOfShares; ++index) {
      const Case c = generator.Draw(11, index).c;
      const WindowSight sight = SeeWindows(c.program.main().body[0]);
      whole += sight.is_whole;
      if (!sight.is_whole) continue;
      several += sight.has_several;
      many += sight.has_many;
      overlap += sight.overlap;
      dilated += sight.are_dilated;
      padded += sight.are_padded;
      cut += sight.are_cut;
    }
    SCOPED_TRACE(std::string(id) + ": " + std::to_string(whole) + " whole, " +
                 std::to_string(several) + " several, " + std::to_string(many) +
                 " many, " + std::to_string(overlap) + " overlap, " +
                 std::to_string(dilated) + " dilated, " +
                 std::to_string(padded) + " padded, " + std::to_string(cut) +
                 " cut");
    const int calls = kCallsOfShares;
    EXPECT_GE(100 * whole, 70 * calls);
    EXPECT_GE(100 * several, 60 * whole);
    EXPECT_GE(100 * many, 5 * whole);
    EXPECT_GE(100 * overlap, 10 * whole);
    EXPECT_GE(100 * padded, 10 * whole);
    EXPECT_GE(100 * cut, 3 * whole);
    const int least_dilated = id == std::string("reduce_window") ? 10 : 0;
    EXPECT_GE(100 * dilated, least_dilated * whole);
  }
}

TEST(Shares, OfIndicesOutOfBoundsAndOfUpdatesThatMeetAreSeveral) {
  const std::pair<const char*, See> ops[] = {
      {"dynamic_gather", &SeeGather},
      {"dynamic_slice", &SeeSlice},
      {"dynamic_update_slice", &SeeSlice},
      {"gather", &SeeGather},
      {"scatter", &SeeScatter}};
  for (const auto& [id, see] : ops) {
    const Shares shares = SharesOf(id, see);
    SCOPED_TRACE(id);
    EXPECT_GE(100 * shares.whole, 80 * shares.cases);
    EXPECT_GT(shares.can_leave, shares.cases / 4);
    EXPECT_GE(100 * shares.leave, 5 * shares.can_leave);
    if (see != &SeeScatter) continue;
    EXPECT_GT(shares.can_meet, shares.cases / 4);
    EXPECT_GE(100 * shares.meet, 5 * shares.can_meet);
    EXPECT_GT(shares.can_part, shares.cases / 4);
    EXPECT_GE(100 * shares.part, 5 * shares.can_part);
  }
}

}  // namespace
}  // namespace assay
