#include "fuzz/shrink/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fuzz/draw/values.h"
#include "fuzz/shrink/program_edit.h"
#include "oracle/oracle.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

CaseInput* InputOf(const std::string& value, Case* c) {
  const std::vector<TypedName>& inputs = c->program.main().inputs;
  const auto it = std::ranges::find(inputs, value, &TypedName::name);
  if (it == inputs.end() || c->inputs.empty()) return nullptr;
  return &c->inputs[static_cast<size_t>(it - inputs.begin())];
}

Layout* LayoutOf(const std::string& value, Case* c) {
  if (CaseInput* input = InputOf(value, c)) return &input->layout;
  const auto it = c->output_layouts.find(value);
  return it == c->output_layouts.end() ? nullptr : &it->second;
}

bool IsPlain(const Layout& layout, const Shape& shape) {
  return layout.strides == RowMajorStrides(shape);
}

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

// Returns the same elements in another shape.
Tensor Reshaped(const Tensor& tensor, const Shape& shape) {
  Tensor result(TensorType{shape, tensor.element_type()});
  for (int64_t i = 0; i < result.size(); ++i) result.SetBits(i, tensor.Bits(i));
  return result;
}

void SetShape(const std::string& value, const Shape& shape, Case* c) {
  SetType(value, {shape, TypeOf(*c, value).element_type}, c);
}

// Calls visit(name, type) for every value of the functions of a case.
template <class Visit>
void ForEachValue(const Function& function, const Visit& visit) {
  for (const TypedName& input : function.inputs) visit(input.name, input.type);
  for (const Op& op : function.body) {
    for (const Op::Result& result : op.outputs)
      visit(result.value, result.type);
    for (const Function& region : op.regions) ForEachValue(region, visit);
    if (op.callee != nullptr) ForEachValue(*op.callee, visit);
  }
}

}  // namespace

Tensor CopyOf(const Tensor& tensor) {
  return Reshaped(tensor, tensor.type().shape);
}

std::vector<std::string> ValuesOf(const Case& c) {
  std::vector<std::string> values;
  ForEachValue(c.program.main(), [&](const std::string& name, const auto&) {
    values.push_back(name);
  });
  return values;
}

const TensorType& TypeOf(const Case& c, const std::string& value) {
  const TensorType* found = nullptr;
  ForEachValue(c.program.main(),
               [&](const std::string& name, const ValueType& type) {
                 if (name == value && found == nullptr) found = &type.tensor();
               });
  if (found != nullptr) return *found;
  CheckFailed("the value is one of the case's", __FILE__, __LINE__);
}

Case InRowMajorOrder(Case c) {
  for (CaseInput& input : c.inputs)
    input.layout = Layout::RowMajor(input.data.type.shape);
  c.output_layouts.clear();
  c.alias.clear();
  for (Op& op : c.program.functions[0].body) {
    for (Op::Result& result : op.outputs) result.in_place.reset();
  }
  return c;
}

void SetType(const std::string& value, const TensorType& type, Case* c) {
  if (CaseInput* input = InputOf(value, c)) input->data.type = type;
  for (Function* function : FunctionsOf(&c->program)) {
    const auto set = [&](std::vector<TypedName>* names) {
      for (TypedName& name : *names) {
        if (name.name == value) name.type = type;
      }
    };
    set(&function->inputs);
    set(&function->results);
    for (Op& op : function->body) {
      for (Op::Operand& operand : op.inputs) {
        if (operand.value == value) operand.type = type;
      }
      for (Op::Result& result : op.outputs) {
        if (result.value == value) result.type = type;
      }
    }
  }
}

std::optional<Case> Sliced(const Case& c, const Axis& axis, int64_t begin,
                           int64_t end) {
  if (begin == 0 && end == axis.size) return std::nullopt;
  Case sliced = c;
  for (const Axis::Place& place : axis.places) {
    Shape shape = TypeOf(c, place.value).shape;
    // The operand is repeated.
    if (shape[place.dimension] != axis.size) continue;
    Layout* layout = LayoutOf(place.value, &sliced);
    const bool is_plain = layout == nullptr || IsPlain(*layout, shape);
    if (CaseInput* input = InputOf(place.value, &sliced))
      input->data.source =
          SliceAlong(input->data.Materialise(), place.dimension, begin, end);
    const int64_t stride =
        layout == nullptr ? 0 : layout->strides[place.dimension];
    shape[place.dimension] = end - begin;
    SetShape(place.value, shape, &sliced);
    if (layout == nullptr) continue;
    if (is_plain) {
      layout->strides = RowMajorStrides(shape);
    } else if (stride < 0) {
      // The last element is at the start.
      layout->offset += (axis.size - (end - begin)) * stride;
    }
  }
  return sliced;
}

