#include "fuzz/programs/program_drawer.h"

#include <algorithm>
#include <utility>

#include "fuzz/programs/small_values.h"
#include "spec/op_spec.h"
#include "spec/policy.h"

namespace assay {
namespace {

// The oracle takes long for complex functions with a budget.
constexpr int64_t kMostOfSlowOp = 12;

bool IsSlowCall(const OpSpec& spec, const Op& op) {
  if (spec.rule != "ulp" && spec.complex_rule != "ulp") return false;
  return std::ranges::any_of(op.inputs, [](const Op::Operand& operand) {
    return IsComplex(operand.type.tensor().element_type) &&
           *ElementCount(operand.type.tensor().shape) > kMostOfSlowOp;
  });
}

// A program of NaNs and infinities shows little.
bool IsMostlySpecial(const Tensor& values) {
  const ElementType type = values.element_type();
  if (!IsFloat(type) || values.size() == 0) return false;
  int64_t special = 0;
  for (int64_t i = 0; i < values.size(); ++i) {
    special += VisitElementType(type, [&]<class T>() -> int64_t {
      if constexpr (T::kKind == ElementKind::kFloat) {
        const T value =
            T::FromBits(static_cast<typename T::Bits>(values.Bits(i)));
        return value.IsNan() || value.IsInfinite();
      } else {
        return 0;
      }
    });
  }
  return 2 * special > values.size();
}

}  // namespace

ProgramOps::ProgramOps(const std::vector<OpEntry>& entries,
                       std::vector<ControlKind> control)
    : control_(std::move(control)) {
  for (const OpEntry& entry : entries) {
    if (entry.IsPointwise() || entry.spec->source != "stablehlo") continue;
    Choice choice{&entry, {}, {}};
    for (const Signature& signature : entry.signatures) {
      const std::set<ElementType> types(signature.operands.begin(),
                                        signature.operands.end());
      for (const ElementType type : types) {
        choice.taking[type].push_back(&signature);
        if (entry.spec->elementwise && signature.results.size() == 1 &&
            signature.results[0] == type)
          choice.keeping[type].push_back(&signature);
      }
    }
    choices_.push_back(std::move(choice));
  }
  for (const Choice& choice : choices_) {
    if (choice.entry->spec->elementwise) elementwise_.push_back(&choice);
  }
}

ProgramDrawer::ProgramDrawer(const ProgramOps& ops, PlainCalls* plain,
                             int64_t most_elements, Choices* choices)
    : ops_(ops),
      plain_(*plain),
      most_elements_(std::min(most_elements, kMostElements)),
      choices_(*choices),
      evaluators_{ProgramEvaluator(Policy::Find("assay")),
                  ProgramEvaluator(Policy::Find("xla"))} {}

std::optional<DrawnProgram> ProgramDrawer::Draw() {
  drawn_.main.name = "main";
  const bool is_long = choices_.OneIn(Topic::kForm, 6);
  const int count =
      2 + static_cast<int>(choices_.Below(Topic::kForm, is_long ? 19 : 9));
  left_ = count;
  NewInput(&top_, DrawSmallValues(&choices_,
                                  DrawSmallType(&choices_, most_elements_)));
  for (int tries = 3 * count; tries > 0 && left_ > 0; --tries) DrawOp(&top_);
  if (drawn_.main.body.size() < 2) return std::nullopt;
  return Finish();
}

bool ProgramDrawer::DrawOp(Scope* scope) {
  if (left_ <= 0) return false;
  if (left_ > 3 && depth_ < 2 && !ops_.control().empty() &&
      choices_.OneIn(Topic::kForm, 8))
    return DrawControl(scope);
  return DrawPlain(scope);
}

void ProgramDrawer::DrawOps(Scope* scope, uint32_t count) {
  for (; count > 0 && left_ > 0; --count) DrawOp(scope);
}

// -------------------------------------------------------------------- values

std::string ProgramDrawer::NewName(char letter) {
  return letter + std::to_string(names_++);
}

TypedNames ProgramDrawer::NewNames(char letter, const TypedNames& of) {
  TypedNames names;
  for (const TypedName& value : of)
    names.push_back({NewName(letter), value.type});
  return names;
}

void ProgramDrawer::Define(const std::string& name, const Tensor& values) {
  for (ProgramEvaluator& evaluator : evaluators_)
    evaluator.Define(name, values);
  known_.insert_or_assign(name, values);
}

TypedName ProgramDrawer::NewInput(Scope* scope, Tensor values) {
  Scope* owner = scope;
  while (owner->around != nullptr && !owner->is_callee) owner = owner->around;
  const TensorType type = values.type();
  const TypedName input{NewName(owner->is_callee ? 'a' : 'x'), type};
  Define(input.name, values);
  if (owner->is_callee) {
    owner->arguments.push_back(NewInput(owner->around, std::move(values)));
  } else {
    inputs_.insert_or_assign(input.name, std::move(values));
  }
  owner->function->inputs.push_back(input);
  owner->values.insert(owner->values.begin(), input);
  return input;
}

// Returns one of the values that the scope sees, of the type if it is not null:
// mostly a recent one, and seldom one of which a range is known.
const TypedName* ProgramDrawer::Pick(Scope* scope, const TensorType* type) {
  std::vector<const TypedName*> found;
  const bool takes_ranged = choices_.OneIn(Topic::kOp, 6);
  for (Scope* at = scope; at != nullptr;
       at = at->is_callee ? nullptr : at->around) {
    for (size_t i = at->values.size(); i-- > 0;) {
      const TypedName& value = at->values[i];
      if (type != nullptr && value.type != *type) continue;
      if (!takes_ranged && ranged_.contains(value.name)) continue;
      found.push_back(&value);
    }
  }
  if (found.empty()) return nullptr;
  const bool is_recent = !choices_.OneIn(Topic::kOp, 3);
  const size_t among =
      is_recent ? std::min<size_t>(found.size(), 2) : found.size();
  return found[choices_.Below(Topic::kOp, static_cast<uint32_t>(among))];
}

TypedName ProgramDrawer::PickOrInput(Scope* scope, const TensorType& type) {
  if (!choices_.OneIn(Topic::kOp, 5)) {
    if (const TypedName* value = Pick(scope, &type)) return *value;
  }
  return NewInput(scope, DrawSmallValues(&choices_, type));
}

// ----------------------------------------------------------------------- ops

bool ProgramDrawer::IsDecided(const Op& op) {
  for (ProgramEvaluator& evaluator : evaluators_) {
    const ProgramEvaluator::OpResults results = evaluator.Evaluate(op);
    if (results.evaluation.relation != nullptr) return false;
    evaluator.Keep(op, results);
    for (size_t k = 0; k < op.outputs.size(); ++k) {
      const Tensor& values = results.evaluation.outputs[k].lo;
      const std::string& name = op.outputs[k].value;
      for (int64_t i = 0; i < values.size(); ++i) {
        const Possible possible = evaluator.At(name, i);
        if (possible.kind != Possible::Kind::kRanges) return false;
        if (!possible.IsFinite() || possible.ranges.size() > 1)
          ranged_.insert(name);
      }
      known_.insert_or_assign(name, values);
    }
  }
  return true;
}

bool ProgramDrawer::Add(Op op, Scope* scope) {
  if (!IsDecided(op)) return false;
  for (const Op::Result& result : op.outputs)
    scope->values.push_back({result.value, result.type});
  scope->function->body.push_back(std::move(op));
  --left_;
  return true;
}

void ProgramDrawer::Bind(std::optional<size_t> bound, Scope* scope, Op* op) {
  for (size_t k = 0; k < op->inputs.size(); ++k) {
    Op::Operand& operand = op->inputs[k];
    if (k != bound)
      operand.value = PickOrInput(scope, operand.type.tensor()).name;
  }
  for (Op::Result& result : op->outputs) result.value = NewName('t');
  // What functions capture has a name for each type, and is an input.
  for (const TypedName& capture : Captures(*op)) {
    if (known_.contains(capture.name)) continue;
    const TensorType& type = capture.type.tensor();
    const Tensor values = DrawSmallValues(&choices_, type);
    Define(capture.name, values);
    inputs_.insert_or_assign(capture.name, values);
    drawn_.main.inputs.push_back(capture);
  }
}

bool ProgramDrawer::DrawPlain(Scope* scope) {
  const ProgramOps::Choice& choice = choices_.Of(Topic::kOp, ops_.choices());
  const OpEntry& entry = *choice.entry;
  const TypedName* pivot = nullptr;
  const std::vector<const Signature*>* taking = nullptr;
  for (int tries = 4; tries > 0 && taking == nullptr; --tries) {
    pivot = Pick(scope, nullptr);
    if (pivot == nullptr) break;
    const auto it = choice.taking.find(pivot->type.tensor().element_type);
    if (it != choice.taking.end()) taking = &it->second;
  }
  if (taking == nullptr && !choice.taking.empty() &&
      !choices_.OneIn(Topic::kOp, 4))
    return false;
  const Signature& signature =
      taking != nullptr ? *choices_.Of(Topic::kTypes, *taking)
                        : choices_.Of(Topic::kTypes, entry.signatures);
  Op op = plain_.Start(entry, signature, &choices_);
  SearchGoal goal{DrawSmallType(&choices_, most_elements_).shape,
                  most_elements_};
  std::optional<size_t> bound;
  if (taking != nullptr) {
    std::vector<size_t> fitting;
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      if (op.inputs[k].type.tensor().element_type ==
          pivot->type.tensor().element_type)
        fitting.push_back(k);
    }
    bound = choices_.Of(Topic::kOp, fitting);
    goal.seed = pivot->type.tensor().shape;
    goal.given.resize(op.inputs.size() + op.outputs.size());
    goal.given[*bound] = goal.seed;
    op.inputs[*bound].value = pivot->name;
  }
  if (!plain_.Complete(entry, goal, &choices_, &op)) return false;
  // A function that captures is inside of the program's own scope alone.
  for (const Op::Result& result : op.outputs) {
    const int64_t elements = *ElementCount(result.type.tensor().shape);
    const bool is_empty = elements == 0 && !choices_.OneIn(Topic::kShape, 16);
    if (is_empty || elements > most_elements_) return false;
  }
  bool is_in_callee = false;
  for (Scope* at = scope; at != nullptr; at = at->around)
    is_in_callee |= at->is_callee;
  if (IsSlowCall(*entry.spec, op) || (is_in_callee && !Captures(op).empty()))
    return false;
  for (Attribute& attribute : op.attributes) {
    Tensor* value = std::get_if<Tensor>(&attribute.value);
    if (value != nullptr && !entry.spec->Input(attribute.name)->type)
      *value = DrawSmallValues(&choices_, value->type());
  }
  Bind(bound, scope, &op);
  const TypedName first{op.outputs[0].value, op.outputs[0].type};
  if (!Add(std::move(op), scope)) return false;
  if (IsMostlySpecial(known_.at(first.name)) &&
      !choices_.OneIn(Topic::kOp, 8)) {
    scope->function->body.pop_back();
    std::erase_if(scope->values, [&](const TypedName& value) {
      return value.name == first.name;
    });
    ++left_;
    return false;
  }
  return true;
}

