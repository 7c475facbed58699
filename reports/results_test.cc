// Tests that results are read as they were written, that other files are
// refused with a line, and that merged shards are the run that they are parts
// of.
#include "reports/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> Cases(const Results& results) {
  std::vector<std::string> cases;
  for (size_t i = 0; i < results.size(); ++i)
    cases.push_back(results.BackendOf(i) + " " + results.CaseOf(i));
  return cases;
}

TEST(Results, AVerdictComesBackAsItWas) {
  const std::string path = FreshPath("r.jsonl");
  Verdict fail = MakeVerdict(1, "add/\u00e9\"\\", Outcome::kFail);
  fail.also = {Outcome::kNotWritten, Outcome::kNondeterministic};
  fail.basis = "policy:shift_overflow";
  fail.clauses = {"add/S2"};
  fail.covered = {"S2", "S6"};
  fail.violated = {"C1"};
  fail.layouts = {"transposed"};
  fail.message = "two\nlines";
  fail.replay = "assay run";
  fail.elements = 7;
  fail.open = 3;
  fail.unchecked_literals = 1;
  fail.error_ulps = 0.25;
  fail.repeats = {{Outcome::kPass, 2}, {Outcome::kFail, 1}};
  fail.chunks = {4096, 64};
  fail.variant = "step2";
  fail.layout_dependent = 5;
  fail.distinct_tuples = 6;
  fail.aliased = 2;
  fail.not_repeated = 4;
  fail.reordered = 3;
  WriteRun(path, MakeHeader({"simd"}, 2), {MakeVerdict(0, "add/x"), fail});
  const Results results = ReadResults(path);
  EXPECT_EQ(results.seconds, 1.5);
  ASSERT_EQ(results.size(), 2u);
  Verdict read;
  results.Get(1, &read);
  EXPECT_EQ(read.index, 1);
  EXPECT_EQ(read.case_name, fail.case_name);
  EXPECT_EQ(read.op, "add");
  EXPECT_EQ(read.type, fail.type);
  EXPECT_EQ(read.backend, "simd");
  EXPECT_EQ(read.outcome, Outcome::kFail);
  EXPECT_EQ(read.also, fail.also);
  EXPECT_EQ(read.basis, fail.basis);
  EXPECT_EQ(read.clauses, fail.clauses);
  EXPECT_EQ(read.covered, fail.covered);
  EXPECT_EQ(read.violated, fail.violated);
  EXPECT_EQ(read.layouts, fail.layouts);
  EXPECT_EQ(read.message, fail.message);
  EXPECT_EQ(read.replay, fail.replay);
  EXPECT_EQ(read.elements, 7);
  EXPECT_EQ(read.open, 3);
  EXPECT_EQ(read.unchecked_literals, 1);
  EXPECT_EQ(read.error_ulps, 0.25);
  EXPECT_EQ(read.repeats, fail.repeats);
  EXPECT_EQ(read.chunks, fail.chunks);
  EXPECT_EQ(read.variant, "step2");
  EXPECT_EQ(read.layout_dependent, 5);
  EXPECT_EQ(read.distinct_tuples, 6);
  EXPECT_EQ(read.aliased, 2);
  EXPECT_EQ(read.not_repeated, 4);
  EXPECT_EQ(read.reordered, 3);
  // Storage that is used again keeps nothing of the verdict before.
  results.Get(0, &read);
  EXPECT_EQ(read.case_name, "add/x");
  EXPECT_EQ(read.error_ulps, std::nullopt);
  EXPECT_EQ(read.chunks, std::nullopt);
  EXPECT_EQ(read.variant, "");
  EXPECT_EQ(read.layout_dependent + read.distinct_tuples + read.aliased +
                read.not_repeated + read.reordered,
            0);
  EXPECT_TRUE(read.also.empty() && read.repeats.empty() &&
              read.message.empty() && read.covered.empty());
}

// Returns the path of a complete file whose second line is `line`.
std::string WithLine(const std::string& line) {
  const std::string path = FreshPath("r.jsonl");
  WriteFile(
      path,
      Summed(HeaderLine(MakeHeader({"simd"}, 1)) + "\n" + line + "\n" +
             R"({"kind":"footer","counts":{"pass":1},"seconds":1})" + "\n"));
  return path;
}