std::optional<Case> WithoutAxis(const Case& c, const Axis& axis) {
  if (axis.size != 1) return std::nullopt;
  Case without = c;
  for (const Axis::Place& place : axis.places) {
    Shape shape = TypeOf(c, place.value).shape;
    if (shape[place.dimension] != 1) return std::nullopt;
    const auto at = static_cast<std::ptrdiff_t>(place.dimension);
    shape.erase(shape.begin() + at);
    if (CaseInput* input = InputOf(place.value, &without))
      input->data.source = Reshaped(input->data.Materialise(), shape);
    if (Layout* layout = LayoutOf(place.value, &without))
      layout->strides.erase(layout->strides.begin() + at);
    SetShape(place.value, shape, &without);
  }
  for (Op& op : without.program.functions[0].body)
    RepairAttributes(axis, c.violates, &op);
  return without;
}

std::optional<Case> Merged(const Case& c, const Axis& outer,
                           const Axis& inner) {
  Case merged = c;
  if (outer.places.size() != inner.places.size()) return std::nullopt;
  for (size_t i = 0; i < outer.places.size(); ++i) {
    const std::string& value = outer.places[i].value;
    const size_t d = outer.places[i].dimension;
    Shape shape = TypeOf(c, value).shape;
    if (inner.places[i].value != value || inner.places[i].dimension != d + 1 ||
        shape[d] != outer.size || shape[d + 1] != inner.size)
      return std::nullopt;
    Layout* layout = LayoutOf(value, &merged);
    if (layout != nullptr && !IsPlain(*layout, shape)) return std::nullopt;
    shape[d] *= shape[d + 1];
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    if (CaseInput* input = InputOf(value, &merged))
      input->data.source = Reshaped(input->data.Materialise(), shape);
    if (layout != nullptr) layout->strides = RowMajorStrides(shape);
    SetShape(value, shape, &merged);
  }
  for (Op& op : merged.program.functions[0].body) {
    if (HasLists(op)) return std::nullopt;
  }
  return merged;
}

std::optional<Case> WithNumbers(const Case& c, size_t attribute,
                                const Tensor& numbers) {
  if (c.program.main().body.size() != 1) return std::nullopt;
  Case changed = c;
  Op& op = changed.program.functions[0].body[0];
  op.attributes[attribute].value = numbers;
  const std::vector<InferredType> inferred =
      InferResultTypes(*FindOp(op.op), op);
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const std::string value = op.outputs[i].value;
    const InferredType* type = FindInferred(inferred, op, i);
    TensorType result = op.outputs[i].type.tensor();
    if (type == nullptr || !type->shape || *type->shape == result.shape)
      continue;
    result.shape = *type->shape;
    SetType(value, result, &changed);
    changed.output_layouts.erase(value);
  }
  return changed;
}

std::optional<Case> OneOp(const Case& c, size_t number, const Policy& policy) {
  const Function& main = c.program.main();
  if (main.body.size() < 2) return std::nullopt;
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < main.inputs.size(); ++i)
    values[main.inputs[i].name] = c.inputs[i].data.Materialise();
  for (size_t i = 0; i < number; ++i) {
    const Op& op = main.body[i];
    std::vector<Tensor> operands;
    for (const Op::Operand& operand : op.inputs)
      operands.push_back(values.at(operand.value));
    for (const TypedName& capture : Captures(op))
      operands.push_back(values.at(capture.name));
    const Evaluation evaluation = Evaluate(op, operands, policy, Marks::kNone);
    for (size_t k = 0; k < op.outputs.size(); ++k)
      values[op.outputs[k].value] = evaluation.outputs[k].lo;
  }
  Case one;
  one.name = c.name;
  Op op = main.body[number];
  one.op = op.op;
  Function& function = one.program.functions.emplace_back();
  function.name = "main";
  const auto add = [&](const TypedName& value, const std::string& name) {
    function.inputs.push_back({name, value.type});
    Layout layout = Layout::RowMajor(value.type.tensor().shape);
    const auto input =
        std::ranges::find(main.inputs, value.name, &TypedName::name);
    if (input != main.inputs.end()) {
      layout =
          c.inputs[static_cast<size_t>(input - main.inputs.begin())].layout;
    } else if (c.output_layouts.contains(value.name)) {
      layout = c.output_layouts.at(value.name);
    }
    one.inputs.push_back({{value.type, values.at(value.name)}, layout});
  };
  const std::vector<TypedName> captures = Captures(op);
  std::map<std::string, size_t> counts;
  for (Op::Operand& operand : op.inputs) {
    // Operands of a variadic input have one name.
    std::string name = operand.name;
    if (const size_t count = counts[operand.name]++; count > 0)
      name += fmt::format("{}", count);
    add({operand.value, operand.type}, name);
    operand.value = name;
  }
  for (const TypedName& capture : captures) add(capture, capture.name);
  std::map<std::string, size_t> result_counts;
  for (Op::Result& result : op.outputs) {
    std::string name = result.name;
    if (const size_t count = result_counts[result.name]++; count > 0)
      name += fmt::format("{}", count);
    if (c.output_layouts.contains(result.value))
      one.output_layouts[name] = c.output_layouts.at(result.value);
    result.value = name;
    function.results.push_back({result.value, result.type});
  }
  function.body.push_back(std::move(op));
  return one;
}

