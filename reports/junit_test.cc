// Tests what a CI system reads: every outcome has the right kind of element,
// and the text is XML whatever a backend says. junit_schema_test.py checks it
// against the schema.
#include "reports/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using Kind = Expectedness::Kind;

class JunitTest : public testing::Test {
 protected:
  void Load() {
    const std::string path = FreshPath("j.xml");
    report_.Write(path);
    ASSERT_EQ(xml_.LoadFile(path.c_str()), tinyxml2::XML_SUCCESS);
  }
  // Returns the element within the test case, or "" if it passed.
  std::string KindOf(const std::string& name) {
    const auto* root = xml_.RootElement();
    for (auto* suite = root->FirstChildElement(); suite != nullptr;
         suite = suite->NextSiblingElement()) {
      for (auto* test = suite->FirstChildElement("testcase"); test != nullptr;
           test = test->NextSiblingElement("testcase")) {
        if (name != test->Attribute("name")) continue;
        found_ = test->FirstChildElement();
        return found_ == nullptr ? "" : found_->Name();
      }
    }
    return "not there";
  }

  JunitReport report_{MakeHeader({"simd"}, 1), true};
  tinyxml2::XMLDocument xml_;
  const tinyxml2::XMLElement* found_ = nullptr;
};

TEST_F(JunitTest, EveryOutcomeHasItsElement) {
  for (size_t i = 0; i < kOutcomeNames.size(); ++i) {
    const Outcome outcome = static_cast<Outcome>(i);
    report_.Add(MakeVerdict(0, std::string("add/") + Name(outcome), outcome),
                {outcome == Outcome::kPass ? Kind::kPass
                 : IsJudged(outcome)       ? Kind::kUnexpected
                                           : Kind::kNotJudged,
                 nullptr});
  }
  Load();
  const std::map<std::string, std::string> other = {
      {"pass", ""},           {"crash", "error"},
      {"timeout", "error"},   {"memory", "error"},
      {"error", "error"},     {"unsupported", "skipped"},
      {"skipped", "skipped"}, {"out_of_fuel", "skipped"},
  };
  for (const char* name : kOutcomeNames) {
    const auto it = other.find(name);
    EXPECT_EQ(KindOf(std::string("add/") + name),
              it == other.end() ? "failure" : it->second)
        << name;
  }
  const auto* suite = xml_.RootElement()->FirstChildElement();
  EXPECT_STREQ(suite->Attribute("name"), "simd.add");
  EXPECT_STREQ(suite->Attribute("tests"), "17");
  EXPECT_STREQ(suite->Attribute("failures"), "9");
  EXPECT_STREQ(suite->Attribute("errors"), "4");
  EXPECT_STREQ(suite->Attribute("skipped"), "3");
}

TEST_F(JunitTest, TheBaselineDecides) {
  BaselineEntry entry;
  entry.reason = "known";
  report_.Add(MakeVerdict(0, "add/known", Outcome::kFail),
              {Kind::kExpected, &entry});
  report_.Add(MakeVerdict(1, "add/fixed"), {Kind::kUnexpectedPass, &entry});
  report_.Add(MakeVerdict(2, "add/flaky"), {Kind::kExpected, &entry});
  Load();
  EXPECT_EQ(KindOf("add/known"), "skipped");
  EXPECT_STREQ(found_->Attribute("message"), "expected fail: known");
  EXPECT_EQ(KindOf("add/fixed"), "failure");
  EXPECT_STREQ(found_->Attribute("type"), "unexpected_pass");
  EXPECT_EQ(KindOf("add/flaky"), "");
}

TEST_F(JunitTest, WhatXmlCannotHoldIsEscaped) {
  Verdict fail = MakeVerdict(0, "add/<\"&\x01>", Outcome::kFail);
  fail.message = "a\x1b[31m\xff]]>\nb \xef\xbf\xbf";
  fail.replay = "assay run";
  report_.Add(fail, {Kind::kUnexpected, nullptr});
  Load();
  EXPECT_EQ(KindOf("add/<\"&\\x01>"), "failure");
  EXPECT_STREQ(found_->Attribute("message"), "a\\x1b[31m\\xff]]>");
  EXPECT_STREQ(found_->GetText(),
               "a\\x1b[31m\\xff]]>\nb \\u{ffff}\nreplay: assay run\n"
               "explain: assay explain 'add/<\"&'\"$(printf '\\001')\"'>' "
               "--policy 'numpy'");
}

