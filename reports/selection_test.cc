// Tests that selections of one suite are joined, and that others say where they
// differ.
#include "reports/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Makes a run of two backends on the cases x and y of each op.
Results RunOn(const std::string& file, const std::vector<std::string>& ops,
              Outcome outcome = Outcome::kPass) {
  RunHeader header = MakeHeader({"simd", "cuda"}, 2 * ops.size());
  header.ops = ops;
  header.suite_sha256 = "of";
  std::vector<Verdict> verdicts;
  for (const std::string& op : ops) {
    header.suite_sha256 += op;
    header.files["conformance/" + op + ".json"] = "d" + op;
  }
  for (const char* backend : {"simd", "cuda"}) {
    for (const std::string& op : ops) {
      for (const char* id : {"/x", "/y"}) {
        Verdict verdict = MakeVerdict(0, op + id, outcome);
        verdict.index =
            static_cast<int64_t>(verdicts.size() % (2 * ops.size()));
        verdict.backend = backend;
        verdicts.push_back(verdict);
      }
    }
  }
  return MakeResults(file, header, verdicts);
}

std::vector<std::string> Names(const Results& results) {
  std::vector<std::string> names;
  for (size_t i = 0; i < results.size(); ++i)
    names.push_back(results.BackendOf(i) + " " + results.CaseOf(i) + " " +
                    std::to_string(results.IndexOf(i)));
  return names;
}

Results Merged(Results a, Results b) {
  std::vector<Results> parts;
  parts.push_back(std::move(a));
  parts.push_back(std::move(b));
  return Merge(std::move(parts));
}

TEST(Selection, SelectionsOfOneSuiteAreOne) {
  const Results joined =
      Merged(RunOn("a.jsonl", {"add"}), RunOn("b.jsonl", {"add", "sub"}));
  EXPECT_THAT(joined.header.ops, ElementsAre("add", "sub"));
  EXPECT_EQ(joined.header.cases, 4u);
  EXPECT_THAT(Names(joined),
              ElementsAre("simd add/x 0", "simd add/y 1", "simd sub/x 2",
                          "simd sub/y 3", "cuda add/x 0", "cuda add/y 1",
                          "cuda sub/x 2", "cuda sub/y 3"));
  // Joined results can be joined again.
  const Results again = Merged(Merged(RunOn("a", {"add"}), RunOn("b", {"sub"})),
                               RunOn("c", {"tan"}));
  EXPECT_THAT(again.header.ops, ElementsAre("add", "sub", "tan"));
  EXPECT_EQ(again.header.cases, 6u);
}

TEST(Selection, OfAnotherSuiteAreRefused) {
  const auto expect_no_merge = [](Results a, Results b, const char* why) {
    EXPECT_THAT([&] { Merged(std::move(a), std::move(b)); },
                ThrowsMessage<InputError>(HasSubstr(why)));
  };
  Results other = RunOn("b.jsonl", {"add", "sub"});
  other.header.files["conformance/add.json"] = "new";
  expect_no_merge(RunOn("a.jsonl", {"add"}), std::move(other),
                  "b.jsonl: does not belong to a.jsonl: conformance/add.json "
                  "has other cases there");
  expect_no_merge(RunOn("a.jsonl", {"add"}),
                  RunOn("b.jsonl", {"add", "sub"}, Outcome::kFail),
                  "b.jsonl: add/x on simd is fail, and pass in a.jsonl");
  Results old = RunOn("b.jsonl", {"sub"});
  old.header.files.clear();
  expect_no_merge(RunOn("a.jsonl", {"add"}), std::move(old),
                  "does not say what its files are");
  Results backend = RunOn("b.jsonl", {"sub"});
  backend.header.backends[1].version = "2";
  expect_no_merge(RunOn("a.jsonl", {"add"}), std::move(backend),
                  "backend cuda: version '0.1.0' and '2'");
}

TEST(Selection, CasesThatDifferAreNamed) {
  Results a = RunOn("a.jsonl", {"add"}), b = RunOn("b.jsonl", {"sub"});
  b.header.ops = a.header.ops;
  b.header.files = {{"conformance/add.json", "new"}};
  EXPECT_EQ(CasesThatDiffer(a, b),
            "conformance/add.json differ; add/x, add/y in a.jsonl only; sub/x, "
            "sub/y in b.jsonl only");
  EXPECT_THAT([&] { Merged(std::move(a), std::move(b)); },
              ThrowsMessage<InputError>(HasSubstr("add/x, add/y in a.jsonl")));
}

TEST(Selection, IsTakenOutOfResults) {
  const Results all = RunOn("a.jsonl", {"add", "sub"});
  const Results selected = Selected(all, {"sub", "add/y"});
  EXPECT_THAT(selected.header.ops, ElementsAre("add/y", "sub"));
  EXPECT_EQ(selected.header.cases, 3u);
  EXPECT_THAT(Names(selected),
              ElementsAre("simd add/y 0", "simd sub/x 1", "simd sub/y 2",
                          "cuda add/y 0", "cuda sub/x 1", "cuda sub/y 2"));
  // The results have all that `sub` chooses of the suite, but may not have all
  // that `*/y` chooses.
  EXPECT_TRUE(Selected(all, {"sub"}).header.is_selection());
  EXPECT_FALSE(Selected(all, {"*/y"}).header.is_selection());
  Results whole = RunOn("a.jsonl", {"add", "sub"});
  whole.header.ops.clear();
  EXPECT_TRUE(Selected(whole, {"*/y"}).header.is_selection());
  EXPECT_THAT(
      [&] {
        Selected(all, {"sub", "ad/x"});
      },
      ThrowsMessage<InputError>(HasSubstr("did you mean 'add/x'")));
}

}  // namespace
}  // namespace assay
