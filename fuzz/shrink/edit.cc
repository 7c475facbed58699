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

Tensor Reshaped(const Tensor& tensor, const Shape& shape) {
  Tensor result(TensorType{shape, tensor.element_type()});
  for (int64_t i = 0; i < result.size(); ++i) result.SetBits(i, tensor.Bits(i));
  return result;
}

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

bool IsList(const Attribute& attribute) {
  const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
  return tensor != nullptr && tensor->type().shape.size() == 1 &&
         IsInteger(tensor->element_type());
}

std::optional<std::vector<int64_t>> IntegersOf(const Attribute& attribute) {
  const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
  if (tensor == nullptr || !IsInteger(tensor->element_type()) ||
      tensor->type().shape.size() > 1)
    return std::nullopt;
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < tensor->size(); ++i)
    numbers.push_back(static_cast<int64_t>(
        assay::ValueOf(tensor->element_type(), tensor->Bits(i))));
  return numbers;
}

void SetIntegers(const std::vector<int64_t>& numbers, Attribute* attribute) {
  Tensor& tensor = std::get<Tensor>(attribute->value);
  TensorType type = tensor.type();
  if (!type.shape.empty()) type.shape[0] = static_cast<int64_t>(numbers.size());
  tensor = IntegerTensor(type, numbers);
}

Tensor* LiteralOf(Op* op) {
  for (Attribute& attribute : op->attributes) {
    Tensor* tensor = std::get_if<Tensor>(&attribute.value);
    // A list or number that an op asks for has a type in its file.
    if (tensor != nullptr && !FindOp(op->op)->Input(attribute.name)->type &&
        op->outputs[0].type == tensor->type())
      return tensor;
  }
  return nullptr;
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
        if (operand.value != value) continue;
        operand.type = type;
        // Elements of another type are not those of this one.
        if (operand.known && operand.known->type() != type)
          operand.known.reset();
      }
      for (Op::Result& result : op.outputs) {
        if (result.value == value) result.type = type;
      }
    }
  }
}

namespace {

// Returns the numbers in another element type; nothing if one of them is too
// great for an integer.
std::optional<Tensor> Converted(const Tensor& before, ElementType to) {
  Tensor after(TensorType{before.type().shape, to});
  for (int64_t i = 0; i < after.size(); ++i) {
    const double number =
        VisitElementType(before.element_type(), [&]<class T>() -> double {
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
  return after;
}

}  // namespace

std::optional<Case> WithElementType(const Case& c, ElementType from,
                                    ElementType to) {
  Case changed = c;
  for (CaseInput& input : changed.inputs) {
    if (input.data.type.element_type != from) continue;
    auto converted = Converted(input.data.Materialise(), to);
    if (!converted) return std::nullopt;
    input.data.source = *std::move(converted);
  }
  const auto convert = [&](Tensor* tensor) {
    if (tensor->element_type() != from) return true;
    std::optional<Tensor> converted = Converted(*tensor, to);
    if (converted) *tensor = *std::move(converted);
    return converted.has_value();
  };
  for (Function* function : FunctionsOf(&changed.program)) {
    for (Op& op : function->body) {
      Tensor* const literal = LiteralOf(&op);
      if (literal != nullptr && !convert(literal)) return std::nullopt;
      for (Op::Operand& operand : op.inputs) {
        if (operand.known && !convert(&*operand.known)) return std::nullopt;
      }
    }
  }
  for (const std::string& value : ValuesOf(c)) {
    TensorType type = TypeOf(c, value);
    if (type.element_type != from) continue;
    type.element_type = to;
    SetType(value, type, &changed);
  }
  return changed;
}

std::vector<std::string> FalseLabels(const Op& op) {
  std::vector<std::string> labels;
  for (const ConstraintResult& result : CheckConstraints(*FindOp(op.op), op)) {
    if (result.truth == Truth::kFalse)
      labels.push_back(result.constraint->label);
  }
  std::ranges::sort(labels);
  return labels;
}

std::vector<std::string> FalseLabels(const Case& c) {
  std::vector<std::string> labels;
  Program copy = c.program;
  for (const Function* function : FunctionsOf(&copy)) {
    for (const Op& op : function->body) {
      for (const std::string& label : FalseLabels(op)) labels.push_back(label);
    }
  }
  std::ranges::sort(labels);
  return labels;
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
  std::vector<std::string> said = c.violates;
  std::ranges::sort(said);
  return FalseLabels(c) == said;
}

}  // namespace assay
