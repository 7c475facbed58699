// StableHLO's own tests as cases ($ASSAY_PEER_DIR): the oracle allows what they
// expect, and mlir_peer.jsonl says what is left out and why.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "cases/run/check_literals.h"
#include "cases/run/runner.h"

namespace assay {
namespace {

using Row = nlohmann::ordered_json;

const char kTable[] = "cases/read/mlir_peer.jsonl";

// Judges the literals alone, which no backend is needed for.
Verdict Checked(const Case& c, const Policy& policy) {
  Values values;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  Verdict verdict = VerdictOf(c, "oracle");
  CheckLiterals(c, values, policy, &verdict);
  return verdict;
}

TEST(MlirPeer, TheOracleAllowsWhatTheInterpretersTestsExpect) {
  const char* const folder = std::getenv("ASSAY_PEER_DIR");
  if (folder == nullptr)
    GTEST_SKIP() << "ASSAY_PEER_DIR is not set: the peer's tests are not read";
  std::vector<LeftOut> left_out;
  const std::vector<Case> cases =
      ReadSuite({std::string(folder) + "/stablehlo/interpret"}, {}, &left_out);
  std::vector<Row> rows;
  size_t literals = 0, near = 0;
  for (const Case& c : cases) {
    literals += c.expect.size();
    near += c.nearness.size();
    for (const char* policy : {"assay", "stablehlo"}) {
      const Verdict verdict = Checked(c, Policy::Find(policy));
      if (verdict.unchecked_literals > 0)
        rows.push_back({{"not_compared", c.name}, {"policy", policy}});
      if (verdict.outcome != Outcome::kPass)
        rows.push_back({{"contradicts", c.name},
                        {"policy", policy},
                        {"message", verdict.message}});
    }
  }
  std::map<std::string, int> counts;
  for (const LeftOut& each : left_out) ++counts[each.subject];
  for (const auto& [subject, count] : counts)
    rows.push_back({{"left_out", subject}, {"functions", count}});
  const Row sums = {{"cases", cases.size()},
                    {"literals", literals},
                    {"compared_by_nearness", near},
                    {"functions_left_out", left_out.size()}};
  std::string text = sums.dump() + "\n";
  for (const Row& row : rows) text += row.dump() + "\n";
  std::cout << text;
  const std::string made = ASSAY_BINARY_DIR "/mlir_peer.jsonl";
  std::ofstream(made, std::ios::binary) << text;
  std::ifstream stream(std::string(ASSAY_SOURCE_DIR "/") + kTable,
                       std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, there) << "if this is meant: cp " << made << " " << kTable;
}

}  // namespace
}  // namespace assay
