#include "fuzz/campaign/declined.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "spec/digest.h"

namespace assay {
namespace {

// A list for people has no more names than these.
constexpr size_t kMostNamed = 8;

std::string Listed(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), kMostNamed);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (shown < names.size())
    text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string NamesOf(const std::vector<ElementType>& types) {
  std::vector<std::string> names;
  for (const ElementType type : types) names.push_back(Name(type));
  if (std::ranges::adjacent_find(names, std::not_equal_to()) == names.end() &&
      !names.empty())
    return names[0];
  return fmt::format("{}", fmt::join(names, " x "));
}

bool IsOf(const Op& op, const Signature& signature) {
  const auto is_same = [](const auto& value, ElementType type) {
    return value.type.tensor().element_type == type;
  };
  return std::ranges::equal(op.inputs, signature.operands, is_same) &&
         std::ranges::equal(op.outputs, signature.results, is_same);
}

uint32_t BitOf(LayoutClass layout) {
  return uint32_t{1} << static_cast<uint32_t>(layout);
}

}  // namespace

void Declined::Learn(const CallKind& kind,
                     const std::vector<ElementType>& operands,
                     bool is_declined) {
  OpAnswers& of = ops_[kind.entry];
  ++of.asked;
  of.declined += is_declined;
  if (kind.signature == nullptr) {
    of.types[operands] = is_declined;
  } else if (is_declined) {
    signatures_.insert(kind.signature);
  }
}

void Declined::LearnLayout(const OpEntry& entry, LayoutClass layout,
                           bool of_results) {
  OpAnswers& of = ops_[&entry];
  (of_results ? of.result_layouts : of.operand_layouts) |= BitOf(layout);
}

void Declined::Forget(const OpEntry& entry) {
  ops_.erase(&entry);
  for (const Signature& signature : entry.signatures)
    signatures_.erase(&signature);
}

void Declined::Prepare() {
  plain_.clear();
  pointwise_.clear();
  has_layouts_ = false;
  for (const auto& [entry, of] : ops_)
    has_layouts_ |= of.operand_layouts != 0 || of.result_layouts != 0;
  is_empty_ = kinds_declined() == 0 && !has_layouts_;
  const OpEntry* last = nullptr;
  uint64_t number = 0;
  for (const CallKind& kind : generator_->kinds()) {
    ++number;
    const auto of = ops_.find(kind.entry);
    const bool is_whole =
        of != ops_.end() && of->second.declined == of->second.asked;
    if (kind.signature == nullptr) {
      if (!is_whole) pointwise_.push_back(number);
      continue;
    }
    if (is_whole || signatures_.contains(kind.signature)) continue;
    if (last != kind.entry) plain_.emplace_back();
    last = kind.entry;
    plain_.back().push_back(number);
  }
}

size_t Declined::kinds_asked() const {
  size_t count = 0;
  for (const auto& [entry, of] : ops_) count += of.asked;
  return count;
}

size_t Declined::kinds_declined() const {
  size_t count = 0;
  for (const auto& [entry, of] : ops_) count += of.declined;
  return count;
}

bool Declined::Has(const DrawnTypes& types) const {
  if (types.signature != nullptr) return signatures_.contains(types.signature);
  const auto of = ops_.find(types.entry);
  if (of == ops_.end()) return false;
  if (of->second.declined == of->second.asked) return true;
  const auto said = of->second.types.find(types.operands);
  if (said != of->second.types.end()) return said->second;
  // If the types were not asked for, they are declined if each of them alone
  // is.
  return std::ranges::all_of(types.operands, [&](ElementType type) {
    const auto alone = of->second.types.find(
        std::vector<ElementType>(types.operands.size(), type));
    return alone != of->second.types.end() && alone->second;
  });
}

bool Declined::HasPartOf(const Case& c) const {
  const std::vector<Op>& body = c.program.main().body;
  if (body.size() > 1) {
    for (const Op& op : body) {
      // No backend is asked about ops of control.
      const OpEntry* const entry = generator_->FindEntry(op.op);
      if (entry == nullptr) continue;
      int open = 0, declined = 0;
      for (const Signature& signature : entry->signatures) {
        if (IsOf(op, signature))
          ++(signatures_.contains(&signature) ? declined : open);
      }
      if (declined > 0 && open == 0) return true;
    }
  }
  const auto of = ops_.find(generator_->FindEntry(c.op));
  if (!has_layouts_ || of == ops_.end()) return false;
  for (const CaseInput& input : c.inputs) {
    if (of->second.operand_layouts &
        BitOf(ClassOf(input.layout, input.data.type.shape)))
      return true;
  }
  for (const Op::Result& result : c.UnderTest().outputs) {
    const auto layout = c.output_layouts.find(result.value);
    if (layout != c.output_layouts.end() &&
        (of->second.result_layouts &
         BitOf(ClassOf(layout->second, result.type.tensor().shape))))
      return true;
  }
  return false;
}

uint64_t Declined::PickKind(Choices* choices) const {
  // Pointwise ops are chosen as often as they are drawn otherwise.
  const bool is_pointwise =
      !pointwise_.empty() &&
      (choices->Below(Topic::kForm, 100) >= 70 || plain_.empty());
  if (is_pointwise) return choices->Of(Topic::kOp, pointwise_);
  if (plain_.empty()) return 0;
  return choices->Of(Topic::kTypes, choices->Of(Topic::kOp, plain_));
}

