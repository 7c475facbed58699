// StableHLO's own tests as cases ($ASSAY_PEER_DIR): the oracle allows what
// those of the interpreter expect, and our reader refuses what those of the
// verifier say is wrong. mlir_peer.jsonl and mlir_peer_invalid.jsonl say what
// is left out and why, and what is not so.
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

// Judges the literals alone, which no backend is needed for.
Verdict Checked(const Case& c, const Policy& policy) {
  Values values;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  Verdict verdict = VerdictOf(c, "oracle");
  CheckLiterals(c, values, policy, &verdict);
  return verdict;
}

void AddCounts(const std::vector<LeftOut>& left_out, std::vector<Row>* rows) {
  std::map<std::string, int> counts;
  for (const LeftOut& each : left_out) ++counts[each.subject];
  for (const auto& [subject, count] : counts)
    rows->push_back({{"left_out", subject}, {"functions", count}});
}

// The rows must be those of the table in the sources.
void ExpectTable(const std::string& name, const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) text += row.dump() + "\n";
  std::cout << text;
  const std::string made = ASSAY_BINARY_DIR "/" + name;
  std::ofstream(made, std::ios::binary) << text;
  const std::string table = "cases/read/" + name;
  std::ifstream stream(ASSAY_SOURCE_DIR "/" + table, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, there) << "if this is meant: cp " << made << " " << table;
}

TEST(MlirPeer, TheOracleAllowsWhatTheInterpretersTestsExpect) {
  const char* const folder = std::getenv("ASSAY_PEER_DIR");
  if (folder == nullptr)
    GTEST_SKIP() << "ASSAY_PEER_DIR is not set: the peer's tests are not read";
  std::vector<LeftOut> left_out;
  const std::vector<Case> cases =
      ReadSuite({std::string(folder) + "/stablehlo/interpret"}, {}, &left_out);
  std::vector<Row> rows(1);
  size_t literals = 0, near = 0, drawn = 0;
  for (const Case& c : cases) {
    literals += c.expect.size();
    near += c.nearness.size();
    drawn += c.expect.empty();
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
  AddCounts(left_out, &rows);
  rows[0] = {{"cases", cases.size()},
             {"with_drawn_values", drawn},
             {"literals", literals},
             {"compared_by_nearness", near},
             {"functions_left_out", left_out.size()}};
  ExpectTable("mlir_peer.jsonl", rows);
}

// Counts of a file of the verifier's tests.
struct FileCounts {
  int chunks = 0;  // that are judged
  int agreed = 0;  // refused or accepted as the file says
  int labels = 0;  // chunks that must be refused and name a constraint
  int label_agreed = 0;
  int outside = 0;
};

TEST(MlirPeer, OurReaderDecidesAsTheVerifiersTestsSay) {
  const char* const folder = std::getenv("ASSAY_PEER_DIR");
  if (folder == nullptr)
    GTEST_SKIP() << "ASSAY_PEER_DIR is not set: the peer's tests are not read";
  const std::string root = std::string(folder) + "/";
  std::vector<LeftOut> left_out;
  const std::vector<Case> cases =
      ReadSuite({root + "stablehlo/verify"}, {}, &left_out);
  std::ifstream stream(ASSAY_SOURCE_DIR "/cases/read/verifier_exceptions.json");
  auto exceptions = Row::parse(stream);
  std::map<std::string, FileCounts> files;
  std::vector<Row> rows;
  for (const Case& c : cases) {
    const Verdict verdict = JudgeConstraints(c, Policy::Find("stablehlo"), "");
    FileCounts& counts = files[c.name.substr(0, c.name.find('/'))];
    ++counts.chunks;
    const bool has_label = c.MustBeRefused() && !c.violates.empty();
    counts.agreed +=
        verdict.outcome == Outcome::kPass || verdict.outcome == Outcome::kFail;
    counts.labels += has_label;
    counts.label_agreed += has_label && verdict.outcome == Outcome::kPass;
    if (verdict.outcome == Outcome::kPass) continue;
    EXPECT_TRUE(exceptions.contains(c.name))
        << c.name << ": " << verdict.message;
    rows.push_back({{Name(verdict.outcome), c.name},
                    {"why", exceptions.value(c.name, "")}});
    exceptions.erase(c.name);
  }
  EXPECT_TRUE(exceptions.empty()) << "agrees now: " << exceptions.dump();
  for (const LeftOut& each : left_out)
    ++files[each.name.substr(0, each.name.find('/'))].outside;
  std::vector<Row> table;
  for (const auto& [file, counts] : files)
    table.push_back({{"file", file},
                     {"chunks", counts.chunks},
                     {"agreed", counts.agreed},
                     {"labels", counts.labels},
                     {"label_agreed", counts.label_agreed},
                     {"outside", counts.outside}});
  table.insert(table.end(), rows.begin(), rows.end());
  AddCounts(left_out, &table);
  ExpectTable("mlir_peer_invalid.jsonl", table);
}

}  // namespace
}  // namespace assay
