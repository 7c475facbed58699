// Tests that a results file is complete or absent, and that a journal is
// continued where it ends, and by the same run only.
#include "reports/json_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Json = nlohmann::json;

std::vector<Json> ReadLines(const std::string& path) {
  std::vector<Json> lines;
  std::istringstream stream(ReadFile(path));
  LineSum sum;
  for (std::string line; std::getline(stream, line);) {
    EXPECT_TRUE(sum.Take(&line)) << line;
    lines.push_back(Json::parse(line));
  }
  return lines;
}

TEST(JsonLines, HeaderVerdictsFooter) {
  const std::string path = FreshPath("r.jsonl");
  Summary summary;
  JsonLinesWriter writer(path, MakeHeader({"simd"}, 1));
  Verdict fail = MakeVerdict(0, "add/x", Outcome::kFail);
  fail.also = {Outcome::kNondeterministic};
  fail.basis = "text";
  fail.clauses = {"add/S2"};
  fail.layouts = {"row_major", "transposed"};
  fail.error_ulps = 2.5;
  fail.repeats = {{Outcome::kPass, 1}, {Outcome::kFail, 2}};
  fail.elements = 2;
  fail.message = "not UTF-8: \xff, \"quoted\"\n\x01";
  writer.Write(fail);
  summary.Add(fail);
  EXPECT_FALSE(std::filesystem::exists(path)) << "incomplete, so not there";
  writer.Finish(summary, 1.5, {"lost"});
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));

  const std::vector<Json> lines = ReadLines(path);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["kind"], "header");
  EXPECT_EQ(lines[0]["format"], 4);
  EXPECT_EQ(lines[0]["suite"]["sha256"], "5517e");
  EXPECT_FALSE(lines[0].contains("shard"));
  EXPECT_FALSE(lines[0].contains("repeat"));
  EXPECT_EQ(lines[0]["backends"][0]["policy"], "numpy");
  EXPECT_EQ(lines[0]["backends"][0]["policy_values"]["shift_overflow"],
            "saturate");
  for (const char* key : {"cpu", "cores", "system", "compiler"})
    EXPECT_TRUE(lines[0]["host"].contains(key)) << key;
  EXPECT_EQ(lines[1], Json::parse(R"({"kind": "result", "i": 0,
      "backend": "simd", "case": "add/x", "op": "add", "type": "tensor<2xi8>",
      "outcome": "fail", "also": ["nondeterministic"], "basis": "text",
      "clauses": ["add/S2"], "elements": 2, "error_ulps": 2.5,
      "layouts": ["row_major", "transposed"],
      "repeats": {"pass": 1, "fail": 2},
      "message": "not UTF-8: �, \"quoted\"\n\u0001"})"));
  EXPECT_EQ(lines[2], Json::parse(R"({"kind": "footer", "counts": {"fail": 1},
      "elements": 2, "open": 0, "seconds": 1.5, "failed": ["lost"], "complete": true})"));
}

TEST(JsonLines, AnInfiniteErrorIsStillJson) {
  const std::string path = FreshPath("r.jsonl");
  Verdict fail = MakeVerdict(0, "add/x", Outcome::kFail);
  fail.error_ulps = INFINITY;
  WriteRun(path, MakeHeader({"simd"}, 1), {fail});
  Verdict read;
  ReadResults(path).Get(0, &read);
  EXPECT_EQ(read.error_ulps, INFINITY);
}