std::optional<Drawn> Declined::DrawWanted(uint64_t seed, uint64_t index,
                                          Generator* generator) const {
  const auto types = generator->Peek(seed, index);
  if (types && Has(*types)) return std::nullopt;
  Drawn drawn = generator->Draw(seed, index);
  if (HasPartOf(drawn.c)) return std::nullopt;
  return drawn;
}

Declined::Turned Declined::CaseAt(uint64_t seed, uint64_t slot,
                                  Generator* generator) const {
  if (empty() || slot % kAskedEvery == kAskedEvery - 1)
    return {generator->Draw(seed, slot), slot, 0};
  if (auto drawn = DrawWanted(seed, slot, generator))
    return {std::move(*drawn), slot, 0};
  for (uint64_t turn = 0; turn < kTries; ++turn) {
    const uint64_t at = slot + (turn << kTryShift);
    // No case is drawn from these choices, because the number belongs to no
    // kind.
    Choices choices(
        seed, at + (uint64_t{Generator::kMostKinds} << Generator::kKindShift));
    const uint64_t kind = PickKind(&choices);
    if (kind == 0) break;
    const uint64_t index = at + (kind << Generator::kKindShift);
    if (auto drawn = DrawWanted(seed, index, generator))
      return {std::move(*drawn), index, turn + 1};
  }
  return {generator->Draw(seed, slot), slot, kTries};
}

std::map<std::string, bool> Declined::TypesOf(const OpEntry& entry) const {
  std::map<std::string, bool> types;
  if (entry.IsPointwise()) {
    const auto of = ops_.find(&entry);
    if (of == ops_.end()) return types;
    for (const auto& [operands, is_declined] : of->second.types)
      types[NamesOf(operands)] = is_declined;
    return types;
  }
  std::map<std::vector<ElementType>, std::set<std::vector<ElementType>>> all;
  for (const Signature& signature : entry.signatures)
    all[signature.operands].insert(signature.results);
  for (const Signature& signature : entry.signatures) {
    std::string name = NamesOf(signature.operands);
    if (all[signature.operands].size() > 1)
      name += " to " + NamesOf(signature.results);
    const bool is_declined = signatures_.contains(&signature);
    const auto [there, is_new] = types.emplace(name, is_declined);
    if (!is_new) there->second &= is_declined;
  }
  return types;
}

std::string Declined::TypesText(const OpEntry& entry) const {
  std::vector<std::string> declined, others;
  for (const auto& [name, is_declined] : TypesOf(entry))
    (is_declined ? declined : others).push_back(name);
  if (declined.empty()) return "";
  if (others.empty()) return "all types";
  return others.size() < declined.size() ? "all types but " + Listed(others)
                                         : Listed(declined);
}

std::string Declined::LayoutsText(const OpEntry& entry) const {
  const auto of = ops_.find(&entry);
  if (of == ops_.end()) return "";
  const auto list = [](uint32_t bits) {
    std::vector<std::string> names;
    for (uint32_t n = 0; n <= static_cast<uint32_t>(LayoutClass::kTransposed);
         ++n) {
      if (bits >> n & 1) names.emplace_back(Name(static_cast<LayoutClass>(n)));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  };
  std::string text;
  if (of->second.operand_layouts != 0)
    text += "operands in layouts " + list(of->second.operand_layouts);
  if (of->second.result_layouts != 0)
    text += std::string(text.empty() ? "" : "; ") + "results in layouts " +
            list(of->second.result_layouts);
  return text;
}

std::vector<std::string> Declined::Lines() const {
  std::map<std::string, std::vector<std::string>> ops;
  for (const OpEntry& entry : generator_->ops()) {
    for (const std::string& text : {TypesText(entry), LayoutsText(entry)}) {
      if (!text.empty()) ops[text].push_back(entry.spec->id);
    }
  }
  std::vector<std::pair<size_t, std::string>> lines;
  for (const auto& [text, ids] : ops)
    lines.emplace_back(ids.size(), fmt::format("{}: {}", text, Listed(ids)));
  std::ranges::stable_sort(
      lines, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  size_t left = 0;
  for (const auto& [count, line] : lines) {
    if (texts.size() < kMostNamed) {
      texts.push_back(line);
    } else {
      left += count;
    }
  }
  if (left > 0) texts.push_back(fmt::format("and some of {} more op(s)", left));
  return texts;
}

std::string Declined::Digest() const {
  std::string text;
  uint64_t number = 0;
  for (const CallKind& kind : generator_->kinds()) {
    ++number;
    if (kind.signature != nullptr && signatures_.contains(kind.signature))
      text += fmt::format("{} ", number);
  }
  for (const OpEntry& entry : generator_->ops()) {
    const auto of = ops_.find(&entry);
    if (of == ops_.end()) continue;
    for (const auto& [operands, is_declined] : of->second.types) {
      if (is_declined)
        text += fmt::format("{} {} ", entry.spec->id, NamesOf(operands));
    }
    text += fmt::format("{} {} {} ", entry.spec->id, of->second.operand_layouts,
                        of->second.result_layouts);
  }
  return Sha256(text);
}

}  // namespace assay
