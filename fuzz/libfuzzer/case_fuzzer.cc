// case_fuzzer gives any bytes to the reader of case files. Every error must be
// an InputError, and a case that is read must be possible to write and read
// again.
//
// The target also compares two readers of JSON and the canonical form, which
// must agree on what is JSON.
#include <algorithm>

#include "cases/case.h"
#include "cases/read/canonical.h"
#include "cases/read/case_json.h"
#include "cases/read/json.h"
#include "cases/run/runner.h"
#include "spec/error.h"

namespace assay {
namespace {

const std::string kFile = "fuzzed.json";
// Reading a case of so many bytes takes a few hundredths of a second.
constexpr int64_t kMemoryLimit = int64_t{1} << 20;
// Printing takes longer than reading, so cases with more elements, and further
// cases that one text stands for, are only read.
constexpr int64_t kMostElements = 1000;
constexpr size_t kMostPrinted = 4;

// Returns whether `text` is JSON, by the reader that keeps the text of numbers.
// The other one refuses numbers beyond a double.
bool IsJson(const std::string& text, Json* json) {
  try {
    *json = ParseJsonExactly(kFile, text);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

void CheckCanonical(const std::string& text) {
  std::string canonical;
  try {
    canonical = CanonicalJson(kFile, text);
  } catch (const InputError&) {
    return;  // a number beyond a double
  }
  ASSAY_CHECK(CanonicalJson(kFile, canonical) == canonical);
  Json json, again;
  ASSAY_CHECK(IsJson(text, &json) && IsJson(canonical, &again));
  ASSAY_CHECK(json == again);
}

bool IsPrinted(const Case& c) {
  if (c.trait || !c.is_static || !c.unjudged.empty()) return false;
  int64_t elements = 0;
  for (const CaseInput& input : c.inputs)
    elements += *ElementCount(input.data.type.shape);
  return elements <= kMostElements;
}

void CheckPrinted(const Case& c) {
  const Json printed = CaseAsJson(c, "printed");
  Json file = {{"op", c.op}, {"cases", Json::array({printed})}};
  const std::string text = file.dump();
  const std::vector<Case> again =
      ParseCases(kFile, ParseJsonExactly(kFile, text), {});
  ASSAY_CHECK(again.size() == 1);
  ASSAY_CHECK(CaseAsJson(again[0], "printed") == printed);
}

// Before a case runs, its formulas are evaluated on it.
bool HoldsItsConstraints(const Case& c) {
  try {
    RequireConstraints(c);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Json json;
  if (!IsJson(text, &json)) {
    // The error must be about the text as it stands.
    try {
      ParseJson(kFile, text);
    } catch (const InputError&) {
      return 0;
    }
    CheckFailed("what one reader takes for JSON is JSON", __FILE__, __LINE__);
  }
  CheckCanonical(text);
  std::vector<Case> cases;
  try {
    cases = ParseCases(kFile, json, {kMemoryLimit});
  } catch (const InputError&) {
    return 0;
  }
  for (size_t i = 0; i < std::min(cases.size(), kMostPrinted); ++i) {
    if (HoldsItsConstraints(cases[i]) && IsPrinted(cases[i]))
      CheckPrinted(cases[i]);
  }
  return 0;
}

}  // namespace assay
