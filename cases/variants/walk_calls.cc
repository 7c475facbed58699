// Attributes and types of results are chosen by how many elements they tell
// apart.
#include "cases/variants/walk_calls.h"

#include <algorithm>
#include <array>
#include <set>

#include "cases/variants/telling.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

constexpr std::array kMethods = {
    PromotionMethod::kDefault,        PromotionMethod::kNoOpmath,
    PromotionMethod::kIntToFloat,     PromotionMethod::kAlwaysBool,
    PromotionMethod::kComplexToFloat, PromotionMethod::kBoolToLong};

constexpr int64_t kTrialElements = 32;
// Each width has so many types of operands, and each of them so many choices of
// attributes and types of results.
constexpr size_t kMostTypes = 3;
constexpr size_t kMostChoices = 4;
constexpr double kLeastTelling = 0.2;
constexpr int64_t kMostSlowElements = 64;

bool IsPredicate(const OpEntry& entry, size_t k,
                 const std::vector<ElementType>& types) {
  return entry.operands[k]->is_predicate ||
         (IsBoolean(types[k]) && !std::ranges::all_of(types, IsBoolean));
}

// Returns the type of the operand that a signature is told by.
ElementType TypeOf(const OpEntry& entry, const Signature& signature) {
  for (size_t k = 0; k < signature.operands.size(); ++k) {
    if (!IsPredicate(entry, k, signature.operands))
      return signature.operands[k];
  }
  return signature.operands[0];
}

// Returns so many elements of a list, evenly spread.
template <class T>
std::vector<T> Some(std::vector<T> list, size_t most) {
  if (list.size() <= most) return list;
  std::vector<T> some;
  for (size_t i = 0; i < most; ++i)
    some.push_back(std::move(list[i * list.size() / most]));
  return some;
}

}  // namespace

bool CanBeWalked(const OpSpec& spec) {
  if (!spec.executable || spec.family == kPointwise) return spec.executable;
  const std::vector<const InputSpec*> operands = OperandsOf(spec);
  if (!CanBeSearched(spec) || operands.empty() ||
      std::ranges::any_of(operands, &InputSpec::variadic))
    return false;
  if (spec.elementwise) return true;
  // Beside the operand whose elements are moved, others say where they go.
  if (operands.size() > 1) return false;
  const bool has_lists =
      std::ranges::any_of(spec.inputs, [](const InputSpec& input) {
        return input.kind == InputSpec::Kind::kConstant && input.type &&
               !input.type->shape.empty();
      });
  // Does it take an operand of the shape of the result, or repeat one, if lists
  // say how?
  const OpEntry entry{&spec, operands};
  const Shape operand = has_lists ? Shape{1} : Shape{2};
  SearchGoal goal{{2}};
  goal.given = {operand, Shape{2}};
  CallSearch search(spec);
  return std::ranges::any_of(ElementTypes(), [&](const ElementTypeInfo& info) {
    Op call = CallOfTypes(entry, {{info.type}, {info.type}, {}});
    call.inputs[0].type.tensor().shape = operand;
    call.outputs[0].type.tensor().shape = {2};
    const Recording nothing;
    Choices choices(&nothing);
    return search.Complete(goal, &choices, &call);
  });
}

WalkCalls::WalkCalls(OpEntry entry)
    : entry_(std::move(entry)),
      search_(std::make_unique<CallSearch>(*entry_.spec)),
      in_place_(entry_.operands.size()) {
  if (entry_.IsPointwise()) {
    AddPointwise();
  } else {
    AddSignatures();
  }
  std::erase_if(by_bytes_,
                [](const auto& width) { return width.second.empty(); });
  ChooseNumbers();
  // For a type on which the op is almost constant, few cases would tell
  // elements apart.
  auto telling = by_bytes_;
  for (auto& [bytes, signatures] : telling)
    KeepTelling(&signatures, kLeastTelling);
  std::erase_if(telling,
                [](const auto& width) { return width.second.empty(); });
  if (!telling.empty()) by_bytes_ = std::move(telling);
  has_sub_byte_ = !sub_byte_.empty();
  KeepTelling(&sub_byte_, 0);
}

std::vector<Signature>* WalkCalls::ListFor(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  std::vector<Signature>& list =
      info.bits < 8 ? sub_byte_ : by_bytes_[info.bytes];
  std::set<ElementType> types = {type};
  for (const Signature& signature : list)
    types.insert(TypeOf(entry_, signature));
  return types.size() > kMostTypes ? nullptr : &list;
}

