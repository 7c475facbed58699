#include "tools/mutants/call_neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "cases/search/choices.h"
#include "spec/elements.h"

namespace assay {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kLargestRank = 8;

// Adds the tensor types in a value's type.
void Collect(ValueType* type, std::vector<TensorType*>* types) {
  if (type->IsTensor()) types->push_back(&type->tensor());
  if (auto* tuple = std::get_if<TupleType>(&type->rep)) {
    for (ValueType& member : tuple->types) Collect(&member, types);
  }
}

// Returns whether the tensor has numbers or truth values, as lists of
// dimensions and flags are.
bool IsOfIntegers(const Tensor& tensor) {
  return IsInteger(tensor.element_type()) || IsBoolean(tensor.element_type());
}

std::vector<int64_t> NumbersOf(const Tensor& tensor) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < tensor.size(); ++i)
    numbers.push_back(
        static_cast<int64_t>(ValueOf(tensor.element_type(), tensor.Bits(i))));
  return numbers;
}

// The tensor gets this type and these elements, the nearest that it can have.
void SetNumbers(Tensor* tensor, TensorType type,
                const std::vector<int64_t>& numbers) {
  Tensor changed{std::move(type)};
  const ElementType element = changed.element_type();
  for (size_t i = 0; i < numbers.size(); ++i)
    changed.SetBits(
        static_cast<int64_t>(i),
        BitsOf(element, std::clamp<__int128>(numbers[i], MinValue(element),
                                             MaxValue(element))));
  *tensor = std::move(changed);
}

// Changes parts of one call.
class Neighbour {
 public:
  Neighbour(const OpSpec& spec, const std::vector<TensorType>& types,
            uint64_t index, Op* call)
      : spec_(spec), palette_(types), choices_(kSeed, index), call_(call) {}

  void Change() {
    Gather();
    static constexpr std::array kSteps = {
        &Neighbour::ChangeSize,       &Neighbour::ChangeSizeEverywhere,
        &Neighbour::ChangeRank,       &Neighbour::ChangeElementType,
        &Neighbour::ExchangeElements, &Neighbour::CopyType,
        &Neighbour::ChangeNumber,     &Neighbour::ChangeNumber,
        &Neighbour::ChangeLength,     &Neighbour::ChangeLength,
        &Neighbour::ChangeSymbol,     &Neighbour::ChangeCount,
        &Neighbour::ChangeProcesses,  &Neighbour::ChangeQuantization,
        &Neighbour::ChangeKind};
    (this->*kSteps[Below(kSteps.size())])();
  }

  bool HasRightTypes() {
    Gather();
    return std::ranges::all_of(types_, [](const TensorType* type) {
      return !type->quantization || CheckQuantizedType(*type).results.empty();
    });
  }

  size_t Below(size_t n) {
    return choices_.Below(Topic::kForm, static_cast<uint32_t>(n));
  }

 private:
  // Finds the parts of the call, which earlier changes may have moved.
  void Gather() {
    types_.clear();
    tensors_.clear();
    symbols_.clear();
    for (Op::Operand& operand : call_->inputs) {
      Collect(&operand.type, &types_);
      if (operand.known) tensors_.push_back(&*operand.known);
    }
    for (Op::Result& result : call_->outputs) Collect(&result.type, &types_);
    const auto collect = [&](Function* function) {
      for (TypedName& input : function->inputs) Collect(&input.type, &types_);
      for (TypedName& result : function->results)
        Collect(&result.type, &types_);
    };
    for (Function& region : call_->regions) collect(&region);
    if (call_->callee) {
      const auto callee = std::make_shared<Function>(*call_->callee);
      collect(callee.get());
      call_->callee = callee;
    }
    for (Attribute& attribute : call_->attributes) {
      if (auto* tensor = std::get_if<Tensor>(&attribute.value)) {
        if (IsOfIntegers(*tensor)) tensors_.push_back(tensor);
      } else if (auto* symbol = std::get_if<Symbol>(&attribute.value)) {
        symbols_.emplace_back(spec_.Input(attribute.name), symbol);
      } else if (auto* list = std::get_if<AttributeList>(&attribute.value)) {
        for (AttributeValue& element : list->elements) {
          if (auto* of_list = std::get_if<Symbol>(&element))
            symbols_.emplace_back(spec_.Input(attribute.name), of_list);
        }
      }
    }
  }

