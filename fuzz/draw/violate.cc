#include "fuzz/draw/violate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

// Each of these values of promotion_methods is invalid for a reason of its own.
// The last ones are invalid only if the other argument is of a higher category.
constexpr std::array kWrongMethods = {
    "[[0, \"DEFAULT\"], [0, \"DEFAULT\"], [0, \"DEFAULT\"]]",
    "[[17, \"DEFAULT\"]]",
    "[[\"DEFAULT\"]]",
    "[]",
    "[[0, \"PROMOTE\"]]",
    "[[0, \"default\"]]",
    "[[-1, \"DEFAULT\"]]",
    "DEFAULT",
    "[[0, \"DEFAULT\"]",
    "[[0, \"DEFAULT\"]]",
    "[[1, \"DEFAULT\"]]"};

uint32_t Size(const auto& list) { return static_cast<uint32_t>(list.size()); }

class Mutation {
 public:
  Mutation(const OpEntry& entry, Choices* choices, Op* call)
      : entry_(entry), choices_(choices), call_(*call) {}

  // Makes one change, sometimes with the results inferred anew so that they
  // agree with it.
  void Apply() {
    switch (Below(8)) {
      case 0:
        return ChangeType(&RandomTensor());
      case 1:
        ChangeShape(&RandomTensor().shape);
        return NoScalars();
      case 2:
        ChangeAttribute();
        if (Below(2) == 0) InferResults();
        return;
      case 3:
        return ChangePlace();
      case 4:
        if (call_.inputs.empty()) return;
        ChangeType(&call_.inputs[Below(Size(call_.inputs))].type.tensor());
        return InferResults();
      case 5:
        if (call_.inputs.empty()) return;
        ChangeTypes();
        return InferResults();
      case 6:
        return ChangeCount();
      default:
        if (call_.inputs.empty()) return;
        ChangeShape(&RandomOperandShape());
        NoScalars();
        return InferResults();
    }
  }

 private:
  uint32_t Below(uint32_t n) { return choices_->Below(Topic::kForm, n); }

  Shape& RandomOperandShape() {
    return call_.inputs[Below(Size(call_.inputs))].type.tensor().shape;
  }

  // Precondition: there is a tensor.
  TensorType& RandomTensor() {
    const uint32_t k = Below(Size(call_.inputs) + Size(call_.outputs));
    return k < call_.inputs.size()
               ? call_.inputs[k].type.tensor()
               : call_.outputs[k - call_.inputs.size()].type.tensor();
  }

  void ChangeType(TensorType* type) {
    type->element_type = ElementTypes()[Below(Size(ElementTypes()))].type;
  }

  // All operands change, so that a requirement of their shared type is violated
  // by all of them.
  void ChangeTypes() {
    ChangeType(&call_.inputs[0].type.tensor());
    for (Op::Operand& operand : call_.inputs)
      operand.type.tensor().element_type =
          call_.inputs[0].type.tensor().element_type;
  }

  void ChangeShape(Shape* shape) {
    const uint32_t kind = Below(5);
    if (shape->empty() || kind == 0) {
      const int64_t size = 2 + Below(3);
      shape->insert(shape->begin() + Below(Size(*shape) + 1), size);
      return;
    }
    const uint32_t d = Below(Size(*shape));
    if (kind == 1) {
      shape->erase(shape->begin() + d);
    } else {
      if (kind == 2 && (*shape)[d] > 0) {
        --(*shape)[d];
      } else {
        (*shape)[d] += 1 + Below(2);
      }
    }
  }

  // A variadic input loses one operand, or all. Where it gives functions their
  // arguments, all variadic ones do.
  void ChangeCount() {
    const auto input =
        std::ranges::find_if(entry_.spec->inputs, &InputSpec::variadic);
    if (input == entry_.spec->inputs.end() || !input->IsValue()) return;
    const bool loses_all = Below(2) == 0;
    if (loses_all && !call_.regions.empty()) return RemoveOperands();
    const auto operand =
        std::ranges::find(call_.inputs, input->name, &Op::Operand::name);
    if (operand == call_.inputs.end()) return;
    if (loses_all) {
      std::erase_if(call_.inputs, [&](const Op::Operand& other) {
        return other.name == input->name;
      });
      // What is put together of nothing has no elements.
      for (Op::Result& result : call_.outputs) {
        Shape& shape = result.type.tensor().shape;
        if (!shape.empty()) shape[Below(Size(shape))] = 0;
      }
    } else {
      call_.inputs.erase(operand);
    }
  }

  // The call has no variadic operands any more, and its functions have no
  // arguments, and constants or nothing as their results.
  void RemoveOperands() {
    const bool has_results = Below(2) == 0;
    std::erase_if(call_.inputs, [&](const Op::Operand& operand) {
      return entry_.spec->Input(operand.name)->variadic;
    });
    for (Function& function : call_.regions) {
      function.inputs.clear();
      function.body.clear();
      if (!has_results) function.results.clear();
      for (size_t k = 0; k < function.results.size(); ++k) {
        TypedName& result = function.results[k];
        result.name = "constant_" + std::to_string(k);
        Tensor value(result.type);
        std::fill_n(value.data(), value.byte_size(), std::byte{0});
        Op constant;
        constant.op = "constant";
        constant.attributes = {{"value", std::move(value)}};
        constant.outputs = {{"output", result.name, result.type}};
        function.body.push_back(std::move(constant));
      }
    }
    const auto output =
        std::ranges::find_if(entry_.spec->outputs, &OutputSpec::variadic);
    if (output == entry_.spec->outputs.end()) return;
    std::erase_if(call_.outputs, [&](const Op::Result& result) {
      return result.name == output->name;
    });
  }

