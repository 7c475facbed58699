// Tests the lines of the protocol, as PROTOCOL.md shows them, and lines that
// are not part of it.
#include "backends/host/worker_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "spec/text/program_text.h"

namespace assay {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

TEST(WorkerMessages, ACallSaysWhereItsTensorsAre) {
  Arena arena;
  const Slot slot = arena.Acquire(1000);
  const TensorType type{{2, 3}, ElementType::kI8};
  const TensorType flag{{}, ElementType::kI1};
  const Strides strides = {-3, 0}, none;
  Tensor value(flag);
  value.SetBits(0, 1);
  Op op;
  op.op = "paddle.bitwise_right_shift";
  op.attributes = {{"is_arithmetic", value}, {"mode", Symbol{"LT"}}};
  op.regions = {Function{"body", {{"a", flag}}, {}, {{"a", flag}}}};
  const PlacedTensor t{&type, &strides, slot, slot.data + 7};
  const PlacedTensor number{&flag, &none, slot, slot.data, true};
  std::string line;
  AppendCall(17, {&op, {t, number}, {t}}, {{&flag, &none, slot, slot.data}},
             &line);
  EXPECT_FALSE(Json::parse(line).contains("guard"));
  line.clear();
  AppendCall(17, {&op, {t, number}, {t}, 512},
             {{&flag, &none, slot, slot.data}}, &line);
  EXPECT_EQ(Json::parse(line)["guard"], 512);
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(std::ranges::count(line, '\n'), 1);
  const Json call = Json::parse(line);
  EXPECT_EQ(call["call"], 17);
  EXPECT_EQ(call["op"], "paddle.bitwise_right_shift");
  EXPECT_EQ(call["inputs"].size(), 2);
  EXPECT_FALSE(call["inputs"].at(0).contains("scalar"));
  EXPECT_EQ(call["inputs"].at(1)["scalar"], true);
  const Json& output = call["outputs"].at(0);
  EXPECT_EQ(output["type"], "tensor<2x3xi8>");
  EXPECT_EQ(output["strides"], Json({-3, 0}));
  EXPECT_EQ(output["at"], slot.begin + 7);
  EXPECT_EQ(output["buffer"], Json({slot.begin, slot.bytes}));
  EXPECT_EQ(call["attributes"].at(0)["text"], "true");
  EXPECT_EQ(call["attributes"].at(0)["value"]["type"], "tensor<i1>");
  EXPECT_EQ(call["attributes"].at(0)["value"]["strides"], Json::array());
  EXPECT_EQ(call["attributes"].at(1), Json({{"name", "mode"}, {"text", "LT"}}));
  EXPECT_EQ(call["regions"].at(0), FunctionText(op.regions[0]));
  EXPECT_EQ(call["monoids"], Json({nullptr}));
  EXPECT_FALSE(call.contains("captures"));
}

TEST(WorkerMessages, AProgramIsItsText) {
  Arena arena;
  const Slot slot = arena.Acquire(8);
  const TensorType type{{2}, ElementType::kI8};
  const Strides strides = {1};
  const PlacedTensor t{&type, &strides, slot, slot.data};
  const EntryProgram program = {"\"builtin.module\"()\n", nullptr};
  PlacedCall call{nullptr, {t}, {t, t}};
  call.program = &program;
  std::string line;
  AppendCall(19, call, {}, &line);
  const Json sent = Json::parse(line);
  EXPECT_EQ(sent["call"], 19);
  EXPECT_EQ(sent["program"], Json({{"text", program.text}, {"entry", "main"}}));
  EXPECT_EQ(sent["inputs"].size(), 1);
  EXPECT_EQ(sent["outputs"].size(), 2);
  EXPECT_FALSE(sent.contains("op"));
}

TEST(WorkerMessages, AHelloSaysWhatIsRun) {
  const auto said = [](const std::string& fields) {
    BackendInfo info;
    const std::string why = ParseHello(
        R"({"hello":{"protocol":1,"name":"a","version":"1")" + fields + "}}",
        &info);
    return why.empty() ? std::pair(info.runs_calls, info.runs_programs)
                       : std::pair(false, false);
  };
  EXPECT_EQ(said(""), std::pair(true, false));
  EXPECT_EQ(said(R"(,"programs":true)"), std::pair(true, true));
  EXPECT_EQ(said(R"(,"programs":true,"calls":false)"), std::pair(false, true));
  EXPECT_EQ(said(R"(,"calls":false)"), std::pair(false, false));
}

TEST(WorkerMessages, AnAnswerMayHaveItsTime) {
  NumberedAnswer answer = {3, {}};
  answer.answer.seconds = {0.25, 0.5};
  std::string line;
  AppendAnswer(answer, &line);
  const auto parsed = ParseAnswer(line);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->answer.seconds.compile, 0.25);
  EXPECT_EQ(parsed->answer.seconds.execute, 0.5);
  const auto strange = ParseAnswer(
      R"({"call":3,"status":"ok","seconds":{"compile":-1,"execute":"x"}})");
  ASSERT_TRUE(strange);
  EXPECT_EQ(strange->answer.seconds.compile, 0);
}

