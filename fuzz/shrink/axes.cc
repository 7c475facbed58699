#include "fuzz/shrink/axes.h"

#include <algorithm>

#include "fuzz/shrink/edit.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

using Numbers = std::vector<int64_t>;

std::optional<Numbers> IntegersOf(const Attribute& attribute) {
  const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
  if (tensor == nullptr || !IsInteger(tensor->element_type()) ||
      tensor->type().shape.size() > 1)
    return std::nullopt;
  Numbers numbers;
  for (int64_t i = 0; i < tensor->size(); ++i)
    numbers.push_back(static_cast<int64_t>(
        assay::ValueOf(tensor->element_type(), tensor->Bits(i))));
  return numbers;
}

bool IsList(const Attribute& attribute) {
  const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
  return tensor != nullptr && tensor->type().shape.size() == 1 &&
         IsInteger(tensor->element_type());
}

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
  const Numbers list = *IntegersOf(op.attributes[way / kWaysOfList]);
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

Axis AxisOf(const Op& op, size_t d, size_t way) {
  const Shape& result = op.outputs[0].type.tensor().shape;
  Axis axis;
  axis.size = result[d];
  for (const Op::Result& output : op.outputs) {
    if (d < output.type.tensor().shape.size())
      axis.places.push_back({output.value, d});
  }
  for (const Op::Operand& operand : op.inputs) {
    const Shape& shape = operand.type.tensor().shape;
    const auto dimension =
        CorrespondingDimension(way, op, shape.size(), result.size(), d);
    // A dimension that is repeated is 1.
    const bool corresponds =
        dimension && (shape[*dimension] == axis.size || shape[*dimension] == 1);
    // One value may be two operands.
    const bool is_there =
        std::ranges::count(axis.places, operand.value, &Axis::Place::value) > 0;
    if (corresponds && !is_there)
      axis.places.push_back({operand.value, *dimension});
  }
  return axis;
}

// Returns whether the constraints are what they were if the axis grows.
bool IsFree(const Op& op, const Axis& axis) {
  Op grown = op;
  const auto grow = [&](auto& values) {
    for (auto& value : values) {
      for (const Axis::Place& place : axis.places) {
        Shape& shape = value.type.tensor().shape;
        if (place.value == value.value && place.dimension < shape.size() &&
            shape[place.dimension] == axis.size)
          ++shape[place.dimension];
      }
    }
  };
  grow(grown.inputs);
  grow(grown.outputs);
  return FalseLabels(grown) == FalseLabels(op);
}

std::vector<Axis> AxesOfCall(const Op& op) {
  std::vector<size_t> ways;
  for (size_t i = 0; i < op.attributes.size(); ++i) {
    for (size_t way = 0; IsList(op.attributes[i]) && way < kWaysOfList; ++way)
      ways.push_back(kWaysOfList * i + way);
  }
  ways.push_back(kFromLast);
  ways.push_back(kFromFirst);
  std::vector<Axis> axes;
  const size_t rank = op.outputs[0].type.tensor().shape.size();
  for (size_t d = 0; d < rank; ++d) {
    for (const size_t way : ways) {
      Axis axis = AxisOf(op, d, way);
      if (!IsFree(op, axis)) continue;
      axes.push_back(std::move(axis));
      break;
    }
  }
  return axes;
}

void SetIntegers(const Numbers& numbers, Attribute* attribute) {
  Tensor& tensor = std::get<Tensor>(attribute->value);
  TensorType type = tensor.type();
  if (!type.shape.empty()) type.shape[0] = static_cast<int64_t>(numbers.size());
  tensor = IntegerTensor(type, numbers);
}

}  // namespace

std::vector<std::string> FalseLabels(const Op& op) {
  std::vector<std::string> labels;
  for (const ConstraintResult& result : CheckConstraints(*FindOp(op.op), op)) {
    if (result.truth == Truth::kFalse)
      labels.push_back(result.constraint->label);
  }
  std::ranges::sort(labels);
  return labels;
}

bool HasLists(const Op& op) {
  return std::ranges::any_of(op.attributes, IsList);
}

std::vector<Axis> AxesOf(const Case& c) {
  const std::vector<Op>& body = c.program.main().body;
  if (body.size() == 1) return AxesOfCall(body[0]);
  // Scalars steer branches and loops, or are what functions are applied to.
  Shape shape;
  std::vector<std::string> values;
  for (const std::string& value : ValuesOf(c)) {
    const Shape& other = TypeOf(c, value).shape;
    if (other.empty()) continue;
    if (values.empty()) shape = other;
    if (other != shape) return {};
    values.push_back(value);
  }
  std::vector<Axis> axes(shape.size());
  for (const std::string& value : values) {
    for (size_t d = 0; d < axes.size(); ++d) {
      axes[d].size = shape[d];
      axes[d].places.push_back({value, d});
    }
  }
  return axes;
}

void RepairAttributes(const Axis& lost,
                      const std::vector<std::string>& violates, Op* op) {
  std::vector<std::string> wanted = violates;
  std::ranges::sort(wanted);
  const auto is_repaired = [&](const Op& call) {
    return FalseLabels(call) == wanted;
  };
  if (is_repaired(*op)) return;
  for (const Axis::Place& place : lost.places) {
    const auto dimension = static_cast<int64_t>(place.dimension);
    for (const bool by_entry : {false, true}) {
      Op call = *op;
      for (Attribute& attribute : call.attributes) {
        std::optional<Numbers> numbers = IntegersOf(attribute);
        if (!numbers) continue;
        if (!by_entry) {
          if (IsList(attribute)) std::erase(*numbers, dimension);
          for (int64_t& number : *numbers) number -= number > dimension ? 1 : 0;
        } else if (IsList(attribute) && place.dimension < numbers->size()) {
          numbers->erase(numbers->begin() +
                         static_cast<std::ptrdiff_t>(place.dimension));
        }
        SetIntegers(*numbers, &attribute);
      }
      if (!is_repaired(call)) continue;
      *op = std::move(call);
      return;
    }
  }
}

}  // namespace assay
