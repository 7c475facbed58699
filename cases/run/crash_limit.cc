#include "cases/run/crash_limit.h"

#include <fmt/format.h>

#include "cases/run/runner.h"

namespace assay {
namespace {

std::string SignatureOf(const Case& c) {
  if (c.trait || c.verified_text) return c.op;
  const Case& written = c.original ? *c.original : c;
  const Op& op = written.UnderTest();
  std::string signature = op.op;
  const auto add = [&](const ValueType& type) {
    for (const TypedName& tensor : TensorsOf({"", type}))
      signature += fmt::format(" {}", Name(tensor.type.tensor().element_type));
  };
  for (const Op::Operand& input : op.inputs) add(input.type);
  for (const Op::Result& output : op.outputs) add(output.type);
  return c.variant ? signature + "@" + c.variant->layout : signature;
}

const char* Text(Outcome outcome) {
  if (outcome == Outcome::kTimeout) return "timed out like";
  if (outcome == Outcome::kMemory) return "took too much memory like";
  return "crashed like";
}

}  // namespace

const CrashLimit::Ended* CrashLimit::Find(const Case& c) const {
  if (ended_.empty()) return nullptr;  // most backends never end
  const auto it = ended_.find(SignatureOf(c));
  return it == ended_.end() ? nullptr : &it->second;
}

bool CrashLimit::IsSpent(const Case& c) const {
  const Ended* const ended = Find(c);
  return most_ > 0 && ended != nullptr && ended->count >= most_;
}

void CrashLimit::Take(const Case& c, Verdict* verdict) {
  if (IsSpent(c)) {
    const Ended& ended = *Find(c);
    Verdict skipped = VerdictOf(c.original ? *c.original : c, verdict->backend);
    skipped.case_name = c.name;
    skipped.index = verdict->index;
    if (c.variant) skipped.variant = c.variant->layout;
    skipped.outcome = Outcome::kSkipped;
    skipped.message = fmt::format("{} {}", Text(ended.outcome), ended.first);
    *verdict = std::move(skipped);
    return;
  }
  if (!EndsProcess(verdict->outcome)) return;
  Ended& ended = ended_[SignatureOf(c)];
  if (ended.count++ > 0) return;
  ended.first = verdict->case_name;
  ended.outcome = verdict->outcome;
}

}  // namespace assay