  TensorType* AnyType() {
    return types_.empty() ? nullptr : types_[Below(types_.size())];
  }

  // Returns a size or number: a small one, or one of the call.
  int64_t AnyNumber(int64_t near) {
    constexpr int64_t kFar = int64_t{1} << 40;
    if (near < -kFar || near > kFar) near = 0;
    switch (Below(7)) {
      case 0:
        return near + 1;
      case 1:
        return near - 1;
      case 2:
        return static_cast<int64_t>(Below(5)) - 1;
      case 3:
        return near * 2;
      case 4:
        return -near;
      case 5:
        if (const TensorType* type = AnyType())
          return Below(2) == 0 && !type->shape.empty()
                     ? type->shape[Below(type->shape.size())]
                     : static_cast<int64_t>(type->shape.size());
        return 0;
      default:
        if (tensors_.empty()) return 1;
        const auto numbers = NumbersOf(*tensors_[Below(tensors_.size())]);
        return numbers.empty() ? 0 : numbers[Below(numbers.size())];
    }
  }

  int64_t AnySize(int64_t near) {
    constexpr int64_t kLargestSize = 1 << 12;
    return std::clamp(AnyNumber(near), kDynamic, kLargestSize);
  }

  void ChangeSize() {
    TensorType* type = AnyType();
    if (type == nullptr || type->shape.empty()) return;
    int64_t& size = type->shape[Below(type->shape.size())];
    size = AnySize(size);
  }

  // Sizes that were equal stay equal.
  void ChangeSizeEverywhere() {
    const TensorType* type = AnyType();
    if (type == nullptr || type->shape.empty()) return;
    const int64_t from = type->shape[Below(type->shape.size())];
    const int64_t to = AnySize(from);
    for (TensorType* changed : types_)
      std::ranges::replace(changed->shape, from, to);
    if (Below(2) == 0) return;
    for (Tensor* tensor : tensors_) {
      std::vector<int64_t> numbers = NumbersOf(*tensor);
      std::ranges::replace(numbers, from, to);
      SetNumbers(tensor, tensor->type(), numbers);
    }
  }

  void ChangeRank() {
    TensorType* type = AnyType();
    if (type == nullptr) return;
    Shape& shape = type->shape;
    const size_t d = Below(shape.size() + 1);
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(d);
    if (d == shape.size() || (Below(3) == 0 && shape.size() < kLargestRank)) {
      if (shape.size() < kLargestRank) shape.insert(at, AnySize(2));
    } else if (Below(2) == 0) {
      shape.erase(at);
    } else {
      std::swap(shape[d], shape[Below(shape.size())]);
    }
  }

  static void SetElements(const TensorType& from, TensorType* to) {
    to->element_type = from.element_type;
    to->quantization = from.quantization;
  }

  void ChangeElementType() {
    TensorType* type = AnyType();
    if (type == nullptr) return;
    SetElements(Below(2) == 0 ? *AnyType() : palette_[Below(palette_.size())],
                type);
  }

  // Element types that were equal stay equal.
  void ExchangeElements() {
    const TensorType* type = AnyType();
    if (type == nullptr) return;
    const TensorType from = *type, to = palette_[Below(palette_.size())];
    for (TensorType* changed : types_) {
      if (changed->element_type == from.element_type &&
          !changed->quantization == !from.quantization)
        SetElements(to, changed);
    }
  }

  void CopyType() {
    if (TensorType* type = AnyType()) *type = TensorType(*AnyType());
  }

  void ChangeNumber() {
    if (tensors_.empty()) return;
    Tensor* tensor = tensors_[Below(tensors_.size())];
    std::vector<int64_t> numbers = NumbersOf(*tensor);
    if (numbers.empty()) return;
    int64_t& number = numbers[Below(numbers.size())];
    number = IsBoolean(tensor->element_type()) ? 1 - number : AnyNumber(number);
    SetNumbers(tensor, tensor->type(), numbers);
  }