constexpr char kGood[] =
    R"({"kind":"result","i":0,"backend":"simd","case":"add/x","op":"add",)"
    R"("type":"","outcome":"pass","elements":1})";

std::string GoodWith(const std::string& from, const std::string& to) {
  std::string line = kGood;
  line.replace(line.find(from), from.size(), to);
  return line;
}

TEST(ReadResults, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_EQ(ReadResults(WithLine(kGood)).size(), 1u);
  const auto expect = [](const std::string& line, const std::string& why) {
    EXPECT_THAT([&] { ReadResults(WithLine(line)); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr("r.jsonl:2: "), HasSubstr(why))))
        << line;
  };
  expect(GoodWith("simd", "cuda"), "the header has no backend 'cuda'");
  expect(GoodWith("\"pass\"", "\"passed\""), "unknown outcome 'passed'");
  expect(GoodWith("\"pass\"", "3"), "'outcome' is not a string");
  expect(GoodWith("\"i\":0,", ""), "the field 'i' is missing");
  expect(GoodWith("\"i\":0", "\"i\":-1"), "'i' is not 0 or more");
  expect(GoodWith("\"i\":0", "\"i\":1"), "i = 1, and the header says 1 cases");
  expect(GoodWith(":1}", ":1.5}"), "'elements' is not an integer");
  expect(GoodWith(":1}", R"(:1,"error_ulps":"big"})"),
         "'error_ulps' is not a number");
  expect(GoodWith(":1}", R"(:1,"covered":"S1"})"), "'covered' is not an array");
  expect(GoodWith(":1}", R"(:1,"also":["x"]})"), "unknown outcome 'x'");
  expect("{}", "is not an object with a 'kind'");
  expect(R"({"kind")", "is not JSON");
  expect(R"({"kind":"note"})", "unknown kind 'note'");
  expect(HeaderLine(MakeHeader({"simd"}, 1)), "a second header");
}

TEST(ReadResults, FieldsOfANewerWriterAreLeftOut) {
  EXPECT_EQ(
      ReadResults(WithLine(GoodWith(":1}", R"(:1,"new":{"a":[1]}})"))).size(),
      1u);
}

TEST(ReadResults, CountsMustAgree) {
  const std::string path = WithLine(GoodWith("pass", "fail"));
  EXPECT_THAT([&] { ReadResults(path); },
              ThrowsMessage<InputError>(
                  HasSubstr("r.jsonl:3: the footer counts 1 pass, and the file "
                            "has 0")));
  const std::string twice = WithLine(std::string(kGood) + "\n" + kGood);
  EXPECT_THAT([&] { ReadResults(twice); },
              ThrowsMessage<InputError>(
                  HasSubstr("r.jsonl:3: the case 'add/x' (i = 0) stands "
                            "twice")));
  const std::string after = WithLine(kGood);
  WriteFile(after, Summed(ReadFile(after) + kGood + "\n"));
  EXPECT_THAT([&] { ReadResults(after); },
              ThrowsMessage<InputError>(HasSubstr("a line after the footer")));
}

TEST(ReadResults, LostLinesAreNoticed) {
  const std::string path = FreshPath("r.jsonl");
  WriteFile(
      path,
      Summed(HeaderLine(MakeHeader({"simd"}, 2)) + "\n" + kGood + "\n" +
             R"({"kind":"footer","counts":{"pass":1},"seconds":1})" + "\n"));
  EXPECT_THAT([&] { ReadResults(path); },
              ThrowsMessage<InputError>(
                  HasSubstr("backend 'simd' has 1 results, and the header says "
                            "2 cases")));
}

