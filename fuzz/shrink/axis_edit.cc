#include "fuzz/shrink/axis_edit.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "fuzz/shrink/edit.h"
#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

// Returns the part of a tensor at [begin, end) of a dimension.
Tensor SliceAlong(const Tensor& tensor, size_t dimension, int64_t begin,
                  int64_t end) {
  Shape shape = tensor.type().shape;
  const int64_t size = shape[dimension];
  shape[dimension] = end - begin;
  Tensor slice(TensorType{shape, tensor.element_type()});
  int64_t inner = 1;
  for (size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  for (int64_t i = 0; i < slice.size(); ++i) {
    const int64_t outer = i / inner / (end - begin);
    const int64_t at = i / inner % (end - begin) + begin;
    slice.SetBits(i, tensor.Bits((outer * size + at) * inner + i % inner));
  }
  return slice;
}

bool IsPlain(const Layout& layout, const Shape& shape) {
  return layout.strides == RowMajorStrides(shape);
}

void SetShape(const std::string& value, const Shape& shape, Case* c) {
  SetType(value, {shape, TypeOf(*c, value).element_type}, c);
}

// Changes the elements of a value that a case has itself: those of an input, or
// literal ones of an op.
template <class Change>  // Change(const Tensor&): Tensor
void ChangeElements(const std::string& value, const Change& change, Case* c) {
  if (CaseInput* input = InputOf(value, c))
    input->data.source = change(input->data.Materialise());
  for (Function* function : FunctionsOf(&c->program)) {
    for (Op& op : function->body) {
      Tensor* const literal = LiteralOf(&op);
      if (literal != nullptr && op.outputs[0].value == value)
        *literal = change(*literal);
    }
  }
}

void Slice(const Axis& axis, int64_t begin, int64_t end, Case* c) {
  const int64_t size = SizeIn(*c, axis);
  ASSAY_CHECK(begin >= 0 && end <= size);
  for (const auto& [value, dimension] : axis.places) {
    Shape shape = TypeOf(*c, value).shape;
    // The value is repeated.
    if (shape[dimension] != size) continue;
    Layout* layout = LayoutOf(value, c);
    const bool is_plain = layout == nullptr || IsPlain(*layout, shape);
    ChangeElements(
        value,
        [&, d = dimension](const Tensor& elements) {
          return SliceAlong(elements, d, begin, end);
        },
        c);
    const int64_t stride = layout == nullptr ? 0 : layout->strides[dimension];
    shape[dimension] = end - begin;
    SetShape(value, shape, c);
    if (layout == nullptr) continue;
    if (is_plain) {
      layout->strides = RowMajorStrides(shape);
    } else if (stride < 0) {
      // The last element is at the start.
      layout->offset += (size - (end - begin)) * stride;
    }
  }
}

const Axis& AxisWith(const std::string& value, size_t dimension,
                     const std::vector<Axis>& axes) {
  return *std::ranges::find_if(axes, [&](const Axis& axis) {
    return std::ranges::any_of(axis.places, [&](const Axis::Place& place) {
      return place.value == value && place.dimension == dimension;
    });
  });
}

// Shortens one axis of a result of which a smaller shape is inferred, and
// returns whether there was one. None becomes empty, because a tensor without
// elements shows little.
bool ShortenInferred(const std::vector<Axis>& axes, Case* c) {
  for (const Function* function : FunctionsOf(&c->program)) {
    for (const Op& op : function->body) {
      const std::vector<InferredType> inferred =
          InferResultTypes(*FindOp(op.op), op);
      for (size_t k = 0; k < op.outputs.size(); ++k) {
        const InferredType* type = FindInferred(inferred, op, k);
        const Shape& shape = op.outputs[k].type.tensor().shape;
        if (type == nullptr || !type->shape ||
            type->shape->size() != shape.size())
          continue;
        for (size_t d = 0; d < shape.size(); ++d) {
          const int64_t size = (*type->shape)[d];
          if (size < 1 || size >= shape[d]) continue;
          Slice(AxisWith(op.outputs[k].value, d, axes), 0, size, c);
          return true;
        }
      }
    }
  }
  return false;
}

// By value, Lost has the dimensions that it loses.
using Lost = std::map<std::string, std::set<size_t>>;

// Removes dimension `d` from the lists and numbers of an op: its entry, or its
// number, in which case those of the dimensions behind it move down by one.
void RemoveFromLists(size_t d, bool by_entry, Op* op) {
  const auto number = static_cast<int64_t>(d);
  for (Attribute& attribute : op->attributes) {
    std::optional<std::vector<int64_t>> numbers = IntegersOf(attribute);
    if (!numbers) continue;
    const bool is_list = IsList(attribute);
    if (!by_entry) {
      if (is_list) std::erase(*numbers, number);
      for (int64_t& other : *numbers) other -= other > number ? 1 : 0;
    } else if (is_list && d < numbers->size()) {
      numbers->erase(numbers->begin() + number);
    }
    SetIntegers(*numbers, &attribute);
  }
}

// Changes the lists and numbers among the attributes of a call whose values
// have lost dimensions, so that its constraints hold: unchanged, without the
// entries of the dimensions, or as numbers of dimensions. The call stays as it
// is if none of it helps.
void RepairAttributes(const Lost& lost, Op* op) {
  if (op->attributes.empty() || FalseLabels(*op).empty()) return;
  std::vector<std::string> values;
  for (const Op::Result& result : op->outputs) values.push_back(result.value);
  for (const Op::Operand& operand : op->inputs) values.push_back(operand.value);
  for (const std::string& value : values) {
    const auto it = lost.find(value);
    if (it == lost.end()) continue;
    for (const bool by_entry : {false, true}) {
      Op call = *op;
      std::for_each(it->second.rbegin(), it->second.rend(),
                    [&](size_t d) { RemoveFromLists(d, by_entry, &call); });
      if (!FalseLabels(call).empty()) continue;
      op->attributes = std::move(call.attributes);
      return;
    }
  }
}

// Removes axes, all of which have size 1.
Case Without(const Case& c, const std::vector<const Axis*>& axes) {
  Lost lost;
  for (const Axis* axis : axes) {
    for (const Axis::Place& place : axis->places)
      lost[place.value].insert(place.dimension);
  }
  Case without = c;
  for (const auto& [value, dimensions] : lost) {
    Shape shape = TypeOf(c, value).shape;
    Layout* layout = LayoutOf(value, &without);
    std::for_each(dimensions.rbegin(), dimensions.rend(), [&](size_t d) {
      const auto at = static_cast<std::ptrdiff_t>(d);
      shape.erase(shape.begin() + at);
      if (layout != nullptr)
        layout->strides.erase(layout->strides.begin() + at);
    });
    ChangeElements(
        value,
        [&](const Tensor& elements) { return Reshaped(elements, shape); },
        &without);
    SetShape(value, shape, &without);
  }
  for (Function* function : FunctionsOf(&without.program)) {
    for (Op& op : function->body) RepairAttributes(lost, &op);
  }
  return without;
}

}  // namespace

