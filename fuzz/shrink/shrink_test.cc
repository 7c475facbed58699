// Tests that planted bugs are found and shrunk: the remaining case shows the
// bug and nothing else, and cannot be made smaller.
#include "fuzz/shrink/shrink.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "backends/host/interrupted.h"
#include "backends/host/open.h"
#include "cases/run/runner.h"
#include "cases/variants/layout_variants.h"
#include "fuzz/campaign/finding.h"
#include "fuzz/campaign/forked.h"
#include "fuzz/fuzz_test_support.h"
#include "fuzz/shrink/shrink_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

std::function<Verdict(const Case&)> JudgeOf(Executor* executor) {
  return [executor](const Case& c) {
    return Runner(executor, Policy::Find("assay")).Run(c);
  };
}

Case AsItIsJudged(const Case& c, const std::string& variant) {
  return variant.empty() ? c : VariantOf(c, variant);
}

// A Hunt names a bug, the op to find it in, and the greatest size of the shrunk
// case.
struct Hunt {
  const char* bug;
  const char* op;
  int64_t most_elements;  // of the result
  size_t most_rank;
  const char* outcome;
  bool is_enumerated = false;
};

constexpr Hunt kHunts[] = {
    // For a bug in values, one element is enough.
    {"SH03", "shift_left", 1, 0, "fail"},
    {"SH03", "shift_left", 1, 0, "fail", true},
    {"IA05", "remainder", 1, 0, "crash"},
    {"FL04", "maximum", 1, 0, "fail"},
    {"FX01", "negate", 1, 0, "fail"},
    {"FX07", "maximum", 1, 0, "fail"},
    {"CRASH01", "abs", 1, 0, "crash"},
    {"CRASH01", "abs", 1, 0, "crash", true},
    // For a bug in tails, as many are left as the loop needs.
    {"LP01", "add", 7, 1, "not_written"},
    {"LP03", "add", 8, 1, "not_written"},
    {"MEM05", "add", 1, 1, "not_written"},
    // For a bug in layouts or broadcasting, two places that can be told apart
    // are left.
    {"LY01", "subtract", 2, 1, "nondeterministic"},
    {"ME05", "abs", 2, 1, "guard_violation"},
    {"BC03", "pointwise.subtract", 2, 1, "guard_violation"},
    // These have types alone.
    {"BC10V", "pointwise.add", 4, 2, "accepted_invalid"},
};

// Runs in a process of its own, because a planted bug stays.
Json Hunted(const Hunt& hunt) {
  DrawOptions draw;
  draw.ops = {hunt.op};
  draw.programs = false;
  draw.enumerates = hunt.is_enumerated;
  draw.only_pointwise_violations = true;
  Generator generator(draw);
  OpenOptions open;
  open.in_process = true;
  const auto executor =
      OpenBackend(fmt::format("broken?bug={}", hunt.bug), open);
  const auto judge = JudgeOf(executor.get());
  Drawn drawn;
  for (uint64_t index = 0;; index += hunt.is_enumerated ? 2 : 1) {
    drawn = generator.Draw(5, index);
    if (IsFinding(judge(ToJudge(drawn)))) break;
  }
  const ShrinkOptions options{2000, &Policy::Find("assay")};
  const Shrunk shrunk = Shrink(drawn.c, drawn.variant, options, judge);
  const Shrunk again = Shrink(shrunk.c, shrunk.variant, options, judge);
  const TensorType& found = drawn.c.program.main().body[0].outputs[0].type;
  return {{"op", shrunk.c.op},
          {"case", JsonTextOf(shrunk.c)},
          {"variant", shrunk.variant},
          {"outcome", Name(shrunk.verdict.outcome)},
          {"fails", shrunk.fails && again.fails},
          {"again", JsonTextOf(again.c) + again.variant},
          {"executions", shrunk.executions},
          {"found_elements", *ElementCount(found.shape)},
          {"is_complete", shrunk.is_complete}};
}

