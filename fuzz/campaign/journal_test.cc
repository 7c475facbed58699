// Tests that what was written is read again, and that a file that is not a
// journal of this campaign is refused.
#include "fuzz/campaign/journal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cases/read/line_sums_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

Finding MadeFinding(const std::string& signature, uint64_t index) {
  return {signature, index,          fmt::format("add/seed_0_{}", index),
          "lanes",   Outcome::kFail, "1 of 2 elements\ndiffer \xff"};
}

class Journal : public testing::Test {
 protected:
  Journal() {
    fs::remove_all(folder_);
    options_.backend = "simd";
    options_.policy = &Policy::Find("assay");
    options_.seed = 7;
    options_.first = 100;
  }
  ~Journal() override { fs::remove_all(folder_); }

  CampaignState Open(bool resumes) {
    CampaignState state;
    state.next = options_.first;
    CampaignJournal(folder_, options_, ops_, cases_, resumes, &state).Close();
    return state;
  }

  // Writes two findings, one of which is made again at a lesser index, and
  // progress.
  void WriteSome() {
    CampaignState state;
    CampaignJournal journal(folder_, options_, ops_, cases_, false, &state);
    journal.Write(MadeFinding("a", 400));
    state.next = 612;
    state.turned_away = 31;
    state.elements = 4096;
    state.open = 17;
    state.outcomes = {{Outcome::kPass, 510}, {Outcome::kFail, 2}};
    journal.Write(state);
    journal.Write(MadeFinding("b", 700));
    journal.Write(MadeFinding("a", 300));
    journal.Write(state);
    journal.Close();
  }

  std::string Text() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void Overwrite(const std::string& text) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
  }
  void Refuses(const std::string& why, bool resumes = true) {
    EXPECT_THAT(
        [&] { Open(resumes); },
        ThrowsMessage<InputError>(AllOf(HasSubstr(why), Not(HasSubstr("\n")))));
  }

  const std::string folder_ = testing::TempDir() + "/journal_test/deep";
  const std::string path_ = folder_ + "/campaign.jsonl";
  CampaignOptions options_;
  std::vector<std::string> ops_ = {"add", "s*"};
  std::string cases_ = "0123";
};

TEST_F(Journal, GoesOnWhereItWas) {
  WriteSome();
  const CampaignState state = Open(true);
  EXPECT_EQ(state.next, 612u);
  EXPECT_EQ(state.judged, 0u) << "of this run";
  EXPECT_EQ(state.turned_away, 31u);
  EXPECT_EQ(state.elements, 4096u);
  EXPECT_EQ(state.open, 17u);
  EXPECT_EQ(state.outcomes, (std::map<Outcome, uint64_t>{{Outcome::kPass, 510},
                                                         {Outcome::kFail, 2}}));
  ASSERT_EQ(state.findings.size(), 2u);
  const Finding& a = state.findings.at("a");
  EXPECT_EQ(a.index, 300u) << "the least";
  EXPECT_EQ(a.case_name, "add/seed_0_300");
  EXPECT_EQ(a.variant, "lanes");
  EXPECT_EQ(a.outcome, Outcome::kFail);
  EXPECT_EQ(a.message, "1 of 2 elements\ndiffer \xef\xbf\xbd");
  EXPECT_EQ(state.findings.at("b").index, 700u);
  const std::string text = Text();
  EXPECT_EQ(std::ranges::count(text, '\n'), 5)
      << "progress that is none is not written";
  Open(true);
  EXPECT_EQ(Text(), text);
}

TEST_F(Journal, BeginsWhereThereIsNoneYet) {
  const CampaignState state = Open(true);
  EXPECT_EQ(state.next, 100u);
  EXPECT_THAT(state.findings, IsEmpty());
  EXPECT_EQ(Text(),
            Summed("{\"kind\":\"campaign\",\"format\":5,\"backend\":\"simd\","
                   "\"policy\":\"assay\",\"seed\":7,\"first\":100,"
                   "\"ops\":[\"add\",\"s*\"],\"cases\":\"0123\","
                   "\"declined\":\"\"}\n"));
}

