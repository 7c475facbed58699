// These files are short, so they are read with the reader that reports places.
#include "reports/evidence.h"

#include <fmt/format.h>

#include "cases/read/json.h"
#include "cases/read/line_reader.h"
#include "cases/run/verdict.h"
#include "spec/error.h"

namespace assay {
namespace {

constexpr int64_t kFormat = 1;  // of both kinds

void ReadPower(const JsonView& json, Evidence* evidence) {
  Evidence::Power& power = evidence->power[json.At("clause").String()];
  power.marked_by += json.At("marked_by").Integer(0, INT64_MAX);
  // A clause may be broken under several policies; it is enough if one notices.
  if (json.At("breaks").json().is_null() || !power.breaks.empty()) return;
  power.breaks = json.At("breaks").String();
  power.outcome = json.At("outcome").String();
  if (!FindOutcome(power.outcome)) json.At("outcome").Fail("is no outcome");
}

void ReadMutant(const JsonView& json, Evidence* evidence,
                std::set<std::string>* bugs) {
  const std::string bug = json.At("bug").String();
  const std::string arm = json.At("arm").String();
  bugs->insert(bug);
  if (!json.At("killed").Bool()) return;
  for (const std::string& clause : json.At("clauses").Strings())
    evidence->killed[clause].insert(
        arm == "suite" ? bug : fmt::format("{} ({})", bug, arm));
}

}  // namespace

bool IsEvidence(const std::string& path) {
  LineReader lines(path);
  if (!lines.Next()) return false;
  const Json json = Json::parse(lines.line(), nullptr, false);
  if (!json.is_object() || !json.contains("kind")) return false;
  return json["kind"] == "clause_power" || json["kind"] == "mutants";
}

void ReadEvidence(const std::string& path, Evidence* evidence) {
  LineReader lines(path);
  std::set<std::string> bugs;
  bool is_power = false;
  while (lines.Next()) {
    const std::string place = lines.where();
    const Json document = ParseJson(place, lines.line());
    const JsonView json(document, place);
    if (lines.number() == 1) {
      is_power = json.At("kind").String() == "clause_power";
      json.At("format").Integer(kFormat, kFormat);
      evidence->has_power |= is_power;
    } else if (is_power) {
      ReadPower(json, evidence);
    } else if (json.At("kind").String() == "mutant") {
      ReadMutant(json, evidence, &bugs);
    } else {
      json.At("kind").Fail("expected 'mutant'");
    }
  }
  if (lines.is_cut_off())
    throw InputError(path, "is cut off: its last line has no end");
  evidence->bugs += static_cast<int64_t>(bugs.size());
}

}  // namespace assay