void WalkCalls::AddSignatures() {
  const auto has_one_type = [&](const Signature& signature) {
    const ElementType type = TypeOf(entry_, signature);
    for (size_t k = 0; k < signature.operands.size(); ++k) {
      if (signature.operands[k] != type &&
          !IsPredicate(entry_, k, signature.operands))
        return false;
    }
    return true;
  };
  for (const Signature& signature : entry_.signatures) {
    const ElementTypeInfo& info = Info(TypeOf(entry_, signature));
    if (!has_one_type(signature)) continue;
    // Elements that are split or joined have walks of their own.
    const std::vector<Shape> shapes(entry_.operands.size(), Shape{2});
    if (!Find(signature, shapes, {2})) continue;
    AddInPlace(signature);
    if (IsBoolean(info.type)) continue;
    if (auto* list = ListFor(info.type)) list->push_back(signature);
  }
  if (std::ranges::any_of(
          by_bytes_, [](const auto& width) { return !width.second.empty(); }))
    return;
  for (const Signature& signature : entry_.signatures)
    by_bytes_[1].push_back(signature);
}

void WalkCalls::AddInPlace(const Signature& signature) {
  for (size_t k = 0; k < in_place_.size(); ++k) {
    if (signature.results.size() == 1 &&
        signature.results[0] == signature.operands[k])
      in_place_[k].push_back(signature);
  }
}

void WalkCalls::AddPointwise() {
  const OpSpec& spec = *entry_.spec;
  std::vector<int> promoted;
  for (size_t k = 0; k < entry_.operands.size(); ++k) {
    if (!entry_.operands[k]->is_predicate)
      promoted.push_back(static_cast<int>(k));
  }
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (ListFor(info.type) == nullptr) continue;
    std::vector<ElementType> types;
    for (const InputSpec* operand : entry_.operands)
      types.push_back(operand->is_predicate ? ElementType::kI1 : info.type);
    for (const std::vector<Attribute>& attributes : entry_.attributes) {
      for (const PromotionMethod method : kMethods) {
        Signature signature{types, {}, attributes};
        signature.attributes.push_back(
            {"promotion_methods",
             ToString(std::vector<PromotionRule>(spec.outputs.size(),
                                                 {promoted, method}))});
        signature.results.assign(spec.outputs.size(), info.type);
        Op op = Call(signature, std::vector<Shape>(types.size(), Shape{2}),
                     Shape{2});
        for (const DrawnNumber& number : entry_.numbers) {
          op.attributes.push_back(
              {number.name, IntegerTensor(number.type, {number.values[0]})});
        }
        op.outputs.clear();
        const std::vector<InferredType> inferred = InferResultTypes(spec, op);
        if (!std::ranges::all_of(inferred, [](const InferredType& type) {
              return type.element_type.has_value();
            }))
          continue;
        for (size_t i = 0; i < inferred.size(); ++i) {
          const std::string& name = spec.outputs[i].name;
          signature.results[i] = *inferred[i].element_type;
          op.outputs.push_back({name, name, {{2}, signature.results[i]}});
        }
        if (!AnalysePointwise(spec, op).findings.empty()) continue;
        AddInPlace(signature);
        if (!IsBoolean(info.type))
          ListFor(info.type)->push_back(std::move(signature));
        break;
      }
    }
  }
}

// Chooses each number in turn: the one that tells most elements apart while the
// others stay as they are.
void WalkCalls::ChooseNumbers() {
  for (const DrawnNumber& number : entry_.numbers) {
    numbers_.push_back(
        {number.name, IntegerTensor(number.type, {number.values.back()})});
  }
  for (size_t i = 0; i < entry_.numbers.size(); ++i) {
    const DrawnNumber& number = entry_.numbers[i];
    double most = -1;
    Attribute best = numbers_[i];
    for (const int64_t value : number.values) {
      numbers_[i] = {number.name, IntegerTensor(number.type, {value})};
      double least = 1;
      for (const auto& [bytes, signatures] : by_bytes_)
        least = std::min(least, TellingOf(signatures.front()));
      if (least > most) {
        most = least;
        best = numbers_[i];
      }
    }
    numbers_[i] = best;
  }
}