TEST_F(Journal, OfAnotherCampaignIsRefused) {
  WriteSome();
  Refuses("holds a campaign: --resume goes on with it", false);
  const CampaignOptions same = options_;
  const std::string another = "campaign.jsonl:1: is of another campaign";
  options_.seed = 8;
  Refuses(another);
  options_ = same;
  options_.backend = "broken";
  Refuses(another);
  options_ = same;
  options_.policy = &Policy::Find("stablehlo");
  Refuses(another);
  options_ = same;
  options_.first = 0;
  Refuses(another);
  options_ = same;
  options_.open.how.operands = ProgramOperands::kBoth;
  Refuses(another);
  options_ = same;
  ops_ = {"add"};
  Refuses(another);
  ops_ = {"add", "s*"};
  cases_ = "4567";
  Refuses(another);
  cases_ = "0123";
  // The length and the number of processes may change.
  options_.count = 5;
  options_.jobs = 3;
  EXPECT_EQ(Open(true).next, 612u);
}

TEST_F(Journal, OfWhichTheLastLineIsCutOffGoesOn) {
  WriteSome();
  const std::string whole = Text();
  const size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (size_t size = last + 1; size < whole.size(); size += 17) {
    Overwrite(whole.substr(0, size));
    CampaignState state;
    {
      CampaignJournal journal(folder_, options_, ops_, cases_, true, &state);
      EXPECT_EQ(state.findings.at("a").index, 400u) << size;
      journal.Write(MadeFinding("c", 800));
    }
    EXPECT_EQ(Open(true).findings.size(), 3u) << "what follows has its line";
  }
}

TEST_F(Journal, OfWhichTheFirstLineIsCutOffBegins) {
  WriteSome();
  const std::string header = Text().substr(0, Text().find('\n') + 1);
  for (const size_t size : {size_t{0}, size_t{1}, header.size() - 1}) {
    Overwrite(header.substr(0, size));
    EXPECT_EQ(Open(true).next, 100u);
    EXPECT_EQ(Text(), header) << size;
  }
}

TEST_F(Journal, OfWrongLinesNamesThem) {
  WriteSome();
  const std::string whole = Text();
  const auto with = [&](size_t line, const std::string& text) {
    std::string changed;
    size_t begin = 0;
    for (size_t n = 1; begin < whole.size(); ++n) {
      const size_t end = whole.find('\n', begin) + 1;
      changed += n == line ? text + "\n" : whole.substr(begin, end - begin);
      begin = end;
    }
    Overwrite(Summed(changed));
  };
  with(3, "{\"kind\": \"finding\",");
  Refuses("campaign.jsonl:3");
  with(2, "\x80\xff");
  Refuses("campaign.jsonl:2");
  with(2, "");
  Refuses("campaign.jsonl:2");
  with(4, R"({"kind": "finding", "signature": "a"})");
  Refuses("campaign.jsonl:4");
  with(3,
       R"({"kind": "progress", "next": -1, "turned_away": 0, "outcomes": {}})");
  Refuses("campaign.jsonl:3#/next");
  with(3, R"({"kind": "progress", "next": 1, "turned_away": 0, )"
          R"("elements": 5, "open": 0, "outcomes": {"maybe": 1}})");
  Refuses("campaign.jsonl:3#/outcomes/maybe: no outcome has that name");
  with(3, R"({"kind": "verdict"})");
  Refuses("campaign.jsonl:3#/kind: expected campaign, finding or progress");
  with(1, R"({"kind": "campaign"})");
  Refuses("campaign.jsonl:1: is of another campaign");
}

TEST_F(Journal, EveryLineHasTheSumOfThoseUpToIt) {
  WriteSome();
  const std::string whole = Text();
  const size_t second = whole.find('\n') + 1;
  const size_t third = whole.find('\n', second) + 1;
  Overwrite(whole.substr(0, second) + whole.substr(third));
  Refuses("campaign.jsonl:2: has no sum, or not that of the lines up to it");
  Overwrite(whole.substr(0, third) + whole.substr(second));
  Refuses("campaign.jsonl:3: has no sum");
  std::string changed = whole;
  changed.replace(changed.find("\"next\":612"), 10, "\"next\":613");
  Overwrite(changed);
  Refuses("campaign.jsonl:3: has no sum");
  changed = whole;
  changed.replace(changed.find("\"format\":5"), 10, "\"format\":1");
  Overwrite(changed);
  Refuses("has format 1, and this assay reads format 5");
}

TEST_F(Journal, IsWrittenByOneCampaignAtATime) {
  WriteSome();
  CampaignState state;
  const CampaignJournal first(folder_, options_, ops_, cases_, true, &state);
  Refuses("another campaign is writing it");
}

TEST_F(Journal, NeedsAFolder) {
  fs::create_directories(fs::path(folder_).parent_path());
  std::ofstream(folder_) << "a file";
  Refuses("cannot be made a folder for findings", false);
}

}  // namespace
}  // namespace assay
