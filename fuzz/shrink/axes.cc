#include "fuzz/shrink/axes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/program_edit.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

using Places = std::vector<Axis::Place>;

// A list of dimensions may say three things; these ways stand behind them.
constexpr size_t kWaysOfList = 3;
constexpr size_t kFromLast = 1000 * kWaysOfList, kFromFirst = kFromLast + 1;

// Returns which dimension of an operand may be dimension `d` of the result, as
// a list of dimensions says, counted from the last one, or from the first one.
std::optional<size_t> CorrespondingDimension(size_t way, const Op& op,
                                             size_t operand_rank,
                                             size_t result_rank, size_t d) {
  if (way == kFromLast)
    return d + operand_rank < result_rank
               ? std::nullopt
               : std::optional(d + operand_rank - result_rank);
  if (way == kFromFirst)
    return d < operand_rank ? std::optional(d) : std::nullopt;
  const std::vector<int64_t> list =
      *IntegersOf(op.attributes[way / kWaysOfList]);
  const auto number = static_cast<int64_t>(d);
  std::optional<size_t> dimension;
  switch (way % kWaysOfList) {
    case 0: {  // The list has the dimensions of the result.
      const auto it = std::ranges::find(list, number);
      if (it != list.end()) dimension = static_cast<size_t>(it - list.begin());
      break;
    }
    case 1:  // It has those of the operand.
      if (d < list.size()) dimension = static_cast<size_t>(list[d]);
      break;
    default: {  // The result lacks those that it has.
      size_t left = d;
      for (size_t k = 0; k < operand_rank && !dimension; ++k) {
        if (std::ranges::count(list, static_cast<int64_t>(k)) > 0) continue;
        if (left-- == 0) dimension = k;
      }
    }
  }
  if (dimension && *dimension >= operand_rank) return std::nullopt;
  return dimension;
}

// Returns the dimensions that belong to dimension `d` of the results.
Places PlacesOf(const Op& op, size_t d, size_t way) {
  const Shape& result = op.outputs[0].type.tensor().shape;
  Places places;
  for (const Op::Result& output : op.outputs) {
    if (d < output.type.tensor().shape.size())
      places.push_back({output.value, d});
  }
  for (const Op::Operand& operand : op.inputs) {
    const Shape& shape = operand.type.tensor().shape;
    const auto dimension =
        CorrespondingDimension(way, op, shape.size(), result.size(), d);
    // A dimension that is repeated is 1.
    const bool corresponds =
        dimension && (shape[*dimension] == result[d] || shape[*dimension] == 1);
    // One value may be two operands.
    const bool is_there =
        std::ranges::count(places, operand.value, &Axis::Place::value) > 0;
    if (corresponds && !is_there) places.push_back({operand.value, *dimension});
  }
  return places;
}

// Returns whether the constraints are what they were if the places that have
// this size grow.
bool IsFree(const Op& op, const Places& places, int64_t size) {
  Op grown = op;
  const auto grow = [&](auto& values) {
    for (auto& value : values) {
      for (const Axis::Place& place : places) {
        Shape& shape = value.type.tensor().shape;
        if (place.value == value.value && place.dimension < shape.size() &&
            shape[place.dimension] == size)
          ++shape[place.dimension];
      }
    }
  };
  Tensor* const literal = LiteralOf(&grown);
  grow(grown.inputs);
  grow(grown.outputs);
  if (literal != nullptr) *literal = Tensor(grown.outputs[0].type.tensor());
  return FalseLabels(grown) == FalseLabels(op);
}

// Calls join(places) for dimensions of a call that have one size.
template <class Join>
void JoinOfCall(const Op& op, const Join& join) {
  std::vector<size_t> ways;
  for (size_t i = 0; i < op.attributes.size(); ++i) {
    for (size_t way = 0; IsList(op.attributes[i]) && way < kWaysOfList; ++way)
      ways.push_back(kWaysOfList * i + way);
  }
  ways.push_back(kFromLast);
  ways.push_back(kFromFirst);
  std::set<std::pair<std::string, size_t>> joined;
  const Shape& result = op.outputs[0].type.tensor().shape;
  for (size_t d = 0; d < result.size(); ++d) {
    for (const size_t way : ways) {
      const Places places = PlacesOf(op, d, way);
      if (!IsFree(op, places, result[d])) continue;
      join(places);
      for (const Axis::Place& place : places)
        joined.emplace(place.value, place.dimension);
      break;
    }
  }
  // Operands of one shape may have dimensions that no result has.
  for (const Op::Operand& operand : op.inputs) {
    const Shape& shape = operand.type.tensor().shape;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (joined.contains({operand.value, d})) continue;
      Places places;
      for (const Op::Operand& other : op.inputs) {
        if (other.type.tensor().shape == shape &&
            joined.emplace(other.value, d).second)
          places.push_back({other.value, d});
      }
      if (places.size() > 1 && IsFree(op, places, shape[d])) join(places);
    }
  }
}