const Json& HuntedAll() {
  static const Json all = [] {
    Json lines = Json::array();
    for (const Hunt& hunt : kHunts) {
      ForEachInChild(
          1, 1, [&](size_t) { return Hunted(hunt).dump(); },
          [&](size_t, const auto& line, const std::string& why) {
            EXPECT_TRUE(line.has_value()) << hunt.bug << " " << why;
            lines.push_back(line ? Json::parse(*line) : Json());
          });
    }
    return lines;
  }();
  return all;
}

class ShrinkOfBug : public testing::TestWithParam<size_t> {
 protected:
  const Hunt& hunt_ = kHunts[GetParam()];
  const Json& caught_ = HuntedAll().at(GetParam());
  std::string Text(const char* key) const {
    return caught_.at(key).get<std::string>();
  }
  std::string variant_ = Text("variant");
  Case c_ = ParsedFrom(Text("op"), Text("case"));
};

TEST_P(ShrinkOfBug, FailsAndIsSmall) {
  EXPECT_TRUE(caught_.at("fails").get<bool>());
  EXPECT_EQ(Text("outcome"), hunt_.outcome);
  EXPECT_TRUE(caught_.at("is_complete").get<bool>());
  EXPECT_EQ(variant_, "");
  EXPECT_EQ(c_.op, hunt_.op);
  ASSERT_EQ(c_.program.main().body.size(), 1u) << Text("case");
  const Shape& shape = c_.program.main().body[0].outputs[0].type.tensor().shape;
  EXPECT_LE(*ElementCount(shape), hunt_.most_elements) << Text("case");
  EXPECT_LE(shape.size(), hunt_.most_rank) << Text("case");
  if (hunt_.is_enumerated) {
    EXPECT_GE(caught_.at("found_elements").get<int64_t>(), 200);
  }
}

TEST_P(ShrinkOfBug, TakesFewExecutions) {
  EXPECT_GT(caught_.at("executions").get<int>(), 1);
  EXPECT_LT(caught_.at("executions").get<int>(), 500);
}

TEST_P(ShrinkOfBug, ASecondTimeChangesNothing) {
  EXPECT_EQ(Text("again"), Text("case") + variant_);
}

TEST_P(ShrinkOfBug, PassesOnWhatIsRight) {
  EXPECT_EQ(ViolatedBy(c_), c_.violates);
  static const auto broken = OpenBackend("broken", {});
  static const auto simd = OpenBackend("simd", {});
  for (Executor* right : {broken.get(), simd.get()}) {
    const Verdict verdict = JudgeOf(right)(AsItIsJudged(c_, variant_));
    EXPECT_EQ(verdict.outcome, Outcome::kPass)
        << right->info().spec << " " << verdict.message << Text("case");
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, ShrinkOfBug,
                         testing::Range(size_t{0}, std::size(kHunts)),
                         [](const auto& info) {
                           return fmt::format("{}{}", kHunts[info.param].bug,
                                              kHunts[info.param].is_enumerated
                                                  ? "_enumerated"
                                                  : "");
                         });

constexpr const char* kProgram = R"({"id": "p", "inputs": {
  "x": {"type": "tensor<2x3xi16>", "data": [7, -300, 12, 4, 5, 6], "strides": [-4, 1], "offset": 5},
  "y": {"type": "tensor<2x3xi16>", "data": [9, 8, 7, 6, 5, 4]}},
  "program": [
    {"op": "add", "inputs": {"lhs": "x", "rhs": "y"}, "outputs": {"result": {"name": "t"}}},
    {"op": "negate", "inputs": {"operand": "t"}, "outputs": {"result": {"name": "u", "strides": [1, 2]}}},
    {"op": "multiply", "inputs": {"lhs": "u", "rhs": "x"}, "outputs": {"result": {"name": "v"}}}]})";