TEST(ReadResults, TruncatedForeignOldAndNewFiles) {
  const std::string path = FreshPath("r.jsonl");
  const std::string header = HeaderLine(MakeHeader({"simd"}, 1));
  const auto expect = [&](const std::string& text, const std::string& why) {
    WriteFile(path, Summed(text));
    EXPECT_THAT([&] { ReadResults(path); },
                ThrowsMessage<InputError>(HasSubstr(why)))
        << text;
  };
  expect(header + "\n" + kGood, "continue it with `assay run ... --resume`");
  expect(header + "\n" + kGood + "\n", "r.jsonl:2: the file is truncated");
  for (const char* foreign : {"{\"a\": 1}\n", "[1]\n", "<xml/>\n", "\xff\n"})
    expect(foreign, "r.jsonl: is not a results file of `assay run --out`");
  expect("", "is not a results file");
  std::string other = header;
  other.replace(other.find("\"format\":4"), 10, "\"format\":5");
  expect(other + "\n", "use the assay that wrote it");
  other.replace(other.find("\"format\":5"), 10, "\"format\":3");
  expect(other + "\n", "run again");
  other.replace(other.find("\"format\":3"), 10, "\"format\":4");
  other.replace(other.find("\"sha256\""), 8, "\"sha255\"");
  expect(other + "\n", "r.jsonl:1#/suite: the field 'sha256' is missing");
  EXPECT_THAT([&] { ReadResults(TestPath("none.jsonl")); },
              ThrowsMessage<InputError>(HasSubstr("cannot be read")));
}

// A line that is changed, lost, added, moved or without a sum is named,
// whatever it is. A last line that is cut off does not count, and only a
// journal may have one.
TEST(ReadResults, EveryLineHasTheSumOfThoseUpToIt) {
  const std::string path = FreshPath("r.jsonl");
  std::vector<Verdict> verdicts;
  for (int i = 0; i < 4; ++i)
    verdicts.push_back(MakeVerdict(i, "add/" + std::to_string(i)));
  WriteRun(path, MakeHeader({"simd"}, 4), verdicts);
  std::vector<std::string> lines;
  const std::string whole = ReadFile(path);
  for (size_t begin = 0, end; begin < whole.size(); begin = end) {
    end = whole.find('\n', begin) + 1;
    lines.push_back(whole.substr(begin, end - begin));
  }
  ASSERT_EQ(lines.size(), 6u);
  const auto expect = [&](std::vector<std::string> changed, size_t line) {
    std::string text;
    for (const std::string& part : changed) text += part;
    WriteFile(path, text);
    EXPECT_THAT(
        [&] { ReadResults(path); },
        ThrowsMessage<InputError>(HasSubstr(fmt::format("r.jsonl:{}: ", line))))
        << text;
    EXPECT_THROW(ReadPartialResults(path), InputError) << text;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> changed = lines;
    changed[i].replace(changed[i].find("kind"), 4, "kinD");
    if (i > 0) expect(changed, i + 1);
    changed = lines;
    changed[i].replace(changed[i].find(",\"sum"), 17, "");
    expect(changed, i + 1);
    changed = lines;
    changed.insert(changed.begin() + static_cast<ptrdiff_t>(i), lines[i]);
    expect(changed, i + 2);
    changed = lines;
    changed.erase(changed.begin() + static_cast<ptrdiff_t>(i));
    if (i > 0 && i + 1 < lines.size()) expect(changed, i + 1);
    changed = lines;
    if (i > 0 && i + 1 < lines.size()) {
      std::swap(changed[i], changed[i + 1]);
      expect(changed, i + 1);
    }
  }
  std::vector<std::string> totals = lines;  // what no count contradicts
  totals[2].replace(totals[2].find("\"elements\":0"), 12, "\"elements\":9");
  expect(totals, 3);
  WriteFile(path, whole + "{\"kind\"");
  EXPECT_THROW(ReadResults(path), InputError) << "something behind the footer";
  WriteFile(path, whole.substr(0, whole.size() - 2));
  EXPECT_THROW(ReadResults(path), InputError);
  EXPECT_EQ(ReadPartialResults(path).results.size(), 4u);
}

TEST(ReadResults, NoMoreIsKeptThanMayBe) {
  const std::string path = FreshPath("r.jsonl");
  std::vector<Verdict> verdicts;
  for (int i = 0; i < 200; ++i) {
    verdicts.push_back(
        MakeVerdict(i, "add/" + std::to_string(i), Outcome::kFail));
    verdicts.back().message = std::string(1000, 'a') + std::to_string(i);
  }
  WriteRun(path, MakeHeader({"simd"}, 200), verdicts);
  const int64_t bytes = ReadResults(path).bytes();
  EXPECT_GT(bytes, 200 * 1000);
  EXPECT_EQ(ReadResults(path, bytes).size(), 200u);
  EXPECT_THAT([&] { ReadResults(path, 100000); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("r.jsonl:"), HasSubstr("--memory allows"))));
}