TEST_F(JunitTest, FailuresOfACauseNameTheFirst) {
  for (const char* name : {"add/x", "add/y"})
    report_.Add(MakeVerdict(0, name, Outcome::kFail),
                {Kind::kUnexpected, nullptr});
  Load();
  EXPECT_EQ(KindOf("add/y"), "failure");
  EXPECT_STREQ(found_->Attribute("type"), "fail, integer");
  EXPECT_THAT(found_->GetText(), testing::StartsWith("like add/x\n"));
  const auto* property = xml_.RootElement()
                             ->FirstChildElement()
                             ->FirstChildElement("properties")
                             ->FirstChildElement();
  EXPECT_STREQ(property->Attribute("value"),
               "fail, integer: 2 cases, such as add/x");
}

TEST_F(JunitTest, WhatWasNotJudgedIsCountedUnlessItIsAskedFor) {
  report_ = JunitReport(MakeHeader({"simd"}, 1), false);
  report_.Add(MakeVerdict(0, "add/x"), {});
  report_.Add(MakeVerdict(1, "add/y", Outcome::kSkipped),
              {Kind::kNotJudged, nullptr});
  Load();
  EXPECT_EQ(KindOf("add/x"), "");
  EXPECT_EQ(KindOf("add/y"), "not there");
  const auto* suite = xml_.RootElement()->FirstChildElement();
  EXPECT_STREQ(suite->Attribute("tests"), "1");
  const auto* property =
      suite->FirstChildElement("properties")->FirstChildElement();
  EXPECT_STREQ(property->Attribute("name"), "not judged");
  EXPECT_STREQ(property->Attribute("value"), "1");
}

TEST_F(JunitTest, OneSuitePerBackendAndOp) {
  for (const char* name : {"add/x", "sub/x", "add/y"})
    report_.Add(MakeVerdict(0, name), {});
  Verdict other = MakeVerdict(0, "add/x");
  other.backend = "cuda";
  report_.Add(other, {});
  Load();
  std::vector<std::string> names;
  for (auto* suite = xml_.RootElement()->FirstChildElement(); suite != nullptr;
       suite = suite->NextSiblingElement())
    names.push_back(suite->Attribute("name"));
  EXPECT_THAT(names, testing::ElementsAre("cuda.add", "simd.add", "simd.sub"));
}

TEST_F(JunitTest, WhatFailsTheGateIsATestOfItsOwn) {
  GateResult gate;
  gate.expired = 2;
  gate.text = "Expired: a";
  report_.AddGate(gate);
  Load();
  EXPECT_EQ(KindOf("no entry of the baseline is past its day"), "failure");
  EXPECT_STREQ(found_->GetText(), "Expired: a");
  EXPECT_EQ(KindOf("everything required is judged"), "");
  EXPECT_EQ(KindOf("as many elements are judged as required"), "");
}

TEST_F(JunitTest, TooManyElementsThatWereAcceptedUnseenAreATest) {
  GateResult gate;
  gate.unseen = 1;
  gate.text = "simd: 1 of 2 elements were judged";
  report_.AddGate(gate);
  Load();
  EXPECT_EQ(KindOf("as many elements are judged as required"), "failure");
  EXPECT_STREQ(found_->GetText(), "simd: 1 of 2 elements were judged");
}

TEST_F(JunitTest, APlaceThatCannotBeWrittenIsAnInputError) {
  EXPECT_THROW(report_.Write("/nonexistent/j.xml"), InputError);
  report_.Add(MakeVerdict(0, "add/x"), {});
  EXPECT_THROW(report_.Write("/dev/full"), InputError);
}

}  // namespace
}  // namespace assay
