#include "fuzz/programs/program_drawer.h"

#include <algorithm>
#include <iterator>
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

ProgramDrawer::ProgramDrawer(const ProgramOps& ops, PlainCalls* plain,
                             int64_t most_elements, Choices* choices)
    : ops_(ops),
      plain_(*plain),
      most_elements_(std::min(most_elements, kMostElements)),
      choices_(*choices),
      evaluator_(Policy::Find("xla")) {}

std::optional<DrawnProgram> ProgramDrawer::Draw() {
  drawn_.main.name = "main";
  const bool is_long = choices_.OneIn(Topic::kForm, 5);
  const int count =
      3 + static_cast<int>(choices_.Below(Topic::kForm, is_long ? 18 : 9));
  left_ = count;
  leaning_ = &choices_.Of(Topic::kForm, ops_.leanings());
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
  evaluator_.Define(name, values);
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

const TypedName* ProgramDrawer::Pick(Scope* scope, const TensorType* type,
                                     bool takes_ranged,
                                     std::string_view except) {
  std::vector<const TypedName*> found;
  for (Scope* at = scope; at != nullptr;
       at = at->is_callee ? nullptr : at->around) {
    for (size_t i = at->values.size(); i-- > 0;) {
      const TypedName& value = at->values[i];
      if (type != nullptr && value.type != *type) continue;
      if (value.name == except) continue;
      if (!takes_ranged && ranged_.contains(value.name)) continue;
      found.push_back(&value);
    }
  }
  if (found.empty()) return nullptr;
  size_t among = found.size();
  if (!choices_.OneIn(Topic::kOp, 3)) {
    among = 1;
  } else if (choices_.OneIn(Topic::kOp, 2)) {
    among = std::min<size_t>(among, 3);
  }
  return found[choices_.Below(Topic::kOp, static_cast<uint32_t>(among))];
}

TypedName ProgramDrawer::PickOrInput(Scope* scope, const TensorType& type,
                                     std::string_view except) {
  if (!choices_.OneIn(Topic::kOp, 5)) {
    const bool takes_ranged = choices_.OneIn(Topic::kOp, 3);
    if (const TypedName* value = Pick(scope, &type, takes_ranged, except))
      return *value;
  }
  return DrawsConstant() ? NewConstant(scope, DrawConstant(&choices_, type))
                         : NewInput(scope, DrawSmallValues(&choices_, type));
}

bool ProgramDrawer::DrawsConstant() {
  return ops_.has_constants() && left_ > 1 && choices_.OneIn(Topic::kOp, 3);
}

TypedName ProgramDrawer::NewConstant(Scope* scope, Tensor values) {
  const TypedName result{NewName('t'), values.type()};
  Define(result.name, values);
  scope->function->body.push_back(ConstantOp(std::move(values), result));
  scope->values.push_back(result);
  --left_;
  return result;
}

TypedName ProgramDrawer::NewValue(Scope* scope, Tensor values) {
  return DrawsConstant() ? NewConstant(scope, std::move(values))
                         : NewInput(scope, std::move(values));
}

// ----------------------------------------------------------------------- ops

bool ProgramDrawer::IsDecided(const Op& op) {
  const ProgramEvaluator::OpResults results = evaluator_.Evaluate(op);
  if (results.evaluation.relation != nullptr) return false;
  evaluator_.Keep(op, results);
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    const Tensor& values = results.evaluation.outputs[k].lo;
    const std::string& name = op.outputs[k].value;
    for (int64_t i = 0; i < values.size(); ++i) {
      const Possible possible = evaluator_.At(name, i);
      if (possible.kind != Possible::Kind::kRanges) return false;
      if (!possible.IsFinite() || possible.ranges.size() > 1)
        ranged_.insert(name);
    }
    known_.insert_or_assign(name, values);
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

void ProgramDrawer::TakeBack(size_t ops, Scope* scope) {
  std::vector<Op>& body = scope->function->body;
  for (; body.size() > ops; body.pop_back(), ++left_) {
    std::erase_if(scope->values, [&](const TypedName& value) {
      return std::ranges::find(body.back().outputs, value.name,
                               &Op::Result::value) != body.back().outputs.end();
    });
  }
}

void ProgramDrawer::Bind(std::optional<size_t> bound, Scope* scope, Op* op) {
  // Operands of one type are one value in one of three calls, and seldom
  // otherwise.
  const std::string first = bound ? op->inputs[*bound].value : "";
  const bool is_same = bound && choices_.OneIn(Topic::kOp, 3);
  for (size_t k = 0; k < op->inputs.size(); ++k) {
    Op::Operand& operand = op->inputs[k];
    if (k == bound) continue;
    // Most other values would leave the call without a meaning.
    std::optional<Tensor> needed = operand.known;
    if (!needed) needed = RunTimeValue(*FindOp(op->op), operand, *op);
    if (needed) {
      operand.value = NewValue(scope, *std::move(needed)).name;
      continue;
    }
    operand.value = is_same && operand.type == op->inputs[*bound].type
                        ? first
                        : PickOrInput(scope, operand.type.tensor(), first).name;
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

// Many rules of compilers are about two ops of one name in a row.
const ProgramOps::Choice& ProgramDrawer::DrawChoice(const Scope& scope) {
  if (last_ != nullptr && choices_.OneIn(Topic::kOp, 6)) return *last_;
  const bool leans = !choices_.OneIn(Topic::kOp, 4);
  const ProgramOps::Choices& ops = leans ? *leaning_ : ops_.leanings()[0];
  const ProgramOps::Choice& choice = *choices_.Of(Topic::kOp, ops);
  // An op that takes the last value tells more than one that does not.
  const bool takes_last =
      scope.values.empty() || choice.taking.empty() ||
      choices_.OneIn(Topic::kOp, 3) ||
      choice.taking.contains(scope.values.back().type.tensor().element_type);
  return takes_last ? choice : *choices_.Of(Topic::kOp, ops);
}

bool ProgramDrawer::DrawPlain(Scope* scope) {
  constexpr int kTries = 3;
  const ProgramOps::Choice& choice = DrawChoice(*scope);
  for (int left = kTries; left > 0; --left) {
    if (!DrawPlain(choice, scope)) continue;
    last_ = &choice;
    return true;
  }
  return false;
}

// Results often have a type that is there already, so that values meet again.
const Signature& ProgramDrawer::DrawSignature(
    const std::vector<const Signature*>& taking, Scope* scope) {
  if (taking.size() > 1 && choices_.OneIn(Topic::kTypes, 2)) {
    const TypedName& value = *Pick(scope, nullptr, true);
    const ElementType type = value.type.tensor().element_type;
    std::vector<const Signature*> giving;
    std::ranges::copy_if(taking, std::back_inserter(giving),
                         [&](const Signature* signature) {
                           return signature->results[0] == type;
                         });
    if (!giving.empty()) return *choices_.Of(Topic::kTypes, giving);
  }
  return *choices_.Of(Topic::kTypes, taking);
}

// Draws a call of the op on a value that is there, if it takes one.
std::optional<ProgramDrawer::Call> ProgramDrawer::DrawCall(
    const ProgramOps::Choice& choice, Scope* scope) {
  const OpEntry& entry = *choice.entry;
  const TypedName* pivot = nullptr;
  const std::vector<const Signature*>* taking = nullptr;
  for (int tries = 4; tries > 0 && taking == nullptr; --tries) {
    pivot = Pick(scope, nullptr, !choices_.OneIn(Topic::kOp, 3));
    if (pivot == nullptr) break;
    const auto it = choice.taking.find(pivot->type.tensor().element_type);
    if (it != choice.taking.end()) taking = &it->second;
  }
  SearchGoal goal{DrawSmallType(&choices_, most_elements_).shape,
                  most_elements_};
  if (taking == nullptr) {
    if (!choice.taking.empty() && choices_.OneIn(Topic::kOp, 2))
      return std::nullopt;
    const Signature& any = choices_.Of(Topic::kTypes, entry.signatures);
    Call call{plain_.Start(entry, any, goal.seed.size(), &choices_), {}};
    return plain_.Complete(entry, goal, &choices_, &call.op)
               ? std::optional(std::move(call))
               : std::nullopt;
  }
  const TensorType type = pivot->type;
  // A scalar may be an index into a tensor of any rank.
  const Shape indexed = type.shape.empty() ? goal.seed : type.shape;
  Call call{plain_.Start(entry, DrawSignature(*taking, scope), indexed.size(),
                         &choices_),
            {}};
  std::vector<size_t> fitting;
  for (size_t k = 0; k < call.op.inputs.size(); ++k) {
    const Op::Operand& operand = call.op.inputs[k];
    if (operand.type.tensor().element_type == type.element_type &&
        !entry.spec->Input(operand.name)->at_run_time)
      fitting.push_back(k);
  }
  // Not every operand may have the shape of the value.
  while (!fitting.empty()) {
    const size_t i =
        choices_.Below(Topic::kOp, static_cast<uint32_t>(fitting.size()));
    call.bound = fitting[i];
    const bool is_index =
        entry.spec->Input(call.op.inputs[*call.bound].name)->is_index;
    goal.seed = is_index ? indexed : type.shape;
    goal.given.assign(call.op.inputs.size() + call.op.outputs.size(), {});
    goal.given[*call.bound] = type.shape;
    if (plain_.Complete(entry, goal, &choices_, &call.op)) {
      call.op.inputs[*call.bound].value = pivot->name;
      return call;
    }
    fitting.erase(fitting.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return std::nullopt;
}

bool ProgramDrawer::MayAdd(const OpSpec& spec, const Op& op,
                           const Scope* scope) {
  for (const Op::Result& result : op.outputs) {
    const int64_t elements = *ElementCount(result.type.tensor().shape);
    const bool is_empty = elements == 0 && !choices_.OneIn(Topic::kShape, 16);
    if (is_empty || elements > most_elements_) return false;
  }
  // A function that captures is inside of the program's own scope alone.
  bool is_in_callee = false;
  for (const Scope* at = scope; at != nullptr; at = at->around)
    is_in_callee |= at->is_callee;
  return !IsSlowCall(spec, op) && !(is_in_callee && !Captures(op).empty());
}

bool ProgramDrawer::DrawPlain(const ProgramOps::Choice& choice, Scope* scope) {
  const OpSpec& spec = *choice.entry->spec;
  std::optional<Call> call = DrawCall(choice, scope);
  if (!call || !MayAdd(spec, call->op, scope)) return false;
  for (Attribute& attribute : call->op.attributes) {
    Tensor* value = std::get_if<Tensor>(&attribute.value);
    const InputSpec& input = *spec.Input(attribute.name);
    if (value != nullptr && (!input.type || IsFloatConstant(input)))
      *value = DrawConstant(&choices_, value->type());
  }
  const size_t ops = scope->function->body.size();
  Bind(call->bound, scope, &call->op);
  const std::string first = call->op.outputs[0].value;
  if (!Add(std::move(call->op), scope) ||
      (IsMostlySpecial(known_.at(first)) && !choices_.OneIn(Topic::kOp, 8))) {
    TakeBack(ops, scope);
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
    const size_t ops = scope->function->body.size();
    Bind(static_cast<size_t>(operand - op->inputs.begin()), scope, &*op);
    const TypedName result{op->outputs[0].value, op->outputs[0].type};
    if (Add(*std::move(op), scope)) return result;
    TakeBack(ops, scope);
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
