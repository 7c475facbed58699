#include "fuzz/draw/plain_calls.h"

#include <algorithm>

#include "fuzz/proposals/proposals.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

constexpr uint32_t kMostOfVariadic = 12;

// Few operands are most usual. There is one index for each dimension.
size_t DrawCount(const OpEntry& entry, size_t rank, Choices* choices) {
  const auto variadic =
      std::ranges::find_if(entry.operands, &InputSpec::variadic);
  if (variadic == entry.operands.end()) return 1;
  if ((*variadic)->is_index) return rank;
  const bool has_many = choices->OneIn(Topic::kShape, 8);
  return 1 + choices->Below(Topic::kShape, has_many ? kMostOfVariadic : 4);
}

// Returns the entry of an op with a proposal; it has no signature if the
// constraints accept no type.
OpEntry ProposedEntry(const OpSpec& spec) {
  OpEntry entry{&spec, OperandsOf(spec)};
  const Recording nothing;
  PlainCalls calls;
  for (const ElementTypeInfo& info : ElementTypes()) {
    const Signature signature = {
        std::vector<ElementType>(entry.operands.size(), info.type),
        {info.type},
        {}};
    Choices choices(&nothing);
    const std::optional<Op> call =
        calls.Find(entry, signature, {{2}}, &choices);
    if (call && SatisfiesAllBut(spec, *call, ""))
      entry.signatures.push_back(signature);
  }
  return entry;
}

// Returns the constants that a proposal leaves out.
std::vector<std::string_view> ConstantsLeftOut(const OpSpec& spec,
                                               const Op& call) {
  std::vector<std::string_view> names;
  const Proposal* const proposal = FindProposal(spec.id);
  if (proposal == nullptr || !proposal->leaves_out) return names;
  for (const InputSpec& input : spec.inputs) {
    if (input.absent && call.FindAttribute(input.name) == nullptr)
      names.push_back(input.name);
  }
  return names;
}

}  // namespace

std::vector<OpEntry> DrawnOps(
    const std::function<bool(const OpSpec&)>& is_wanted) {
  std::vector<OpEntry> entries = MakeOpTable(is_wanted);
  for (const OpSpec& spec : Ops()) {
    if (!is_wanted(spec) || FindProposal(spec.id) == nullptr) continue;
    OpEntry entry = ProposedEntry(spec);
    if (!entry.signatures.empty()) entries.push_back(std::move(entry));
  }
  return entries;
}

CallSearch& PlainCalls::SearchOf(const OpEntry& entry) {
  return searches_.try_emplace(entry.spec, *entry.spec).first->second;
}

std::optional<Op> PlainCalls::Find(const OpEntry& entry,
                                   const Signature& signature,
                                   const SearchGoal& goal, Choices* choices) {
  // Lists that go together are not always found at once.
  constexpr int kTries = 3;
  Op call = Start(entry, signature, goal.seed.size(), choices);
  for (int tries = 0; tries < kTries; ++tries) {
    if (Complete(entry, goal, choices, &call)) return call;
  }
  const Recording nothing;
  for (const Shape& seed : {Shape{1}, Shape(goal.seed.size(), 1)}) {
    Choices simplest(&nothing);
    const SearchGoal of_seed = {.seed = seed,
                                .absent = ConstantsLeftOut(*entry.spec, call)};
    if (!SearchOf(entry).Complete(of_seed, &simplest, &call)) continue;
    AddFunctions(entry, choices, &call);
    return call;
  }
  return std::nullopt;
}

Op PlainCalls::Draw(const OpEntry& entry, const Signature& signature,
                    const SearchGoal& goal, Choices* choices) {
  std::optional<Op> call = Find(entry, signature, goal, choices);
  ASSAY_CHECK(call.has_value());
  return *std::move(call);
}

Op PlainCalls::Start(const OpEntry& entry, const Signature& signature,
                     size_t rank, Choices* choices) {
  const Proposal* proposal = FindProposal(entry.spec->id);
  if (proposal == nullptr)
    return CallOfTypes(entry, signature, DrawCount(entry, rank, choices));
  Op call;
  call.op = entry.spec->id;
  proposal->add_types(signature.results[0], choices, &call);
  return call;
}

bool PlainCalls::Complete(const OpEntry& entry, const SearchGoal& goal,
                          Choices* choices, Op* call) {
  SearchGoal of_call = goal;
  of_call.absent = ConstantsLeftOut(*entry.spec, *call);
  if (!SearchOf(entry).Complete(of_call, choices, call)) return false;
  AddFunctions(entry, choices, call);
  return true;
}

void PlainCalls::AddFunctions(const OpEntry& entry, Choices* choices,
                              Op* call) {
  const Proposal* proposal = FindProposal(entry.spec->id);
  if (proposal != nullptr) proposal->add_functions(choices, call);
}

std::optional<Op> PlainCalls::OnShape(const OpEntry& entry,
                                      const Signature& signature,
                                      const Shape& shape, Choices* choices) {
  Op call = CallOfTypes(entry, signature);
  SearchGoal goal{shape};
  goal.given.assign(call.inputs.size() + call.outputs.size(), shape);
  if (!SearchOf(entry).Complete(goal, choices, &call)) return std::nullopt;
  return call;
}

bool PlainCalls::Violate(const OpEntry& entry, std::string_view label,
                         const Shape& seed, Choices* choices, Op* call) {
  constexpr int64_t kMostElements = 64;
  Op other = *call;
  // Numbers and lists of numbers are searched anew.
  std::erase_if(other.attributes, [&](const Attribute& attribute) {
    const InputSpec* input = entry.spec->Input(attribute.name);
    return input != nullptr && input->kind == InputSpec::Kind::kConstant &&
           !(input->type && IsBoolean(input->type->element_type)) &&
           !IsFloatConstant(*input);
  });
  for (Op::Result& result : other.outputs) result.in_place.reset();
  SearchGoal goal{seed, kMostElements};
  goal.violated = label;
  goal.absent = ConstantsLeftOut(*entry.spec, *call);
  if (!SearchOf(entry).Complete(goal, choices, &other)) return false;
  *call = std::move(other);
  return true;
}

}  // namespace assay