std::optional<TypedName> ProgramDrawer::KeepType(Scope* scope,
                                                 const TypedName& value) {
  const TensorType& type = value.type.tensor();
  for (int tries = 4; tries > 0 && left_ > 0; --tries) {
    if (ops_.elementwise().empty()) break;
    const ProgramOps::Choice& choice =
        *choices_.Of(Topic::kOp, ops_.elementwise());
    const auto it = choice.keeping.find(type.element_type);
    if (it == choice.keeping.end()) continue;
    const Signature& signature = *choices_.Of(Topic::kTypes, it->second);
    std::optional<Op> op =
        plain_.OnShape(*choice.entry, signature, type.shape, &choices_);
    if (!op || IsSlowCall(*choice.entry->spec, *op)) continue;
    const auto operand =
        std::ranges::find(op->inputs, value.type, &Op::Operand::type);
    operand->value = value.name;
    Bind(static_cast<size_t>(operand - op->inputs.begin()), scope, &*op);
    const TypedName result{op->outputs[0].value, op->outputs[0].type};
    if (Add(*std::move(op), scope)) return result;
  }
  return std::nullopt;
}

TypedName ProgramDrawer::ResultOf(Scope* scope, const TensorType& type) {
  const TypedName value = PickOrInput(scope, type);
  if (choices_.OneIn(Topic::kOp, 4)) return value;
  return KeepType(scope, value).value_or(value);
}

DrawnProgram ProgramDrawer::Finish() {
  Function& main = drawn_.main;
  std::set<std::string> used;
  for (const Op& op : main.body) {
    for (const Op::Operand& operand : op.inputs) used.insert(operand.value);
    for (const TypedName& capture : Captures(op)) used.insert(capture.name);
  }
  std::erase_if(main.inputs, [&](const TypedName& input) {
    return !used.contains(input.name);
  });
  for (const TypedName& input : main.inputs)
    drawn_.inputs.push_back(inputs_.at(input.name));
  for (const Op& op : main.body) {
    for (const Op::Result& result : op.outputs) {
      if (result.type.IsTensor() &&
          (!used.contains(result.value) || choices_.OneIn(Topic::kForm, 5)))
        main.results.push_back({result.value, result.type});
    }
  }
  return std::move(drawn_);
}

}  // namespace assay