TEST(Shrink, OfAProgramIsTheOpThatIsWrong) {
  const Case c = ParsedFrom("multiply", kProgram);
  for (const char* wrong : {"add", "negate", "multiply"}) {
    const Shrunk shrunk =
        ShrunkOf(c, WrongWhere([&](const Case& tried) {
                   const auto& body = tried.program.main().body;
                   return std::ranges::count(body, wrong, &Op::op) > 0;
                 }));
    ASSERT_EQ(shrunk.c.program.main().body.size(), 1u) << wrong;
    EXPECT_EQ(shrunk.c.op, wrong);
    EXPECT_EQ(shrunk.c.inputs[0].data.type.ToString(), "tensor<i32>");
    EXPECT_EQ(shrunk.c.inputs[0].data.Materialise().Bits(0), 0u);
    EXPECT_THAT(JsonTextOf(shrunk.c), Not(HasSubstr("strides")));
  }
  // A bug that needs two ops keeps two.
  const Shrunk both = ShrunkOf(c, WrongWhere([](const Case& tried) {
                                 return tried.program.main().body.size() > 1;
                               }));
  EXPECT_EQ(both.c.program.main().body.size(), 2u);
  EXPECT_EQ(both.c.op, "negate");
}

TEST(Shrink, KeepsWhatTheFailureNeeds) {
  const Case c = ParsedFrom("multiply", kProgram);
  // The bug needs a value, an axis of some length, or a stride: each is left
  // alone.
  const Shrunk value =
      ShrunkOf(c, WrongWhere([](const Case& tried) {
                 const Tensor x = tried.inputs[0].data.Materialise();
                 for (int64_t i = 0; i < x.size(); ++i) {
                   if (ValueOf(x.element_type(), x.Bits(i)) <= -250)
                     return true;
                 }
                 return false;
               }));
  const Tensor x = value.c.inputs[0].data.Materialise();
  ASSERT_EQ(x.size(), 1);
  EXPECT_EQ(static_cast<int64_t>(ValueOf(x.element_type(), x.Bits(0))), -250);
  const Shrunk length = ShrunkOf(c, WrongWhere([](const Case& tried) {
                                   const Shape& shape =
                                       tried.inputs[0].data.type.shape;
                                   return !shape.empty() && shape.back() >= 3;
                                 }));
  EXPECT_EQ(length.c.inputs[0].data.type.ToString(), "tensor<3xi32>");
  const Shrunk stride =
      ShrunkOf(c, WrongWhere([](const Case& tried) {
                 return std::ranges::any_of(tried.inputs[0].layout.strides,
                                            [](int64_t s) { return s < 0; });
               }));
  EXPECT_LE(stride.c.inputs[0].data.type.shape.size(), 1u);
  EXPECT_LT(stride.c.inputs[0].layout.strides.at(0), 0);
}

// Lists of dimensions shrink with the shapes that they are about, and without a
// word about the op.
TEST(Shrink, TakesDimensionsOutOfLists) {
  const Case c = ParsedFrom(
      "reverse",
      R"({"id": "a", "inputs": {"operand": {"type": "tensor<2x4x5xi8>",
          "draw": {"seed": 7, "profile": "uniform"}}, "dimensions": [2, 0, 1]}})");
  const Shrunk shrunk =
      ShrunkOf(c, WrongWhere([](const Case& tried) {
                 const Op& op = tried.program.main().body[0];
                 const Tensor& dimensions =
                     std::get<Tensor>(op.FindAttribute("dimensions")->value);
                 const Shape& shape = op.inputs[0].type.tensor().shape;
                 for (int64_t i = 0; i < dimensions.size(); ++i) {
                   if (shape[static_cast<size_t>(dimensions.Bits(i))] >= 3)
                     return true;
                 }
                 return false;
               }));
  const Op& op = shrunk.c.program.main().body[0];
  EXPECT_EQ(op.inputs[0].type.ToString(), "tensor<3xi32>");
  EXPECT_EQ(AttributeText(op.attributes[0]), "[0]");
}