std::optional<Case> Sliced(const Case& c, const std::vector<Axis>& axes,
                           size_t axis, int64_t begin, int64_t end) {
  if (begin == 0 && end == axes[axis].size) return std::nullopt;
  Case sliced = c;
  Slice(axes[axis], begin, end, &sliced);
  while (ShortenInferred(axes, &sliced)) {
  }
  return sliced;
}

std::optional<Case> WithoutAxis(const Case& c, const std::vector<Axis>& axes,
                                size_t axis) {
  if (axes[axis].size != 1) return std::nullopt;
  std::vector<const Axis*> lost = {&axes[axis]};
  Case without = Without(c, lost);
  for (size_t wrong = FalseLabels(without).size(); wrong > 0;) {
    bool helps = false;
    for (const Axis& other : axes) {
      if (other.size != 1 || std::ranges::count(lost, &other) > 0) continue;
      lost.push_back(&other);
      Case more = Without(c, lost);
      const size_t left = FalseLabels(more).size();
      helps = left < wrong;
      if (!helps) {
        lost.pop_back();
        continue;
      }
      without = std::move(more);
      wrong = left;
      break;
    }
    if (!helps) return std::nullopt;
  }
  return without;
}

std::optional<Case> Merged(const Case& c, const Axis& outer,
                           const Axis& inner) {
  Case merged = c;
  if (outer.places.size() != inner.places.size()) return std::nullopt;
  for (Function* function : FunctionsOf(&merged.program)) {
    for (Op& op : function->body) {
      if (std::ranges::any_of(op.attributes, IsList)) return std::nullopt;
    }
  }
  for (size_t i = 0; i < outer.places.size(); ++i) {
    const auto& [value, d] = outer.places[i];
    Shape shape = TypeOf(merged, value).shape;
    // A value that has both axes twice is not merged.
    const bool is_first = shape == TypeOf(c, value).shape;
    if (!is_first || inner.places[i].value != value ||
        inner.places[i].dimension != d + 1 || shape[d] != outer.size ||
        shape[d + 1] != inner.size)
      return std::nullopt;
    Layout* layout = LayoutOf(value, &merged);
    if (layout != nullptr && !IsPlain(*layout, shape)) return std::nullopt;
    shape[d] *= shape[d + 1];
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    ChangeElements(
        value,
        [&](const Tensor& elements) { return Reshaped(elements, shape); },
        &merged);
    if (layout != nullptr) layout->strides = RowMajorStrides(shape);
    SetShape(value, shape, &merged);
  }
  return merged;
}

std::optional<Case> WithNumbers(const Case& c, const std::vector<Axis>& axes,
                                OpPlace place, size_t attribute,
                                const Tensor& numbers) {
  Case changed = c;
  Op& op = OpAt(place, &changed.program);
  op.attributes[attribute].value = numbers;
  const std::vector<InferredType> inferred =
      InferResultTypes(*FindOp(op.op), op);
  std::map<std::string, Shape> reshaped;
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const InferredType* type = FindInferred(inferred, op, i);
    const Shape& shape = op.outputs[i].type.tensor().shape;
    if (type == nullptr || !type->shape) continue;
    const bool is_smaller =
        type->shape->size() == shape.size() &&
        std::ranges::equal(*type->shape, shape, std::less_equal<int64_t>());
    if (!is_smaller) reshaped[op.outputs[i].value] = *type->shape;
  }
  for (const auto& [value, shape] : reshaped) {
    SetShape(value, shape, &changed);
    changed.output_layouts.erase(value);
  }
  while (reshaped.empty() && ShortenInferred(axes, &changed)) {
  }
  return changed;
}

}  // namespace assay