TEST(JsonLines, AnInterruptedRunLeavesItsJournal) {
  const std::string path = FreshPath("r.jsonl");
  {
    JsonLinesWriter writer(path, MakeHeader({"simd"}, 2));
    writer.Write(MakeVerdict(0, "add/x"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(ReadLines(path + ".partial").size(), 2u);
}

TEST(JsonLines, WhatWasFlushedSurvivesAKill) {
  const std::string path = FreshPath("r.jsonl");
  JsonLinesWriter writer(path, MakeHeader({"simd"}, 2));
  writer.Write(MakeVerdict(0, "add/x"));
  writer.Flush();
  EXPECT_EQ(ReadLines(path + ".partial").size(), 2u);
}

TEST(JsonLines, WhatIsNoFileIsNotReplaced) {
  const std::string folder = FreshPath("folder.jsonl");
  std::filesystem::create_directories(folder);
  EXPECT_THAT([&] { JsonLinesWriter(folder, MakeHeader({}, 0)); },
              ThrowsMessage<InputError>(HasSubstr("is not a regular file")));
}

TEST(JsonLines, APlaceThatCannotBeWrittenIsAnInputError) {
  EXPECT_THAT(
      [] { JsonLinesWriter("/nonexistent/r.jsonl", MakeHeader({}, 0)); },
      ThrowsMessage<InputError>(
          HasSubstr("/nonexistent/r.jsonl: cannot be written")));
}

TEST(JsonLines, TwoRunsDoNotWriteOneFile) {
  const std::string path = FreshPath("r.jsonl");
  JsonLinesWriter first(path, MakeHeader({"simd"}, 2));
  EXPECT_THAT([&] { JsonLinesWriter(path, MakeHeader({"simd"}, 2)); },
              ThrowsMessage<InputError>(HasSubstr("another run is writing")));
}

// An existing file is replaced only if it is results, or empty.
TEST(JsonLines, WhatIsNoResultsFileIsNotReplaced) {
  const std::string path = FreshPath("notes.txt");
  WriteFile(path, "what was measured\n");
  EXPECT_THAT([&] { JsonLinesWriter(path, MakeHeader({"simd"}, 1)); },
              ThrowsMessage<InputError>(HasSubstr("is no results file")));
  EXPECT_EQ(ReadFile(path), "what was measured\n");
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  WriteFile(path, "");
  JsonLinesWriter(path, MakeHeader({"simd"}, 1));
}

// Another run gives the journal its name after this one has opened it and
// before this one locks it: the file that was opened is then the finished file.
TEST(JsonLines, AFileThatIsFinishedMeanwhileIsNotTouched) {
  const std::string path = FreshPath("r.jsonl");
  const RunHeader header = MakeHeader({"simd"}, 1);
  std::atomic<bool> stop = false;
  std::thread finisher([&] {
    while (!stop) {
      try {
        WriteRun(path, header, {MakeVerdict(0, "add/x")});
      } catch (const InputError&) {  // the other has it
      }
    }
  });
  int begun = 0;
  for (int i = 0; i < 2000 && begun < 200; ++i) {
    try {
      JsonLinesWriter writer(path, header);
      ++begun;
      // The run that has the lock has the file of that name.
      writer.Flush();
      EXPECT_TRUE(std::filesystem::exists(path + ".partial"));
    } catch (const InputError&) {
    }
    if (std::filesystem::exists(path)) {
      EXPECT_EQ(ReadResults(path).size(), 1u);
    }
  }
  stop = true;
  finisher.join();
}

class ResumeTest : public testing::Test {
 protected:
  // Leaves a journal that ends in the middle of a line.
  void Interrupt() {
    {
      JsonLinesWriter writer(path_, header_);
      for (int i = 0; i < 2; ++i)
        writer.Write(MakeVerdict(i, "add/" + std::to_string(i)));
    }
    const std::string text = ReadFile(path_ + ".partial");
    WriteFile(path_ + ".partial", text.substr(0, text.size() - 10));
  }

  const std::string path_ = FreshPath("r.jsonl");
  const RunHeader header_ = MakeHeader({"simd"}, 3);
};

TEST_F(ResumeTest, ContinuesAfterTheLastWholeLine) {
  Interrupt();
  Journal journal = Journal::Resume(path_, header_);
  ASSERT_EQ(journal.done.size(), 1u);
  EXPECT_EQ(journal.done.CaseOf(0), "add/0");
  ASSERT_NE(journal.writer, nullptr);
  Summary summary;
  journal.done.ForEach([&](const Verdict& verdict) { summary.Add(verdict); });
  for (int i = 1; i < 3; ++i) {
    const Verdict verdict = MakeVerdict(i, "add/" + std::to_string(i));
    journal.writer->Write(verdict);
    summary.Add(verdict);
  }
  journal.writer->Finish(summary, 1.5, {});
  const std::string resumed = ReadFile(path_);

  const std::string other = TestPath("other.jsonl");
  WriteRun(other, header_,
           {MakeVerdict(0, "add/0"), MakeVerdict(1, "add/1"),
            MakeVerdict(2, "add/2")});
  EXPECT_EQ(resumed, ReadFile(other)) << "as if never interrupted";
}

TEST_F(ResumeTest, BeginsWhereNothingIsThere) {
  const Journal journal = Journal::Resume(path_, header_);
  EXPECT_EQ(journal.done.size(), 0u);
  EXPECT_NE(journal.writer, nullptr);
}

TEST_F(ResumeTest, BeginsWhereNotEvenTheHeaderIsWhole) {
  WriteFile(path_ + ".partial", "{\"kind\":\"hea");
  const Journal journal = Journal::Resume(path_, header_);
  EXPECT_EQ(journal.done.size(), 0u);
  ASSERT_NE(journal.writer, nullptr);
  EXPECT_THAT(ReadFile(path_ + ".partial"), HasSubstr("\"format\":4"));
}

TEST_F(ResumeTest, ACompleteRunBeginsAnew) {
  const std::vector<Verdict> all = {MakeVerdict(0, "add/0"),
                                    MakeVerdict(1, "add/1"),
                                    MakeVerdict(2, "add/2")};
  WriteRun(path_, header_, all);
  {
    const Journal anew = Journal::Resume(path_, header_);
    EXPECT_EQ(anew.done.size(), 0u);
    EXPECT_NE(anew.writer, nullptr);
    EXPECT_TRUE(std::filesystem::exists(path_)) << "until the new one is there";
  }
  // The run was interrupted between the footer and the rename.
  std::filesystem::rename(path_, path_ + ".partial");
  const Journal journal = Journal::Resume(path_, header_);
  EXPECT_EQ(journal.done.size(), 3u);
  EXPECT_EQ(journal.writer, nullptr);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(ResumeTest, ACompleteFileOfAnotherRunIsRefusedAndNotTouched) {
  WriteRun(path_, header_,
           {MakeVerdict(0, "add/0"), MakeVerdict(1, "add/1"),
            MakeVerdict(2, "add/2")});
  const std::string before = ReadFile(path_);
  RunHeader other = header_;
  other.suite_sha256 = "0";
  EXPECT_THAT([&] { Journal::Resume(path_, other); },
              ThrowsMessage<InputError>(
                  testing::AllOf(HasSubstr("r.jsonl: belongs to another run"),
                                 HasSubstr("suite sha256 '5517e' and '0'"))));
  EXPECT_EQ(ReadFile(path_), before);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".partial"));
}

TEST_F(ResumeTest, AJournalWithoutAMiddleLineIsRefused) {
  {
    JsonLinesWriter writer(path_, header_);
    for (int i = 0; i < 3; ++i)
      writer.Write(MakeVerdict(i, "add/" + std::to_string(i)));
  }
  const std::string partial = path_ + ".partial";
  std::string text = ReadFile(partial);
  const size_t second = text.find("\n{\"kind\":\"result\"") + 1;
  text.erase(second, text.find('\n', second) + 1 - second);
  WriteFile(partial, text);
  EXPECT_THAT([&] { Journal::Resume(path_, header_); },
              ThrowsMessage<InputError>(HasSubstr("r.jsonl.partial:2: ")));
  EXPECT_EQ(ReadFile(partial), text) << "not touched";
}

TEST_F(ResumeTest, AnotherRunIsRefusedAndNotTouched) {
  Interrupt();
  const std::string before = ReadFile(path_ + ".partial");
  const auto expect = [&](const RunHeader& other, const std::string& why) {
    EXPECT_THAT([&] { Journal::Resume(path_, other); },
                ThrowsMessage<InputError>(testing::AllOf(
                    HasSubstr("r.jsonl.partial: belongs to another run"),
                    HasSubstr(why))));
    EXPECT_EQ(ReadFile(path_ + ".partial"), before);
  };
  RunHeader other = header_;
  other.suite_sha256 = "0";
  expect(other, "suite sha256 '5517e' and '0'");
  other = header_;
  other.ops = {"add"};
  expect(other, "selection of ops {} and {\"add\"}");
  other = header_;
  other.shard = {1, 4};
  expect(other, "number of shards 1 and 4");
  other = header_;
  other.repeat = 3;
  expect(other, "repeat 1 and 3");
  other = header_;
  other.backends[0].version = "2";
  expect(other, "backend simd: version '0.1.0' and '2'");
  other = header_;
  other.backends[0].sha256 = "";
  expect(other, "backend simd: plugin sha256 'b17e' and none");
  other = header_;
  other.backends[0].policy = "mask";
  expect(other, "backend simd: policy 'numpy' and 'mask'");
  other = MakeHeader({"cuda"}, 3);
  expect(other, "backends");
}

}  // namespace
}  // namespace assay