// Cases 0, 2, .. are in the first shard, 1, 3, .. in the second.
Results Shard(int index, const std::string& backend = "simd",
              int64_t cases = 5) {
  RunHeader header = MakeHeader({backend}, 0);
  header.shard = {index, 2};
  header.hosts = {"{\"cpu\":\"" + std::to_string(index) + "\"}"};
  std::vector<Verdict> verdicts;
  for (int64_t i = index - 1; i < cases; i += 2) {
    verdicts.push_back(MakeVerdict(i, "add/" + std::to_string(i)));
    verdicts.back().backend = backend;
  }
  header.cases = verdicts.size();
  return MakeResults(backend + std::to_string(index) + ".jsonl", header,
                     verdicts);
}

Results MergeOf(std::vector<Results*> parts) {
  std::vector<Results> moved;
  for (Results* part : parts) moved.push_back(std::move(*part));
  return Merge(std::move(moved));
}

TEST(Merge, ShardsInAnyOrderAreTheWholeRun) {
  Results second = Shard(2), first = Shard(1);
  const Results merged = MergeOf({&second, &first});
  EXPECT_THAT(Cases(merged),
              testing::ElementsAre("simd add/0", "simd add/1", "simd add/2",
                                   "simd add/3", "simd add/4"));
  EXPECT_TRUE(merged.header.is_whole());
  EXPECT_EQ(merged.header.cases, 5u);
  EXPECT_EQ(merged.header.hosts.size(), 2u);
}

TEST(Merge, BackendsStandAfterEachOther) {
  Results a1 = Shard(1), a2 = Shard(2);
  Results b = MakeResults("b.jsonl", MakeHeader({"cuda"}, 5), {});
  for (int64_t i = 0; i < 5; ++i) {
    Verdict verdict = MakeVerdict(i, "add/" + std::to_string(i));
    verdict.backend = "cuda";
    b.Append(verdict);
  }
  const Results merged = MergeOf({&b, &a1, &a2});
  ASSERT_EQ(merged.size(), 10u);
  EXPECT_EQ(Cases(merged)[0], "cuda add/0");
  EXPECT_EQ(Cases(merged)[9], "simd add/4");
}

void ExpectNoMerge(std::vector<Results*> parts, const std::string& why) {
  EXPECT_THAT([&] { MergeOf(parts); },
              ThrowsMessage<InputError>(HasSubstr(why)));
}

TEST(Merge, WhatDoesNotFitIsRefused) {
  Results a = Shard(1), b = Shard(2);
  b.header.suite_sha256 = "0";
  ExpectNoMerge({&a, &b},
                "simd2.jsonl: does not belong to simd1.jsonl: suite sha256");
  a = Shard(1), b = Shard(2);
  b.header.backends[0].sha256 = "1";
  ExpectNoMerge({&a, &b}, "backend simd: plugin sha256 'b17e' and '1'");
  a = Shard(1), b = Shard(2);
  b.header.shard.count = 3;
  ExpectNoMerge({&a, &b}, "number of shards 2 and 3");
  a = Shard(1), b = Shard(1);
  ExpectNoMerge({&a, &b}, "simd1.jsonl: is shard 1 of 2, as is simd1.jsonl");
  a = Shard(2);
  ExpectNoMerge({&a}, "is shard 2 of 2; missing: 1/2");
  a = Shard(1), b = Shard(2, "cuda");
  ExpectNoMerge({&a, &b}, "missing: 2/2");
  a = MakeResults("a.jsonl", MakeHeader({"simd"}, 0), {});
  b = MakeResults("b.jsonl", MakeHeader({"simd"}, 0), {});
  ExpectNoMerge({&a, &b}, "b.jsonl: has the same backend (simd) as a.jsonl");
  a = MakeResults("a.jsonl", MakeHeader({"simd"}, 0), {});
  b = MakeResults("b.jsonl", MakeHeader({"simd", "cuda"}, 0), {});
  ExpectNoMerge({&a, &b}, "the backend 'simd' is also in another file");
  a = Shard(1), b = Shard(2, "simd", 4);
  b.header.cases = 2;
  a.header.cases = 3;
  Results c = Shard(2);
  c.Append(MakeVerdict(0, "add/0"));
  c.header.cases = 3;
  ExpectNoMerge({&a, &c}, "do not add up to the suite");
}

}  // namespace
}  // namespace assay