TEST(WorkerMessages, ACallSaysHowItsInputsAreDivided) {
  const TensorType type{{3}, ElementType::kI8}, scalar{{}, ElementType::kI8};
  Op add;
  add.op = "add";
  add.inputs = {{"lhs", "a", scalar}, {"rhs", "b", scalar}};
  add.outputs = {{"result", "c", scalar}};
  Op reduce;
  reduce.op = "reduce";
  reduce.inputs = {{"inputs", "x", type},
                   {"inputs", "y", type},
                   {"init_values", "i", scalar},
                   {"init_values", "j", scalar}};
  reduce.regions = {
      {"body", {{"a", scalar}, {"b", scalar}}, {add}, {{"c", scalar}}}};
  const auto sent = [](const Op& op) {
    std::string line;
    AppendCall(1, {&op, {}, {}}, {}, &line);
    return Json::parse(line);
  };
  EXPECT_EQ(sent(reduce)["groups"], Json({2, 2}));
  EXPECT_EQ(sent(reduce)["monoids"], Json({"add"}));
  EXPECT_FALSE(sent(reduce).contains("captures"));
  EXPECT_FALSE(sent(add).contains("groups"));
  reduce.regions[0].body[0].inputs[1].value = "outside";
  EXPECT_EQ(sent(reduce)["monoids"], Json({nullptr}));
  EXPECT_EQ(sent(reduce)["captures"], 1);
}

TEST(WorkerMessages, AHelloNamesMemoryAndOptions) {
  Arena arena;
  std::string line;
  AppendHello(arena, 1000, {{"target", "a\"b"}}, &line);
  const Json hello = Json::parse(line).at("hello");
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["memory"], arena.path());
  EXPECT_EQ(hello["bytes"], arena.bytes());
  EXPECT_EQ(hello["limit"], 1000);
  EXPECT_EQ(hello["options"]["target"], "a\"b");
  line.clear();
  AppendGrow(12345, &line);
  EXPECT_EQ(Json::parse(line), Json({{"grow", 12345}}));
}

TEST(WorkerMessages, HelloOfAWorker) {
  BackendInfo info;
  EXPECT_EQ(ParseHello(R"({"hello": {"protocol": 1, "name": "n",
      "version": "v", "validates": true, "over_read_bytes": 64}})",
                       &info),
            "");
  EXPECT_EQ(info.name + info.version, "nv");
  EXPECT_TRUE(info.validates);
  EXPECT_FALSE(info.validates_pointwise);
  EXPECT_EQ(info.over_read_bytes, 64);
  EXPECT_EQ(ParseHello(R"({"hello": {"protocol": 1, "name": "n",
      "version": "v", "validates_pointwise": true}})",
                       &info),
            "");
  EXPECT_TRUE(info.validates_pointwise);
  EXPECT_EQ(info.batch, 1);
  EXPECT_EQ(ParseHello(R"({"hello": {"protocol": 1, "name": "n",
      "version": "v", "batch": 512}})",
                       &info),
            "");
  EXPECT_EQ(info.batch, 512);
  EXPECT_FALSE(info.verifies);
  EXPECT_EQ(ParseHello(R"({"hello": {"protocol": 1, "name": "n",
      "version": "v", "validates": true, "programs": true, "verifies": true}})",
                       &info),
            "");
  EXPECT_TRUE(info.verifies);
  const std::pair<const char*, const char*> wrong[] = {
      {"Loading model...", "'Loading model...', not a hello"},
      {"{}", "not a hello"},
      {R"({"error": "no device"})", "no device"},
      {R"({"hello": {"protocol": 1, "name": "n", "version": "v",
           "programs": true, "verifies": true}})",
       "it verifies, but it does not validate"},
      {R"({"hello": {"protocol": 2, "name": "n", "version": "v"}})",
       "speaks protocol 2"},
      {R"({"hello": {"protocol": 1, "name": "n"}})", "lacks name or version"},
      {R"({"hello": {"protocol": 1, "name": "n", "version": "v", "batch": 0}})",
       "its batch is 0; it may be 1 to 4096"},
      {R"({"hello": {"protocol": 1, "name": "n", "version": "v",
           "batch": 5000}})",
       "its batch is 5000"},
      {R"({"hello": {"protocol": 1, "name": "n", "version": "v",
           "over_read_bytes": 99999}})",
       "at most 4096"}};
  for (const auto& [line, why] : wrong)
    EXPECT_THAT(ParseHello(line, &info), HasSubstr(why)) << line;
}

