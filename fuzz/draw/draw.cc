#include "fuzz/draw/draw.h"

#include <fmt/compile.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "cases/read/case_json.h"
#include "cases/read/pattern.h"
#include "fuzz/draw/build.h"
#include "spec/digest.h"
#include "spec/error.h"
#include "spec/nearest.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

std::vector<ControlKind> Control(
    const std::function<bool(const OpSpec&)>& is_wanted) {
  std::vector<ControlKind> kinds;
  for (size_t k = 0; k < kControlKinds; ++k) {
    const auto kind = static_cast<ControlKind>(k);
    if (is_wanted(*FindOp(IdOf(kind)))) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace

Generator::Generator(const DrawOptions& options)
    : options_(options), memo_(std::make_unique<Memo>()) {
  const auto is_wanted = [&](const OpSpec& spec) {
    return options.ops.empty() ||
           std::ranges::any_of(options.ops, [&](const std::string& pattern) {
             return Matches(pattern, spec.id, "");
           });
  };
  table_ = DrawnOps(is_wanted);
  for (const OpSpec& spec : Ops()) {
    const bool is_drawn =
        std::ranges::find(table_, &spec, &OpEntry::spec) != table_.end();
    if (spec.executable && is_wanted(spec) && !is_drawn)
      not_drawn_.push_back(spec.id);
  }
  AddVerified(is_wanted);
  for (const std::string& pattern : options.ops) {
    const bool is_verified = std::ranges::any_of(
        verified_,
        [&](const OpSpec* spec) { return Matches(pattern, spec->id, ""); });
    if (is_verified) continue;
    const bool matches = std::ranges::any_of(table_, [&](const OpEntry& entry) {
      return Matches(pattern, entry.spec->id, "");
    });
    // Programs have ops of control beside the others.
    const bool is_in_programs =
        options.programs && !table_.empty() &&
        std::ranges::any_of(not_drawn_, [&](const std::string& id) {
          return IsDrawnInPrograms(id) && Matches(pattern, id, "");
        });
    if (matches || is_in_programs) continue;
    const bool is_not_drawn = std::ranges::any_of(
        not_drawn_,
        [&](const std::string& id) { return Matches(pattern, id, ""); });
    throw InputError(
        "--op", fmt::format("no op that {} matches '{}'{}",
                            is_not_drawn ? "is drawn" : "runs", Cut(pattern),
                            DidYouMean(pattern, OpIds())));
  }
  for (const OpEntry& entry : table_) {
    (entry.IsPointwise() ? pointwise_ : plain_).push_back(&entry);
  }
  if (options.programs) memo_->program_ops.emplace(table_, Control(is_wanted));
  // Programs have what no call alone has.
  if (options.programs && !memo_->program_ops->empty()) {
    std::erase_if(not_drawn_,
                  [](const std::string& id) { return IsDrawnInPrograms(id); });
  }
  if (options.enumerates) memo_->enumerated = EnumeratedCalls(table_);
  for (const OpEntry& entry : table_) {
    by_id_[entry.spec->id] = &entry;
    for (const Signature& signature : entry.signatures)
      kinds_.push_back({&entry, &signature});
    if (entry.IsPointwise()) kinds_.push_back({&entry, nullptr});
  }
  ASSAY_CHECK(kinds_.size() < kMostKinds);
}

// Ops that are not judged are drawn as often as the options say, or alone.
void Generator::AddVerified(
    const std::function<bool(const OpSpec&)>& is_wanted) {
  bool has_unjudged = false;
  for (const OpSpec& spec : Ops()) {
    if (spec.source != "stablehlo" || !is_wanted(spec)) continue;
    has_unjudged |= !spec.unjudged.empty();
    const bool is_verified = spec.executable
                                 ? !spec.control && MayBeQuantized(spec)
                                 : !spec.unjudged.empty();
    if (is_verified) verified_.push_back(&spec);
  }
  if (table_.empty() && has_unjudged) options_.percent_verified = 100;
  if (verified_.empty()) options_.percent_verified = 0;
  for (const OpSpec* spec : verified_) {
    if (options_.percent_verified == 0 && !spec->executable)
      not_judged_.push_back(spec->id);
  }
}

Generator::~Generator() = default;

uint64_t Generator::enumerated() const { return memo_->enumerated.size(); }

Drawn Generator::Draw(Choices* choices) {
  return Build(this, choices).Make(nullptr);
}

// Every second one of the first cases is enumerated, so that a short run has
// both.
const EnumeratedCall* Generator::EnumeratedAt(uint64_t index) const {
  const bool is_enumerated =
      index % 2 == 0 && index / 2 < memo_->enumerated.size();
  return is_enumerated ? &memo_->enumerated[index / 2] : nullptr;
}

const CallKind* Generator::KindAt(uint64_t index) const {
  const uint64_t number = index >> kKindShift;
  return number == 0 || number > kinds_.size() ? nullptr : &kinds_[number - 1];
}

std::optional<DrawnTypes> Generator::Peek(uint64_t seed, uint64_t index) {
  if (const EnumeratedCall* call = EnumeratedAt(index))
    return DrawnTypes{call->entry, call->signature, call->signature->operands};
  Choices choices(seed, index);
  return Build(this, &choices).Peek(KindAt(index));
}

std::optional<Case> Generator::Ordinary(
    const CallKind& kind, const std::vector<ElementType>& operands,
    const Shape& shape) {
  // The recording chooses some number in the middle, and elements that are not
  // zero.
  Recording recording;
  recording.Of(Topic::kAttributes).assign(16, 5);
  recording.Of(Topic::kValues).assign(4096, 1);
  Choices choices(&recording);
  const PointwiseTypes* types = nullptr;
  if (kind.signature == nullptr) {
    types = memo_->pointwise.FindUsual(*kind.entry, operands);
    if (types == nullptr) return std::nullopt;
  }
  return Build(this, &choices).MakeOrdinary(kind, types, shape);
}

Drawn Generator::Draw(uint64_t seed, uint64_t index) {
  Choices choices(seed, index);
  const EnumeratedCall* enumerated = EnumeratedAt(index);
  Build build(this, &choices);
  Drawn drawn = enumerated != nullptr ? build.MakeEnumerated(*enumerated)
                                      : build.Make(KindAt(index));
  drawn.c.name =
      fmt::format(FMT_COMPILE("{}/seed_{}_{}"), drawn.c.op, seed, index);
  return drawn;
}

std::string DigestOfCases(Generator* generator) {
  std::string text;
  for (uint64_t index = 0; index < 200; ++index) {
    const Drawn drawn = generator->Draw(1, index);
    text += drawn.c.name + " " + CaseAsJson(drawn.c, "id").dump() +
            drawn.variant + "\n";
  }
  return Sha256(text);
}

Case ToJudge(const Drawn& drawn) {
  return drawn.variant.empty() ? drawn.c : VariantOf(drawn.c, drawn.variant);
}

}  // namespace assay