std::optional<Case> FirstOps(const Case& c, size_t count) {
  if (count == 0 || count >= c.program.main().body.size()) return std::nullopt;
  Case first = c;
  Function& main = first.program.functions[0];
  main.body.resize(count);
  first.op = main.body.back().op;
  main.results.clear();
  for (const Op::Result& result : main.body.back().outputs)
    main.results.push_back({result.value, result.type});
  for (size_t i = main.inputs.size(); i-- > 0;) {
    const bool is_used = std::ranges::any_of(main.body, [&](const Op& op) {
      const std::vector<TypedName> captures = Captures(op);
      const std::string& name = main.inputs[i].name;
      return std::ranges::count(op.inputs, name, &Op::Operand::value) +
                 std::ranges::count(captures, name, &TypedName::name) >
             0;
    });
    if (is_used) continue;
    main.inputs.erase(main.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    first.inputs.erase(first.inputs.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::erase_if(first.output_layouts, [&](const auto& layout) {
    return std::ranges::none_of(main.body, [&](const Op& op) {
      return std::ranges::find(op.outputs, layout.first, &Op::Result::value) !=
             op.outputs.end();
    });
  });
  return first;
}

std::optional<Case> WithElementType(const Case& c, ElementType from,
                                    ElementType to) {
  Case changed = c;
  for (const std::string& value : ValuesOf(c)) {
    TensorType type = TypeOf(c, value);
    if (type.element_type != from) continue;
    type.element_type = to;
    if (CaseInput* input = InputOf(value, &changed)) {
      const Tensor before = input->data.Materialise();
      Tensor after(type);
      for (int64_t i = 0; i < after.size(); ++i) {
        const double number = VisitElementType(from, [&]<class T>() -> double {
          const T element =
              T::FromBits(static_cast<typename T::Bits>(before.Bits(i)));
          if constexpr (T::kKind == ElementKind::kFloat) {
            return element.ToDouble();
          } else if constexpr (T::kKind == ElementKind::kComplex) {
            return element.real().ToDouble();
          } else {
            return static_cast<double>(element.value());
          }
        });
        if (!IsFloat(to) && !(std::fabs(number) < 0x1p62)) return std::nullopt;
        after.SetBits(i, BitsOfNumber(to, number));
      }
      input->data.source = after;
    }
    SetType(value, type, &changed);
  }
  return changed;
}

namespace {

bool HasOneValueAPlace(const CaseInput& input) {
  const Shape& shape = input.data.type.shape;
  bool is_apart = true;
  for (size_t d = 0; d < shape.size(); ++d)
    is_apart &= input.layout.strides[d] != 0 || shape[d] <= 1;
  if (is_apart) return true;
  const Tensor values = input.data.Materialise();
  std::map<int64_t, ElementBits> at;
  Index index;
  int64_t i = 0;
  for (IndexSpace space(shape); space.Next(&index); ++i) {
    const auto [it, is_new] =
        at.emplace(input.layout.At(index), values.Bits(i));
    if (!is_new && it->second != values.Bits(i)) return false;
  }
  return true;
}

}  // namespace

bool IsAsItSays(const Case& c) {
  if (!std::ranges::all_of(c.inputs, HasOneValueAPlace)) return false;
  for (const auto& [result, operand] : c.alias) {
    if (TypeOf(c, result) != TypeOf(c, operand)) return false;
  }
  std::vector<std::string> violated;
  Program copy = c.program;
  for (const Function* function : FunctionsOf(&copy)) {
    for (const Op& op : function->body) {
      for (const std::string& label : FalseLabels(op))
        violated.push_back(label);
    }
  }
  std::vector<std::string> said = c.violates;
  std::ranges::sort(said);
  std::ranges::sort(violated);
  return violated == said;
}

}  // namespace assay
