// Tests that a journal of chunks is read as it was written, up to its last
// whole line.
#include "reports/chunk_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

Verdict MakeChunk(int64_t index, const std::string& backend) {
  Verdict verdict = MakeVerdict(index, "log/every");
  verdict.backend = backend;
  verdict.elements = 1024;
  verdict.accuracy.emplace();
  verdict.accuracy->type = "f32";
  verdict.accuracy->errors.elements = 1000;
  verdict.accuracy->errors.worst = 0.1;
  verdict.accuracy->errors.histogram[2] = 3;
  verdict.accuracy->worst = "[3]: operand = 1";
  verdict.accuracy->worst_index = 3;
  return verdict;
}

TEST(ChunkJournal, ComesBackWithoutATruncatedLine) {
  const std::string path = FreshPath("r.jsonl"), file = path + ".chunks";
  {
    ChunkJournal journal(path);
    journal.Write(7, MakeChunk(2, "a"));
    journal.Write(5, MakeChunk(2, "a"));
    journal.Write(0, MakeChunk(3, "b"));
  }
  WriteFile(file, ReadFile(file) + R"({"kind":"chunk","chu)");
  ChunkJournal again(path);
  auto chunks = again.Read();
  ASSERT_EQ(chunks.size(), 2u);
  ASSERT_EQ(chunks["a"][2].size(), 2u);
  const Verdict& verdict = chunks["a"][2].at(5);
  EXPECT_EQ(verdict.index, 2);
  EXPECT_EQ(verdict.accuracy->errors.worst, 0.1);
  EXPECT_EQ(verdict.accuracy->errors.histogram[2], 3);
  EXPECT_EQ(verdict.accuracy->worst, "[3]: operand = 1");
  EXPECT_EQ(verdict.accuracy->worst_index, 3);
  // A new line does not join the truncated one.
  again.Write(1, MakeChunk(3, "b"));
  EXPECT_EQ(ChunkJournal(path).Read()["b"][3].size(), 2u);
  again.Discard();
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(ChunkJournal(path).Read().empty());
}

TEST(ChunkJournal, WhatIsNoChunkIsRefusedWithItsLine) {
  const std::string path = FreshPath("r.jsonl");
  ChunkJournal(path).Write(0, MakeChunk(0, "simd"));
  const std::string good = ReadFile(path + ".chunks");
  for (const char* bad : {"{}\n", "x\n",
                          R"({"kind":"chunk","chunk":-1})"
                          "\n"}) {
    WriteFile(path + ".chunks", Summed(good + bad));
    EXPECT_THAT([&] { ChunkJournal(path).Read(); },
                testing::ThrowsMessage<InputError>(
                    testing::HasSubstr("r.jsonl.chunks:2")));
  }
}

TEST(ChunkJournal, EveryLineHasTheSumOfThoseUpToIt) {
  const std::string path = FreshPath("r.jsonl"), file = path + ".chunks";
  {
    ChunkJournal journal(path);
    for (int i = 0; i < 3; ++i) journal.Write(i, MakeChunk(0, "simd"));
  }
  const std::string good = ReadFile(file);
  const size_t second = good.find('\n') + 1;
  const size_t third = good.find('\n', second) + 1;
  const auto expect = [&](const std::string& text, int line) {
    WriteFile(file, text);
    EXPECT_THAT([&] { ChunkJournal(path).Read(); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(
                    fmt::format("r.jsonl.chunks:{}: ", line))));
    EXPECT_EQ(ReadFile(file), text) << "not touched";
  };
  expect(good.substr(second), 1);
  expect(good.substr(0, second) + good.substr(third), 2);
  expect(good + good.substr(third), 4);
  std::string changed = good;
  changed.replace(changed.find("\"elements\":1024", second), 15,
                  "\"elements\":1025");
  expect(changed, 2);
  expect(Summed(good + good.substr(third)), 4);  // twice
}

// A new run must not continue with the chunks of an old one.
TEST(ChunkJournal, BelongsToItsRun) {
  const std::string path = FreshPath("r.jsonl");
  const RunHeader header = MakeHeader({"simd"}, 1);
  {
    JsonLinesWriter writer(path, header);
    writer.WriteChunk(4, MakeChunk(0, "simd"));
  }
  EXPECT_EQ(Journal::Resume(path, header).chunks["simd"][0].size(), 1u);
  { JsonLinesWriter begun_anew(path, header); }
  EXPECT_TRUE(Journal::Resume(path, header).chunks.empty());
  WriteRun(path, header, {MakeChunk(0, "simd")});
  EXPECT_FALSE(std::filesystem::exists(path + ".chunks"));
}

}  // namespace
}  // namespace assay