TEST(WorkerMessages, AnswersAndWhatIsNone) {
  const auto ok = ParseAnswer(R"({"call": 7, "status": "ok"})");
  ASSERT_TRUE(ok.has_value());
  EXPECT_EQ(ok->number, 7);
  EXPECT_EQ(ok->answer.status, CallStatus::kOk);
  EXPECT_FALSE(ok->answer.environment_changed);
  const auto error = ParseAnswer(
      R"({"call": 8, "status": "error", "message": "why", "environment_changed": true})");
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->answer.message, "why");
  EXPECT_TRUE(error->answer.environment_changed);
  for (const char* none :
       {"", "ok", "[]", "7", R"({"call": 7})", R"({"status": "ok"})",
        R"({"call": -1, "status": "ok"})", R"({"call": "7", "status": "ok"})",
        R"({"call": 7, "status": "perhaps"})", R"({"call": 7, "status": )",
        "\xff\xfe"})
    EXPECT_FALSE(ParseAnswer(none).has_value()) << none;
}

TEST(WorkerMessages, AnAnswerIsReadAsItWasWritten) {
  for (const CallStatus status :
       {CallStatus::kOk, CallStatus::kUnsupported, CallStatus::kInvalid,
        CallStatus::kError, CallStatus::kCrash, CallStatus::kMemory}) {
    const bool is_ok = status == CallStatus::kOk;
    const NumberedAnswer written = {
        9, {status, is_ok ? "" : "a \"why\"\n", {}, is_ok}};
    std::string line;
    AppendAnswer(written, &line);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto read = ParseAnswer(line);
    ASSERT_TRUE(read.has_value()) << line;
    EXPECT_EQ(read->number, 9);
    EXPECT_EQ(read->answer.status, status);
    EXPECT_EQ(read->answer.message, is_ok ? "" : "a \"why\"\\x0a")
        << "on one line";
    EXPECT_EQ(read->answer.environment_changed, is_ok);
  }
}

// A reason, by which cases are counted, is short; the text of an error is kept.
TEST(WorkerMessages, ARefusalIsCut) {
  const std::string much(3000, 'x');
  for (const auto& [status, is_cut] :
       {std::pair(CallStatus::kUnsupported, true),
        std::pair(CallStatus::kInvalid, true),
        std::pair(CallStatus::kError, false)}) {
    std::string line;
    AppendAnswer({1, {status, much, {}, false}}, &line);
    EXPECT_EQ(ParseAnswer(line)->answer.message,
              is_cut ? much.substr(0, 200) + "… (3000 characters)" : much);
  }
}

TEST(WorkerMessages, AQuoteIsPrintableAndShort) {
  EXPECT_EQ(Quote("a\tb\xff"), "'a?b?'");
  EXPECT_EQ(Quote(std::string(500, 'x')).size(), kLongestQuote + 5);
}

TEST(LastWords, AreNotThoseOfAStackTrace) {
  EXPECT_EQ(LastWords(""), "");
  EXPECT_EQ(LastWords("\r\n\n"), "");
  EXPECT_EQ(LastWords("one\ntwo\n\n"), "; it last said 'two'");
  EXPECT_EQ(LastWords("Check failed: a == b\n"
                      "*** Check failure stack trace: ***\n"
                      "    @ 0x7f0e  (unknown)\n"
                      "\t0x12 in main\n"
                      "#1 0x13 in start\n"),
            "; it last said 'Check failed: a == b'");
  EXPECT_EQ(LastWords("    @ 0x7f0d  (unknown)\n    @ 0x7f0e  (unknown)\n"),
            "; it last said '    @ 0x7f0e  (unknown)'");
}

}  // namespace
}  // namespace assay