// The first result has no elements, so that none of them failed.
TEST(Shrink, TheElementThatFailedIsOneOfAnyResult) {
  const Case c = ParsedFrom("batch_norm_training", R"({"id": "a", "inputs": {
      "operand": {"type": "tensor<0x3xf32>", "data": []},
      "scale": {"type": "tensor<3xf32>", "data": [1, 2, 3]},
      "offset": {"type": "tensor<3xf32>", "data": [1, 2, 3]},
      "epsilon": 0.5, "feature_index": 1}})");
  const auto third_is_wrong = [](const Case& tried) {
    Verdict verdict = VerdictOf(tried, "made");
    verdict.outcome = Outcome::kFail;
    verdict.basis = "text";
    verdict.first_failed =
        tried.program.main().body[0].outputs[1].type.tensor().shape[0] - 1;
    verdict.failed_output = 1;
    return verdict;
  };
  EXPECT_TRUE(ShrunkOf(c, third_is_wrong).fails);
}

TEST(Shrink, AValueMayBeBothOperands) {
  const Case c = ParsedFrom("subtract", R"({"id": "a", "inputs": {
      "x": {"type": "tensor<2x3xi16>", "data": [1, 2, 3, 4, 5, 6]}},
      "program": [{"op": "subtract", "inputs": {"lhs": "x", "rhs": "x"},
                   "outputs": {"result": {"name": "t"}}}]})");
  const Shrunk shrunk =
      ShrunkOf(c, WrongWhere([](const Case&) { return true; }));
  EXPECT_EQ(shrunk.c.inputs[0].data.type.ToString(), "tensor<i32>");
}

// The axes of a product change their places when one has become short. The
// failed element is one of the last, and stays where the result has that many.
TEST(Shrink, TheElementThatFailedIsTakenOnce) {
  const Case c = ParsedFrom("dot_general", R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<1x2x1x2x1xui8>", "data": [1, 0, 2, 3]},
      "rhs": {"type": "tensor<1x1x2x32xui8>",
              "draw": {"seed": 7, "profile": "uniform"}},
      "lhs_batching_dimensions": [], "rhs_batching_dimensions": [],
      "lhs_contracting_dimensions": [3, 2], "rhs_contracting_dimensions": [2, 1],
      "precision_config": ["HIGH", "HIGH"]},
      "outputs": {"result": {"type": "tensor<1x2x1x1x32xui8>"}}})");
  for (const int64_t failed : {1, 63}) {
    const auto is_wrong = [&](const Case& tried) {
      Verdict verdict = VerdictOf(tried, "made");
      if (!(tried.program.main().body[0].outputs[0].type ==
            c.program.main().body[0].outputs[0].type))
        return verdict;
      verdict.outcome = Outcome::kFail;
      verdict.basis = "text";
      verdict.clauses = {"dot_general/S11"};
      verdict.first_failed = failed;
      return verdict;
    };
    EXPECT_TRUE(ShrunkOf(c, is_wrong).fails) << failed;
  }
}

