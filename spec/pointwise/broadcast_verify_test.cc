// Tests verification of the trait Broadcastable: the examples of its document
// under both revisions, every combination of small shapes, and what a call with
// `?` sizes does when it runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/pointwise/broadcast.h"
#include "spec/pointwise/broadcast_test_support.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const BroadcastRules kStrict = {Truth::kFalse, Truth::kFalse};

// Returns the labels of the constraints that do not hold, as "BC-03 BC-15".
std::string ViolatedConstraints(const BroadcastCall& call,
                                const BroadcastRules& rules) {
  const Verification verification = Verify(call, rules);
  std::string labels;
  for (const char* label : {"BC-01", "BC-02", "BC-03", "BC-15", "BC-17",
                            "BC-33", "BC-35", "BC-37"}) {
    if (verification.TruthOfConstraint(label) != Truth::kFalse) continue;
    labels += fmt::format("{}{}", labels.empty() ? "" : " ", label);
  }
  return labels;
}

TEST(Verify, GivesTheDocumentsExamples) {
  const struct {
    std::vector<std::string> operands;
    const char* result;
    const char *newer, *older;
  } rows[] = {
      {{"tensor<1x2xi32>", "tensor<1x2xi32>"}, "tensor<1x2xi32>", "", ""},
      {{"tensor<?xi32>", "tensor<?xi32>"}, "tensor<?xi32>", "", ""},
      {{"tensor<1xi32>", "tensor<4xi32>"}, "tensor<4xi32>", "", ""},
      {{"tensor<4xi32>"}, "tensor<?xi32>", "", ""},
      {{"tensor<4xi32>", "tensor<2x3x4xi32>"}, "tensor<2x3x4xi32>", "", ""},
      {{"tensor<2xi1>", "tensor<2xi32>"}, "tensor<2xi64>", "", ""},
      {{"tensor<2xi32>"}, "tensor<*xi32>", "", ""},
      {{"tensor<*xi32>", "tensor<*xi32>"}, "tensor<2xi32>", "", ""},
      {{"tensor<3xi32>", "tensor<2xi32>"}, "tensor<?xi32>", "BC-15", "BC-15"},
      {{"tensor<3xi32>", "tensor<3xi32>"}, "tensor<1x3xi32>", "BC-33", "BC-33"},
      {{"tensor<?xi32>", "tensor<?xi32>"}, "tensor<4xi32>", "", "BC-35"},
      {{"tensor<2xi32>", "tensor<2xi32>"}, "tensor<4xi32>", "BC-37", "BC-37"},
      {{"tensor<1xi32>", "tensor<1xi32>"}, "tensor<4xi32>", "BC-37", "BC-37"},
  };
  for (const auto& row : rows) {
    const BroadcastCall call = MadeBroadcastCall(row.operands, {row.result});
    EXPECT_EQ(ViolatedConstraints(call, {}), row.newer) << row.result;
    EXPECT_EQ(ViolatedConstraints(call, kStrict), row.older) << row.result;
  }
}

TEST(Verify, ChecksWhatACallConsistsOf) {
  const std::string t = "tensor<2xi32>", v = "vector<2xi32>";
  EXPECT_EQ(ViolatedConstraints(MadeBroadcastCall({v, v}, {v}), {}), "");
  EXPECT_EQ(ViolatedConstraints(MadeBroadcastCall({}, {t}), {}), "BC-01");
  EXPECT_EQ(ViolatedConstraints(MadeBroadcastCall({t}, {}), {}), "BC-02");
  EXPECT_EQ(ViolatedConstraints(MadeBroadcastCall({t}, {t, t}), {}), "BC-02");
  EXPECT_EQ(ViolatedConstraints(MadeBroadcastCall({t, v}, {t}), {}), "BC-03");
  EXPECT_EQ(ViolatedConstraints(MadeBroadcastCall({v, v}, {t}), {}), "BC-03");
  EXPECT_EQ(
      ViolatedConstraints(MadeBroadcastCall({t, "memref<3xi32>"}, {t}), {}),
      "BC-03");
  EXPECT_EQ(ViolatedConstraints(MadeBroadcastCall({t, t}, {"i32"}), {}),
            "BC-03");
  EXPECT_EQ(
      ViolatedConstraints(MadeBroadcastCall({t, "vector<3xi32>"}, {}), {}),
      "BC-02 BC-03 BC-15");
}

TEST(Verify, StopsWhereTheDocumentDoes) {
  const std::string r = "tensor<2x3xi32>";
  EXPECT_EQ(Verify(MadeBroadcastCall({r}, {"tensor<*xi32>"})).ended, "BC-31");
  EXPECT_EQ(Verify(MadeBroadcastCall({"tensor<*xi32>"}, {r})).ended, "BC-32");
  const Verification failed =
      Verify(MadeBroadcastCall({r, "tensor<4xi32>"}, {"tensor<7xi32>"}));
  EXPECT_EQ(failed.ended, "BC-30");
  EXPECT_THAT(failed.dims, IsEmpty());
  EXPECT_EQ(failed.TruthOfConstraint("BC-15"), Truth::kFalse);
  EXPECT_EQ(failed.TruthOfConstraint("BC-17"), Truth::kTrue);
  EXPECT_EQ(failed.TruthOfConstraint("BC-33"), Truth::kUndefined);
  EXPECT_EQ(failed.TruthOfConstraint("BC-37"), Truth::kUndefined);
  const Verification rank = Verify(MadeBroadcastCall({r}, {"tensor<3xi32>"}));
  EXPECT_EQ(rank.TruthOfConstraint("BC-33"), Truth::kFalse);
  EXPECT_EQ(rank.TruthOfConstraint("BC-35"), Truth::kUndefined);
  const Verification memref =
      Verify(MadeBroadcastCall({"memref<2xi32>", r}, {r}));
  EXPECT_EQ(memref.TruthOfConstraint("BC-15"), Truth::kUndefined);
}