class Joined {
 public:
  explicit Joined(const Case& c) {
    std::vector<std::string> values = ValuesOf(c);
    std::ranges::reverse(values);
    for (const std::string& value : values) {
      const Shape& shape = TypeOf(c, value).shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        if (!numbers_.emplace(std::pair(value, d), places_.size()).second)
          continue;
        places_.push_back({value, d});
        sizes_.push_back(shape[d]);
      }
    }
    of_.resize(places_.size());
    std::iota(of_.begin(), of_.end(), size_t{0});
  }

  void Join(const Places& places) {
    for (const Axis::Place& place : places) {
      const size_t one = Find(places[0]), other = Find(place);
      const int64_t size = sizes_[one] != 1 ? sizes_[one] : sizes_[other];
      // A value of size 1 may be repeated to several sizes, which are axes of
      // their own.
      if (sizes_[other] != 1 && sizes_[other] != size) continue;
      of_[std::max(one, other)] = std::min(one, other);
      sizes_[std::min(one, other)] = size;
    }
  }

  // Values that are passed on have one shape.
  void JoinValues(const std::string& one, const ValueType& one_type,
                  const std::string& other, const ValueType& other_type) {
    const Shape& shape = one_type.tensor().shape;
    if (other_type.tensor().shape != shape) return;
    for (size_t d = 0; d < shape.size(); ++d) Join({{one, d}, {other, d}});
  }

  std::vector<Axis> Axes() {
    std::vector<Axis> axes;
    std::map<size_t, size_t> at;
    for (size_t i = 0; i < places_.size(); ++i) {
      const auto [it, is_new] = at.emplace(Find(places_[i]), axes.size());
      if (is_new) axes.push_back({{}, sizes_[i]});
      Axis& axis = axes[it->second];
      axis.places.push_back(places_[i]);
      if (axis.size == 1) axis.size = sizes_[i];
    }
    return axes;
  }

 private:
  size_t Find(const Axis::Place& place) {
    size_t i = numbers_.at({place.value, place.dimension});
    while (of_[i] != i) i = of_[i] = of_[of_[i]];
    return i;
  }

  Places places_;
  std::vector<int64_t> sizes_;  // that of an axis is at its first place
  std::vector<size_t> of_;  // another place of the axis, or the place itself
  std::map<std::pair<std::string, size_t>, size_t> numbers_;
};

// The operands and results of an op that executes functions, or passes values
// on, are what its functions take and return.
void JoinPassedOn(const Op& op, Joined* joined) {
  const bool is_loop = IsLoop(op);
  const auto join = [&](const auto& ones, const auto& others, auto name,
                        auto other_name) {
    if (ones.size() != others.size()) return;
    for (size_t k = 0; k < ones.size(); ++k)
      joined->JoinValues(ones[k].*name, ones[k].type, others[k].*other_name,
                         others[k].type);
  };
  const auto function = [&](const Function& inside) {
    join(inside.inputs, op.inputs, &TypedName::name, &Op::Operand::value);
    join(inside.results, op.outputs, &TypedName::name, &Op::Result::value);
  };
  for (const Function& region : op.regions) function(region);
  if (op.callee != nullptr) function(*op.callee);
  if (is_loop || (op.regions.empty() && op.callee == nullptr))
    join(op.inputs, op.outputs, &Op::Operand::value, &Op::Result::value);
}

}  // namespace

std::vector<Axis> AxesOf(const Case& c) {
  Joined joined(c);
  Program copy = c.program;
  for (const Function* function : FunctionsOf(&copy)) {
    for (const Op& op : function->body) {
      if (FindOp(op.op)->control) {
        JoinPassedOn(op, &joined);
      } else {
        JoinOfCall(op, [&](const Places& places) { joined.Join(places); });
      }
    }
  }
  return joined.Axes();
}

int64_t SizeIn(const Case& c, const Axis& axis) {
  int64_t size = 1;
  for (const Axis::Place& place : axis.places) {
    const int64_t there = TypeOf(c, place.value).shape[place.dimension];
    if (there != 1) size = there;
  }
  return size;
}

}  // namespace assay