// The limits of two slices in a row become small, and then their tensors do.
TEST(Shrink, ListsOfAnyOpShrink) {
  const Case c = ParsedFrom("slice", R"({"id": "a", "inputs": {
      "x": {"type": "tensor<9x4xi8>", "draw": {"seed": 7, "profile": "uniform"}}},
      "program": [{"op": "slice", "inputs": {"operand": "x",
                   "start_indices": [2, 1], "limit_indices": [8, 4], "strides": [1, 1]},
                   "outputs": {"result": {"name": "t"}}},
                  {"op": "slice", "inputs": {"operand": "t",
                   "start_indices": [1, 0], "limit_indices": [3, 3], "strides": [1, 1]},
                   "outputs": {"result": {"name": "u"}}}]})");
  const Shrunk shrunk = ShrunkOf(
      c, WrongWhere([](const Case& tried) {
        const std::vector<Op>& body = tried.program.main().body;
        return body.size() == 2 &&
               std::ranges::count(body[1].outputs[0].type.tensor().shape,
                                  int64_t{2}) > 0;
      }));
  EXPECT_TRUE(shrunk.fails);
  const std::vector<Op>& body = shrunk.c.program.main().body;
  ASSERT_EQ(body.size(), 2u);
  for (const Op& op : body) {
    EXPECT_EQ(op.inputs[0].type.ToString(), "tensor<2xi32>");
    EXPECT_EQ(AttributeText(*op.FindAttribute("start_indices")), "[0]");
    EXPECT_EQ(AttributeText(*op.FindAttribute("limit_indices")), "[2]");
  }
}

// A text has all fields of a struct or none.
TEST(Shrink, FieldsOfAStructGoTogether) {
  const Case c = ParsedFrom("dot_general", R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<2xf32>", "data": [1, 2]},
      "rhs": {"type": "tensor<2xf32>", "data": [3, 4]},
      "lhs_batching_dimensions": [], "rhs_batching_dimensions": [],
      "lhs_contracting_dimensions": [0], "rhs_contracting_dimensions": [0],
      "precision_config": ["DEFAULT", "DEFAULT"],
      "lhs_precision_type": "tf32", "rhs_precision_type": "tf32",
      "accumulation_type": "f32", "lhs_component_count": 1,
      "rhs_component_count": 1, "num_primitive_operations": 1,
      "allow_imprecise_accumulation": false},
      "outputs": {"result": {"type": "tensor<f32>"}}})");
  std::set<int> counts;
  const Shrunk shrunk = ShrunkOf(
      c, WrongWhere([&](const Case& tried) {
        const Op& op = tried.program.main().body[0];
        int fields = 0;
        for (const char* name :
             {"lhs_precision_type", "rhs_precision_type", "accumulation_type",
              "lhs_component_count", "rhs_component_count",
              "num_primitive_operations", "allow_imprecise_accumulation"})
          fields += op.FindAttribute(name) != nullptr;
        counts.insert(fields);
        return true;
      }));
  EXPECT_TRUE(shrunk.fails);
  EXPECT_THAT(counts, testing::ElementsAre(0, 7));
}

TEST(Shrink, ResultsHaveTheirTypesAndRanks) {
  const Case c = ParsedFrom("optimization_barrier", R"({"id": "a", "inputs": {
      "operand": [{"type": "tensor<2x3xi8>", "data": [1, 2, 3, 4, 5, 6]},
                  {"type": "tensor<5xi8>", "data": [1, 2, 3, 4, 5]}]},
      "outputs": {"result": [{"type": "tensor<2x3xi8>"},
                             {"type": "tensor<5xi8>"}]}})");
  const Shrunk shrunk = ShrunkOf(
      c, WrongWhere([](const Case& tried) {
        const Function& main = tried.program.main();
        for (size_t i = 0; i < main.results.size(); ++i)
          EXPECT_EQ(main.results[i].type, main.body[0].outputs[i].type);
        return true;
      }));
  EXPECT_TRUE(shrunk.fails);
}

TEST(Shrink, DoesNotChangeOneBugIntoAnother) {
  const Case c = ParsedFrom("multiply", kProgram);
  const auto judge = [](const Case& tried) {
    Verdict verdict = VerdictOf(tried, "made");
    const bool is_large =
        tried.program.main().body[0].outputs[0].type.tensor().shape ==
        Shape{2, 3};
    verdict.outcome = is_large ? Outcome::kFail : Outcome::kCrash;
    verdict.basis = is_large ? "text" : "contract";
    return verdict;
  };
  const Shrunk shrunk = ShrunkOf(c, judge);
  EXPECT_EQ(shrunk.verdict.outcome, Outcome::kFail);
  EXPECT_EQ(shrunk.c.program.main().body[0].outputs[0].type.tensor().shape,
            (Shape{2, 3}));
}