TEST(Verify, SaysOfEachDimensionWhy) {
  const Verification verification =
      Verify(MadeBroadcastCall({"tensor<?x?x2x3xi8>"}, {"tensor<?x4x?x3xi8>"}),
             kStrict);
  std::vector<std::string_view> clauses;
  for (const VerifiedDim& dim : verification.dims)
    clauses.push_back(dim.clause);
  EXPECT_THAT(clauses, ElementsAre("BC-34", "BC-35", "BC-36", "BC-37"));
  ASSERT_EQ(verification.violations.size(), 1u);
  EXPECT_EQ(verification.violations[0].reason,
            "dimension 1 of the result is 4; inferred is ?");
}

// For all small operands and results, a call is legal if the result's shape is
// one of those that the inferred shape allows.
TEST(Verify, AcceptsWhatTheInferredShapeAllows) {
  const std::vector<std::optional<Shape>> shapes = SmallShapes();
  for (const Truth to_static : {Truth::kTrue, Truth::kFalse}) {
    const BroadcastRules rules = {to_static, Truth::kFalse};
    for (const std::optional<Shape>& a : shapes) {
      for (const std::optional<Shape>& b : shapes) {
        const std::string inferred = InferredByDefinition({a, b});
        for (const std::optional<Shape>& result : shapes) {
          BroadcastCall call;
          for (const auto* shape : {&a, &b})
            call.operands.push_back(
                {ShapedType::Kind::kTensor, *shape, {}, ""});
          call.results.push_back({ShapedType::Kind::kTensor, result, {}, ""});
          bool legal = inferred != "error";
          if (legal && inferred != "*" && result) {
            std::optional<Shape> parsed;
            ASSERT_TRUE(ParseShapeText(inferred, &parsed));
            const Shape& shape = *parsed;
            legal = shape.size() == result->size();
            for (size_t d = 0; legal && d < shape.size(); ++d)
              legal = (*result)[d] == kDynamic || (*result)[d] == shape[d] ||
                      (shape[d] == kDynamic && to_static == Truth::kTrue);
          }
          ASSERT_EQ(ViolatedConstraints(call, rules).empty(), legal)
              << ShapeTextOrStar(a) << ", " << ShapeTextOrStar(b) << " -> "
              << ShapeTextOrStar(result);
        }
      }
    }
  }
}

// Returns the shape, or the clause that makes the behavior undefined.
std::string AtRunTime(const std::vector<std::string>& operands,
                      const std::string& result,
                      const std::vector<Shape>& shapes) {
  const BroadcastCall call = MadeBroadcastCall(operands, {result});
  const RuntimeShape runtime = InferRuntimeShape(call, shapes, Verify(call));
  return runtime.shape ? ShapeTextOrStar(runtime.shape)
                       : std::string(runtime.clause);
}

TEST(InferRuntimeShape, BroadcastsSizesThatTurnOutToBeOne) {
  const std::string u = "tensor<?xi8>";
  EXPECT_EQ(AtRunTime({u, u}, u, {{1}, {4}}), "4");
  EXPECT_EQ(AtRunTime({u, u}, u, {{4}, {1}}), "4");
  EXPECT_EQ(AtRunTime({u, u}, u, {{4}, {4}}), "4");
  EXPECT_EQ(AtRunTime({u, u}, u, {{3}, {4}}), "BC-18");
  EXPECT_EQ(AtRunTime({u, "tensor<1xi8>"}, u, {{7}, {1}}), "7");
  EXPECT_EQ(AtRunTime({u, "tensor<4xi8>"}, u, {{1}, {4}}), "4");
  EXPECT_EQ(AtRunTime({u, "tensor<4xi8>"}, u, {{3}, {4}}), "BC-19");
  EXPECT_EQ(AtRunTime({"tensor<4xi8>", u}, u, {{4}, {3}}), "BC-19");
  EXPECT_EQ(AtRunTime({u, u, "tensor<3xi8>"}, u, {{2}, {2}, {3}}), "BC-19");
  EXPECT_EQ(AtRunTime({u, u}, "tensor<4xi8>", {{1}, {4}}), "4");
  EXPECT_EQ(AtRunTime({u, u}, "tensor<4xi8>", {{5}, {1}}), "BC-35");
  EXPECT_EQ(AtRunTime({"tensor<?x2xi8>", u}, "tensor<?x?xi8>", {{3, 2}, {1}}),
            "3x2");
}

}  // namespace
}  // namespace assay