  // Drops, repeats, adds or exchanges rows of a list.
  void ChangeLength() {
    if (tensors_.empty()) return;
    Tensor* tensor = tensors_[Below(tensors_.size())];
    TensorType type = tensor->type();
    if (type.shape.empty()) return;
    std::vector<int64_t> numbers = NumbersOf(*tensor);
    const auto rows = static_cast<size_t>(type.shape[0]);
    const auto width =
        rows == 0 ? (type.shape.size() == 1 ? 1 : 2) : numbers.size() / rows;
    if (width == 0) return;
    const auto row = static_cast<std::ptrdiff_t>(width * Below(rows + 1));
    const auto at = numbers.begin() + row;
    if (row == std::ssize(numbers) || Below(3) == 0) {
      std::vector<int64_t> added(width);
      for (int64_t& number : added) number = AnyNumber(0);
      if (row < std::ssize(numbers) && Below(2) == 0)
        added.assign(at, at + static_cast<std::ptrdiff_t>(width));
      if (IsBoolean(type.element_type))
        for (int64_t& number : added) number &= 1;
      numbers.insert(at, added.begin(), added.end());
      ++type.shape[0];
    } else if (Below(2) == 0) {
      numbers.erase(at, at + static_cast<std::ptrdiff_t>(width));
      --type.shape[0];
    } else {
      std::swap_ranges(
          at, at + static_cast<std::ptrdiff_t>(width),
          numbers.begin() + static_cast<std::ptrdiff_t>(width * Below(rows)));
    }
    if (numbers.size() > width * static_cast<size_t>(type.shape[0])) return;
    for (size_t d = 1; rows == 0 && d < type.shape.size(); ++d)
      type.shape[d] = static_cast<int64_t>(width);
    SetNumbers(tensor, std::move(type), numbers);
  }

  void ChangeSymbol() {
    if (symbols_.empty()) return;
    const auto [input, symbol] = symbols_[Below(symbols_.size())];
    if (input != nullptr && !input->values.empty())
      symbol->name = input->values[Below(input->values.size())];
  }

  // Drops or repeats an element of a list. If it is of the call, the member
  // must be variadic.
  template <class List>
  void ChangeCountOf(List* list) {
    if (list->empty()) return;
    const auto at =
        list->begin() + static_cast<std::ptrdiff_t>(Below(list->size()));
    using Element = typename List::value_type;
    if constexpr (requires { at->name; }) {
      const auto is_variadic = [&](const auto& member) {
        return member.name == at->name && member.variadic;
      };
      if constexpr (!std::is_same_v<Element, TypedName>) {
        if (std::ranges::none_of(spec_.inputs, is_variadic) &&
            std::ranges::none_of(spec_.outputs, is_variadic))
          return;
      }
    }
    const Element element = *at;
    if (Below(2) == 0)
      list->erase(at);
    else
      list->insert(at, element);
  }

  void ChangeCount() {
    switch (Below(5)) {
      case 0:
        return ChangeCountOf(&call_->inputs);
      case 1:
        return ChangeCountOf(&call_->outputs);
      case 2:
        return ChangeCountOf(&call_->regions);
      case 3: {
        if (call_->regions.empty()) return;
        Function& region = call_->regions[Below(call_->regions.size())];
        return ChangeCountOf(Below(2) == 0 ? &region.inputs : &region.results);
      }
      default:
        for (Attribute& attribute : call_->attributes) {
          if (auto* list = std::get_if<AttributeList>(&attribute.value))
            ChangeCountOf(&list->elements);
        }
    }
  }

  void ChangeProcesses() {
    std::optional<int64_t>& count =
        Below(2) == 0 ? call_->processes.replicas : call_->processes.partitions;
    count = 1 + static_cast<int64_t>(Below(4));
  }

  void ChangeQuantization() {
    TensorType* type = AnyType();
    if (type == nullptr || !type->quantization) return;
    Quantization changed = *type->quantization;
    switch (Below(6)) {
      case 0:
        changed.dimension = AnyNumber(changed.dimension.value_or(0));
        break;
      case 1:
        changed.dimension.reset();
        changed.scales.resize(1);
        changed.zero_points.resize(1);
        break;
      case 2:
        changed.scales[Below(changed.scales.size())] *= 2;
        break;
      case 3:
        ++changed.zero_points[Below(changed.zero_points.size())];
        break;
      case 4:
        ++(Below(2) == 0 ? changed.storage_min : changed.storage_max);
        break;
      default:
        ChangeCountOf(&changed.scales);
        changed.zero_points.resize(changed.scales.size());
        if (changed.scales.empty()) return;
    }
    type->quantization = std::make_shared<const Quantization>(changed);
  }