// A wrong op fails a program by the basis of the ops behind it. One that fails
// by the text is no known inaccuracy of another op.
TEST(Shrink, OfAProgramFailsByABasisThatBindsNoLess) {
  const Case c = ParsedFrom("multiply", kProgram);
  const auto ops = [&](const std::string& of_many, const std::string& of_one) {
    const auto judge = [=](const Case& tried) {
      Verdict verdict = WrongWhere([](const Case&) { return true; })(tried);
      const bool is_one = tried.program.main().body.size() == 1;
      verdict.basis = is_one ? of_one : of_many;
      return verdict;
    };
    return ShrunkOf(c, judge).c.program.main().body.size();
  };
  EXPECT_EQ(ops("budget", "text"), 1u);
  EXPECT_EQ(ops("policy:nan", "text"), 1u);
  EXPECT_EQ(ops("budget", "policy:nan"), 1u);
  EXPECT_EQ(ops("text", "policy:nan"), 2u);
  EXPECT_EQ(ops("text", "budget"), 2u);
  EXPECT_EQ(ops("policy:nan", "budget"), 2u);
  EXPECT_EQ(ops("contract", "text"), 2u);
  EXPECT_EQ(ops("text", "contract"), 2u);
}

TEST(Shrink, EndsWhereItPassesOrTheExecutionsOrTheTimeDo) {
  const Case c = ParsedFrom("multiply", kProgram);
  const Shrunk passes =
      ShrunkOf(c, WrongWhere([](const Case&) { return false; }));
  EXPECT_FALSE(passes.fails);
  EXPECT_EQ(passes.executions, 1);
  EXPECT_EQ(passes.verdict.outcome, Outcome::kPass);
  const auto always = WrongWhere([](const Case&) { return true; });
  const Shrunk cut = ShrunkOf(c, always, 3);
  EXPECT_TRUE(cut.fails);
  EXPECT_FALSE(cut.is_complete);
  EXPECT_EQ(cut.executions, 3);
  EXPECT_TRUE(ShrunkOf(c, always).is_complete);
  const Shrunk late = Shrink(
      c, "", {2000, &Policy::Find("assay"), std::chrono::seconds(0)}, always);
  EXPECT_TRUE(late.fails);
  EXPECT_FALSE(late.is_complete);
  EXPECT_EQ(late.executions, 1);
}

TEST(Shrink, KeepsWhatItHasWhereItIsInterrupted) {
  const Case c = ParsedFrom("multiply", kProgram);
  const Shrunk first =
      ShrunkOf(c, WrongWhere([](const Case&) { return true; }), 2);
  int left = 2;
  const auto judge = [&](const Case& candidate) {
    if (left-- == 0) throw Interrupted();
    return WrongWhere([](const Case&) { return true; })(candidate);
  };
  const Shrunk cut = ShrunkOf(c, judge);
  EXPECT_TRUE(cut.fails);
  EXPECT_FALSE(cut.is_complete);
  EXPECT_EQ(JsonTextOf(cut.c), JsonTextOf(first.c));
  EXPECT_NE(JsonTextOf(cut.c), JsonTextOf(c));
  EXPECT_THROW(ShrunkOf(c, [](const Case&) -> Verdict { throw Interrupted(); }),
               Interrupted);
  const Shrunk over = Shrink(
      c, "", {2000, &Policy::Find("assay"), std::nullopt, [] { return true; }},
      WrongWhere([](const Case&) { return true; }));
  EXPECT_TRUE(over.fails);
  EXPECT_FALSE(over.is_complete);
  EXPECT_EQ(over.executions, 1);
}

}  // namespace
}  // namespace assay