  // A scalar has rank 0.
  void NoScalars() {
    for (Op::Operand& operand : call_.inputs)
      operand.is_scalar &= operand.type.tensor().shape.empty();
  }

  void ChangeAttribute() {
    if (call_.attributes.empty()) return;
    Attribute& attribute = call_.attributes[Below(Size(call_.attributes))];
    if (std::holds_alternative<std::string>(attribute.value)) {
      attribute.value = kWrongMethods[Below(Size(kWrongMethods))];
      return;
    }
    if (Tensor* tensor = std::get_if<Tensor>(&attribute.value)) {
      if (IsInteger(tensor->element_type())) ChangeNumbers(tensor);
      return;
    }
    if (auto* list = std::get_if<AttributeList>(&attribute.value))
      return ChangeList(list);
    if (Below(4) == 0 || entry_.attributes.empty()) {
      attribute.value = Symbol{"SPACESHIP"};  // which no enum has
      return;
    }
    const std::vector<Attribute>& combination =
        entry_.attributes[Below(Size(entry_.attributes))];
    const auto other =
        std::ranges::find(combination, attribute.name, &Attribute::name);
    if (other != combination.end()) attribute = *other;
  }

  // A list of enums has one more, one less, or one that there is not.
  void ChangeList(AttributeList* list) {
    if (list->elements.empty() || Below(3) == 0) {
      list->elements.push_back({Symbol{"SPACESHIP"}});
    } else if (Below(2) == 0) {
      list->elements.push_back(list->elements.back());
    } else {
      list->elements.pop_back();
    }
  }

  void ChangeNumbers(Tensor* tensor) {
    const TensorType type = tensor->type();
    TensorType changed = type;
    if (type.shape.size() == 1 && Below(3) == 0)
      changed.shape[0] =
          std::max<int64_t>(0, type.shape[0] + (Below(2) ? 1 : -1));
    Tensor numbers(changed);
    const uint32_t at =
        numbers.size() == 0 ? 0 : Below(static_cast<uint32_t>(numbers.size()));
    for (int64_t i = 0; i < numbers.size(); ++i) {
      __int128 value =
          i < tensor->size() ? ValueOf(type.element_type, tensor->Bits(i)) : 0;
      // This is another dimension, one that is there already, or one that does
      // not exist.
      if (i == at)
        value = std::clamp(std::array<__int128, 5>{-1, 0, 1, 2, 9}[Below(5)],
                           MinValue(type.element_type),
                           MaxValue(type.element_type));
      numbers.SetBits(i, BitsOf(type.element_type, value));
    }
    *tensor = numbers;
  }

  void ChangePlace() {
    if (call_.inputs.empty()) return;
    Op::Result& result = call_.outputs[Below(Size(call_.outputs))];
    const uint32_t k = Below(Size(call_.inputs));
    if (!call_.inputs[k].is_scalar) result.in_place = k;
  }

  void InferResults() {
    const std::vector<InferredType> inferred =
        InferResultTypes(*entry_.spec, call_);
    for (size_t i = 0; i < inferred.size(); ++i) {
      if (inferred[i].shape)
        call_.outputs[i].type.tensor().shape = *inferred[i].shape;
      if (inferred[i].element_type)
        call_.outputs[i].type.tensor().element_type = *inferred[i].element_type;
    }
  }

  const OpEntry& entry_;
  Choices* choices_;
  Op& call_;
};

// Draws a constraint and searches for a call that violates it alone. Returns
// its label; nullopt if the search finds none.
std::optional<std::string> ViolateBySearch(const OpEntry& entry,
                                           PlainCalls* calls, Choices* choices,
                                           Op* call) {
  const std::vector<ConstraintSpec>& constraints = entry.spec->constraints;
  const std::string& label =
      constraints[choices->Below(Topic::kForm, Size(constraints))].label;
  const Shape seed = call->FirstType().tensor().shape;
  if (!calls->Violate(entry, label, seed, choices, call)) return std::nullopt;
  return label;
}

}  // namespace

std::optional<std::string> Violate(const OpEntry& entry, PlainCalls* calls,
                                   Choices* choices, Op* call) {
  constexpr int kTries = 8;
  const Op valid = *call;
  for (int left = kTries; left > 0; --left) {
    const bool searches =
        !entry.IsPointwise() && choices->OneIn(Topic::kForm, 3);
    if (searches) {
      if (auto label = ViolateBySearch(entry, calls, choices, call))
        return label;
      continue;
    }
    Mutation(entry, choices, call).Apply();
    std::string label;
    int violated = 0;
    for (const ConstraintResult& result :
         CheckConstraints(*entry.spec, *call)) {
      if (result.truth != Truth::kFalse) continue;
      label = result.constraint->label;
      ++violated;
    }
    if (violated == 1) return label;
    *call = valid;
  }
  return std::nullopt;
}

}  // namespace assay