  // Makes a token or a tuple of a value that may be one.
  void ChangeKind() {
    std::vector<ValueType*> values;
    for (Op::Operand& operand : call_->inputs) {
      const InputSpec* input = spec_.Input(operand.name);
      if (input != nullptr && input->kind == InputSpec::Kind::kValue)
        values.push_back(&operand.type);
    }
    for (Op::Result& result : call_->outputs) {
      const auto output =
          std::ranges::find(spec_.outputs, result.name, &OutputSpec::name);
      if (output != spec_.outputs.end() &&
          output->kind == InputSpec::Kind::kValue)
        values.push_back(&result.type);
    }
    if (values.empty()) return;
    ValueType* value = values[Below(values.size())];
    switch (Below(4)) {
      case 0:
        *value = TokenType();
        break;
      case 1:
        *value = TupleType{{*value}};
        break;
      case 2:
        *value = palette_[Below(palette_.size())];
        break;
      default:
        *value = ValueType(*values[Below(values.size())]);
    }
  }

  const OpSpec& spec_;
  const std::vector<TensorType>& palette_;
  Choices choices_;
  Op* call_;
  std::vector<TensorType*> types_;
  std::vector<Tensor*> tensors_;
  std::vector<std::pair<const InputSpec*, Symbol*>> symbols_;
};

}  // namespace

Op WithTypesAlone(const Op& call) {
  const auto without_body = [](const Function& function) {
    return Function{function.name, function.inputs, {}, function.results};
  };
  Op alone = call;
  for (Function& region : alone.regions) region = without_body(region);
  if (alone.callee)
    alone.callee = std::make_shared<Function>(without_body(*alone.callee));
  return alone;
}

std::string Describe(const Op& call) {
  std::string text = call.op + "(";
  const auto add = [&](const std::string& name, const std::string& value) {
    text +=
        fmt::format("{}{}: {}", text.back() == '(' ? "" : ", ", name, value);
  };
  for (const Op::Operand& operand : call.inputs) {
    add(operand.name, operand.type.ToString());
    if (operand.known)
      text += " = " + AttributeText(AttributeValue(*operand.known));
  }
  for (const Attribute& attribute : call.attributes) {
    const auto* tensor = std::get_if<Tensor>(&attribute.value);
    // The elements of a large constant are of no formula.
    constexpr int64_t kMost = 64;
    add(attribute.name, tensor != nullptr && tensor->size() > kMost
                            ? tensor->type().ToString()
                            : AttributeText(attribute.value));
  }
  for (const Function& region : call.regions)
    add(region.name, region.Type().ToString());
  if (call.callee) add("callee", call.callee->Type().ToString());
  if (call.processes.replicas)
    add("num_replicas", std::to_string(*call.processes.replicas));
  if (call.processes.partitions)
    add("num_partitions", std::to_string(*call.processes.partitions));
  text += ") -> (";
  for (const Op::Result& result : call.outputs)
    add(result.name, result.type.ToString());
  return text + ")";
}

CallNeighbours::CallNeighbours(const OpSpec& spec, const std::vector<Op>& calls)
    : spec_(spec), calls_(calls) {
  const auto add = [&](const ValueType& type) {
    std::vector<TensorType*> types;
    ValueType copy = type;
    Collect(&copy, &types);
    for (const TensorType* found : types) {
      TensorType scalar = *found;
      scalar.shape.clear();
      if (std::ranges::find(types_, scalar) == types_.end())
        types_.push_back(std::move(scalar));
    }
  };
  for (const Op& call : calls) {
    for (const Op::Operand& operand : call.inputs) add(operand.type);
    for (const Op::Result& result : call.outputs) add(result.type);
  }
  for (const ElementType type : {ElementType::kI1, ElementType::kF32})
    add(TensorType({}, type));
}

std::optional<Op> CallNeighbours::Draw(uint64_t index) const {
  constexpr size_t kMostSteps = 4;
  Op call = calls_[index % calls_.size()];
  Neighbour neighbour(spec_, types_, index, &call);
  const size_t steps = 1 + neighbour.Below(kMostSteps);
  for (size_t i = 0; i < steps; ++i) neighbour.Change();
  if (!neighbour.HasRightTypes()) return std::nullopt;
  return call;
}

}  // namespace assay