double WalkCalls::TellingOf(const Signature& signature) const {
  const Shape shape = {kTrialElements};
  return Telling(Call(
      signature, std::vector<Shape>(signature.operands.size(), shape), shape));
}

void WalkCalls::KeepTelling(std::vector<Signature>* signatures,
                            double least) const {
  std::map<std::vector<ElementType>, std::vector<std::pair<double, Signature>>>
      by_operands;
  for (Signature& signature : *signatures)
    by_operands[signature.operands].emplace_back(0, std::move(signature));
  signatures->clear();
  for (auto& [operands, choices] : by_operands) {
    choices = Some(std::move(choices), kMostChoices);
    double most = 0;
    for (auto& [telling, signature] : choices)
      most = std::max(most,
                      telling = IsSlow(signature) ? 1 : TellingOf(signature));
    for (auto& [telling, signature] : choices) {
      if (telling >= 0.75 * most && telling > least)
        signatures->push_back(std::move(signature));
    }
  }
}

bool WalkCalls::IsSlow(const Signature& signature) const {
  const OpSpec& spec = *entry_.spec;
  return std::ranges::any_of(signature.operands, IsComplex) &&
         (spec.rule == "ulp" || spec.complex_rule == "ulp");
}

const Signature* WalkCalls::Choose(WalkTypes types, size_t n,
                                   int64_t elements) const {
  if (types == WalkTypes::kSubByte)
    return sub_byte_.empty() ? nullptr : &sub_byte_[n % sub_byte_.size()];
  if (types == WalkTypes::kNarrowest) {
    // For many elements, integers come first, and the oracle is fast on them.
    return &by_bytes_.begin()->second.front();
  }
  const Signature* chosen = nullptr;
  // There may be no types but slow ones.
  for (const size_t last = n + 8;
       n < last &&
       (chosen == nullptr || (IsSlow(*chosen) && elements > kMostSlowElements));
       ++n) {
    const auto width = std::next(by_bytes_.begin(),
                                 static_cast<ptrdiff_t>(n % by_bytes_.size()));
    chosen = &width->second[n / by_bytes_.size() % width->second.size()];
  }
  return chosen;
}

const Signature* WalkCalls::ChooseInPlace(size_t k, size_t n) const {
  const std::vector<Signature>& signatures = in_place_[k];
  const Signature* chosen = nullptr;
  double most = 0;
  for (size_t i = 0; i < signatures.size() && most < kLeastTelling; ++i) {
    const Signature& signature = signatures[(n + i) % signatures.size()];
    // There may be no types but slow ones.
    const double telling = IsSlow(signature) ? 0.01 : TellingOf(signature);
    if (telling <= most) continue;
    chosen = &signature;
    most = telling;
  }
  return chosen;
}

Op WalkCalls::Call(const Signature& signature,
                   const std::vector<Shape>& operands,
                   const Shape& result) const {
  std::optional<Op> call = Find(signature, operands, result);
  ASSAY_CHECK(call.has_value());
  return *std::move(call);
}

std::optional<Op> WalkCalls::Find(const Signature& signature,
                                  const std::vector<Shape>& operands,
                                  const Shape& result) const {
  Op op = CallOfTypes(entry_, signature);
  op.attributes.insert(op.attributes.end(), numbers_.begin(), numbers_.end());
  SearchGoal goal{result};
  for (size_t k = 0; k < operands.size(); ++k) {
    op.inputs[k].type.tensor().shape = operands[k];
    goal.given.push_back(operands[k]);
  }
  for (Op::Result& output : op.outputs) {
    output.type.tensor().shape = result;
    goal.given.push_back(result);
  }
  if (entry_.IsPointwise()) return op;
  const Recording nothing;
  Choices choices(&nothing);
  if (!search_->Complete(goal, &choices, &op)) return std::nullopt;
  return op;
}

bool WalkCalls::Broadcasts(const Shape& operand, const Shape& result,
                           size_t k) const {
  std::vector<Shape> shapes(entry_.operands.size(), result);
  shapes[k] = operand;
  // The result of a pointwise op of one operand has the operand's shape.
  if (entry_.IsPointwise() && shapes.size() == 1) return false;
  const auto call = Find(*Choose(WalkTypes::kInTurn, 0, 0), shapes, result);
  return call && SatisfiesAllBut(*entry_.spec, *call, "");
}

}  // namespace assay
