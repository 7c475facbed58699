// Tests which variants are made of a case, and what the runner says about
// kernels that break on them.
#include "cases/variants/layout_variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "cases/run/plugin_test_support.h"
#include "cases/variants/repeated_operands.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Case CaseOf(const std::string& text, const std::string& op) {
  const std::string file =
      R"({"op": ")" + op + R"(", "cases": [)" + text + "]}";
  return ParseCases("test.json", ParseJsonExactly("test.json", file), {}).at(0);
}

Case AddMatrices() {
  return CaseOf(R"({"id": "a", "source": "hand", "inputs": {
    "lhs": {"type": "tensor<2x3xi8>", "data": [1, 2, 3, 4, 5, 6]},
    "rhs": {"type": "tensor<2x3xi8>", "data": [10, 20, 30, 40, 50, 60]}},
    "expect": {"result": [11, 22, 33, 44, 55, 66]}})",
                "add");
}

std::vector<int64_t> ValuesIn(const Case& c, size_t input) {
  const Tensor tensor = c.inputs[input].data.Materialise();
  std::vector<int64_t> values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(
        static_cast<int64_t>(ValueOf(tensor.element_type(), tensor.Bits(i))));
  return values;
}

Layout OfFirst(const char* kind) {
  return VariantOf(AddMatrices(), kind).inputs[0].layout;
}

Layout OfResult(const char* kind) {
  return VariantOf(AddMatrices(), kind).output_layouts.at("result");
}

TEST(LayoutVariants, OperandsLieAsTheLayoutSays) {
  EXPECT_THAT(OfFirst("gaps").strides, ElementsAre(6, 1));
  EXPECT_THAT(VariantOf(AddMatrices(), "gaps").inputs[1].layout.strides,
              ElementsAre(8, 1));
  EXPECT_THAT(OfFirst("step2").strides, ElementsAre(6, 2));
  EXPECT_THAT(OfFirst("step3").strides, ElementsAre(9, 3));
  EXPECT_THAT(OfFirst("transposed").strides, ElementsAre(1, 2));
  EXPECT_THAT(OfFirst("reversed").strides, ElementsAre(-3, -1));
  EXPECT_EQ(OfFirst("reversed").offset, 5);
  EXPECT_EQ(OfFirst("offset1").offset, 1);
  EXPECT_EQ(OfFirst("odd_alignment").offset, 1);
  EXPECT_EQ(VariantOf(AddMatrices(), "odd_alignment").inputs[1].layout.offset,
            3);
  EXPECT_THAT(OfFirst("mixed").strides, ElementsAre(1, 2));
  EXPECT_THAT(VariantOf(AddMatrices(), "mixed").inputs[1].layout.strides,
              ElementsAre(6, 2));
  EXPECT_THAT(OfFirst("output_strided").strides, ElementsAre(3, 1));
}

TEST(LayoutVariants, ResultsLieAsTheLayoutSays) {
  EXPECT_THAT(OfResult("output_strided").strides, ElementsAre(2, 4));
  EXPECT_THAT(OfResult("mixed").strides, ElementsAre(9, 3));
  EXPECT_EQ(OfResult("odd_alignment").offset, 1);
  EXPECT_THAT(OfResult("gaps").strides, ElementsAre(3, 1));
  EXPECT_EQ(VariantOf(AddMatrices(), "in_place").alias.at("result"), "lhs");
}

TEST(LayoutVariants, NoTwoElementsShareAPlaceUnlessTheyRepeat) {
  for (const VariantKind& kind : LayoutVariants()) {
    if (kind.name == std::string("broadcast0")) continue;
    const Case c = VariantOf(AddMatrices(), kind.name);
    for (const CaseInput& input : c.inputs) {
      std::set<int64_t> places;
      Index index;
      for (IndexSpace space(input.data.type.shape); space.Next(&index);)
        places.insert(input.layout.At(index));
      EXPECT_EQ(places.size(), 6u) << kind.name;
      EXPECT_GE(*places.begin(), 0) << kind.name;
    }
  }
}

TEST(LayoutVariants, ValuesStayButWhereAnOperandRepeatsItself) {
  for (const VariantKind& kind : LayoutVariants()) {
    const Case c = VariantOf(AddMatrices(), kind.name);
    EXPECT_TRUE(c.expect.empty());
    if (kind.name == std::string("broadcast0")) {
      EXPECT_THAT(ValuesIn(c, 0), ElementsAre(1, 2, 3, 1, 2, 3));
      EXPECT_THAT(c.inputs[0].layout.strides, ElementsAre(0, 1));
      EXPECT_THAT(ValuesIn(c, 1), ElementsAre(10, 10, 10, 40, 40, 40));
      EXPECT_THAT(c.inputs[1].layout.strides, ElementsAre(1, 0));
    } else {
      EXPECT_THAT(ValuesIn(c, 0), ElementsAre(1, 2, 3, 4, 5, 6)) << kind.name;
    }
  }
}

int64_t TuplesOf(const Case& c) {
  std::vector<Tensor> operands;
  for (const CaseInput& input : c.inputs)
    operands.push_back(input.data.Materialise());
  return DistinctTuples(
      operands, c.program.main().body[0].outputs[0].type.tensor().shape, 1000);
}

TEST(LayoutVariants, OneWideDimensionIsGivenOthersToRepeatAlong) {
  const Case c = CaseOf(R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<3xi8>", "data": [1, 2, 3]},
      "rhs": {"type": "tensor<3xi8>", "data": [10, 20, 30]}}})",
                        "subtract");
  const Case two = VariantOf(c, "broadcast0");
  EXPECT_EQ(two.program.main().body[0].outputs[0].type.ToString(),
            "tensor<2x3x2xi8>");
  EXPECT_EQ(two.program.main().inputs[0].type,
            two.program.main().body[0].inputs[0].type);
  EXPECT_THAT(two.inputs[0].layout.strides, ElementsAre(0, 2, 1));
  EXPECT_THAT(two.inputs[1].layout.strides, ElementsAre(3, 1, 0));
  EXPECT_THAT(ValuesIn(two, 0), ElementsAre(1, 2, 2, 3, 3, 1,  //
                                            1, 2, 2, 3, 3, 1));
  EXPECT_THAT(ValuesIn(two, 1), ElementsAre(10, 10, 20, 20, 30, 30,  //
                                            20, 20, 30, 30, 10, 10));
  EXPECT_EQ(TuplesOf(two), 9);
  const Case one = VariantOf(CaseOf(R"({"id": "a", "inputs": {
      "operand": {"type": "tensor<1x3xi8>", "data": [1, 2, 3]}}})",
                                    "negate"),
                             "broadcast0");
  EXPECT_THAT(one.inputs[0].layout.strides, ElementsAre(3, 1, 0));
  EXPECT_THAT(ValuesIn(one, 0), ElementsAre(1, 1, 2, 2, 3, 3));
}

TEST(LayoutVariants, OfALongDimensionTheFirstElementsAreRepeated) {
  const Case c = VariantOf(CaseOf(R"({"id": "a", "inputs": {"operand": {
      "type": "tensor<5000xi32>", "draw": {"every": "bits", "dimension": 0}}}})",
                                  "negate"),
                           "broadcast0");
  EXPECT_EQ(c.program.main().body[0].inputs[0].type.ToString(),
            "tensor<4096x2xi32>");
  EXPECT_EQ(ValuesIn(c, 0).back(), 4095);
}

TEST(LayoutVariants, ADimensionThatOperandsVaryAlongAloneIsNotRepeated) {
  const Case pairs = CaseOf(R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<3x4xi8>",
              "draw": {"every": "bits", "dimension": 0}},
      "rhs": {"type": "tensor<3x4xi8>",
              "draw": {"every": "bits", "dimension": 1}}}})",
                            "add");
  const Case variant = VariantOf(pairs, "broadcast0");
  EXPECT_THAT(variant.inputs[0].layout.strides, ElementsAre(1, 0));
  EXPECT_THAT(variant.inputs[1].layout.strides, ElementsAre(0, 1));
  EXPECT_EQ(TuplesOf(variant), 12);
  // The values at index 0 of both dimensions are equal.
  const Case corner = CaseOf(R"({"id": "a", "inputs": {
      "operand": {"type": "tensor<2x2xi8>", "data": [1, 1, 1, 2]}}})",
                             "negate");
  EXPECT_EQ(TuplesOf(VariantOf(corner, "broadcast0")), 2);
}

// In the suite, no layout makes one tuple of several.
TEST(LayoutVariants, ValuesStayDifferent) {
  int64_t variant = 0;
  for (const Case& c : ReadSuite(DefaultSuite(), {})) {
    if (!HasVariant(c, "broadcast0") ||
        *ElementCount(c.program.main().body[0].outputs[0].type.tensor().shape) >
            4096)
      continue;
    ++variant;
    if (TuplesOf(c) == 1) continue;
    EXPECT_GT(TuplesOf(VariantOf(c, "broadcast0")), 1) << c.name;
  }
  EXPECT_GT(variant, 1000);
}

TEST(LayoutVariants, TuplesAreCountedOverTheResult) {
  const auto of = [](const Shape& shape, std::vector<ElementBits> values) {
    Tensor tensor({shape, ElementType::kI8});
    for (size_t i = 0; i < values.size(); ++i)
      tensor.SetBits(static_cast<int64_t>(i), values[i]);
    return tensor;
  };
  const Tensor row = of({3}, {1, 2, 3}), column = of({2, 1}, {5, 6});
  const Tensor number = of({}, {7});
  EXPECT_EQ(DistinctTuples({row, column}, {2, 3}, 1000), 6);
  EXPECT_EQ(DistinctTuples({row, number}, {2, 3}, 1000), 3);
  EXPECT_EQ(DistinctTuples({row, column}, {2, 3}, 4), 4);
  // The operand does not have the result's shape, as in bitcast_convert.
  EXPECT_EQ(DistinctTuples({of({2, 2}, {1, 2, 1, 2})}, {2}, 1000), 2);
}

TEST(LayoutVariants, RelationsKnowWhichElementIsWhich) {
  const Case permuted = VariantOf(AddMatrices(), "permuted");
  EXPECT_THAT(ValuesIn(permuted, 0), ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_THAT(permuted.variant->element_of, ElementsAre(5, 4, 3, 2, 1, 0));
  const Case swapped = VariantOf(AddMatrices(), "swapped");
  EXPECT_THAT(ValuesIn(swapped, 0), ElementsAre(10, 20, 30, 40, 50, 60));
  EXPECT_THAT(ValuesIn(*swapped.variant->base, 0),
              ElementsAre(1, 2, 3, 4, 5, 6));
  const Case lanes = VariantOf(AddMatrices(), "lanes");
  const int64_t chosen = lanes.variant->element_of.at(0);
  EXPECT_THAT(ValuesIn(lanes, 0), testing::Each(chosen + 1));
  const Case element = VariantOf(AddMatrices(), "element");
  EXPECT_THAT(ValuesIn(element, 1),
              ElementsAre(10 * (element.variant->element_of.at(0) + 1)));
  EXPECT_EQ(element.program.main().body[0].outputs[0].type.ToString(),
            "tensor<1xi8>");
}

// Only the category of a scalar counts, so i32 would become i64.
TEST(LayoutVariants, AScalarIsNotRelatedIfItChangesTheTypeComputedIn) {
  const std::string text = R"({"op": "pointwise.multiply", "cases": [
      {"id": "a", "inputs": {
          "lhs": {"type": "tensor<1xi32>", "data": [1]},
          "rhs": {"type": "tensor<2xi32>", "data": [1, 2]},
          "promotion_methods": [[0, "ALWAYS_BOOL"]]}}]})";
  const Case c =
      ParseCases("t.json", ParseJsonExactly("t.json", text), {}).at(0);
  EXPECT_FALSE(HasVariant(c, "scalar"));
  EXPECT_TRUE(HasVariant(c, "zero_d"));
}

TEST(LayoutVariants, OneElementStandsBesideATensorOfIt) {
  const std::string text = R"({"op": "pointwise.subtract", "cases": [{"id": "a",
      "inputs": {"lhs": {"type": "tensor<2x2xi8>", "data": [1, 2, 3, 4]},
                 "rhs": {"type": "tensor<2x2xi8>", "data": [5, 6, 7, 8]},
                 "promotion_methods": [[0, 1, "DEFAULT"]]}}]})";
  const Case c =
      ParseCases("t.json", ParseJsonExactly("t.json", text), {}).at(0);
  for (const char* kind : {"zero_d", "scalar"}) {
    ASSERT_TRUE(HasVariant(c, kind));
    const Case variant = VariantOf(c, kind);
    const Op& op = variant.program.main().body[0];
    EXPECT_EQ(op.inputs[1].type.ToString(), "tensor<i8>");
    EXPECT_EQ(op.inputs[1].is_scalar, kind == std::string("scalar"));
    EXPECT_EQ(variant.program.main().inputs[1].type, op.inputs[1].type);
    const ElementBits value = ValuesIn(variant, 1).at(0);
    EXPECT_THAT(ValuesIn(variant, 0), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(ValuesIn(variant, 1), ElementsAre(value));
    const Case& base = *variant.variant->base;
    EXPECT_THAT(ValuesIn(base, 1), ElementsAre(value, value, value, value));
    EXPECT_THAT(ValuesIn(base, 0), ElementsAre(1, 2, 3, 4));
    EXPECT_TRUE(variant.variant->element_of.empty());
  }
  // The text of `add` wants operands of one shape.
  EXPECT_FALSE(HasVariant(AddMatrices(), "zero_d"));
}

TEST(LayoutVariants, WhatChangesNothingIsNoCase) {
  const auto variant = [](const Case& c) {
    std::vector<std::string> kinds;
    for (const VariantKind& kind : VariantKinds()) {
      if (HasVariant(c, kind.name)) kinds.push_back(kind.name);
    }
    return kinds;
  };
  EXPECT_EQ(variant(AddMatrices()).size(), 15u);
  EXPECT_THAT(variant(CaseOf(R"({"id": "a", "inputs": {
        "lhs": {"type": "tensor<i8>", "data": [1]},
        "rhs": {"type": "tensor<i8>", "data": [2]}}})",
                             "subtract")),
              ElementsAre("offset1", "odd_alignment", "in_place"));
  EXPECT_THAT(variant(CaseOf(R"({"id": "a", "inputs": {
        "x": {"type": "tensor<3xf32>", "data": [1, 2, 3]}}})",
                             "is_finite")),
              ElementsAre("step2", "step3", "reversed", "broadcast0", "offset1",
                          "odd_alignment", "mixed", "output_strided", "element",
                          "lanes", "permuted"));
  EXPECT_THAT(variant(CaseOf(R"({"id": "a", "inputs": {
        "lhs": {"type": "tensor<2xi8>"}, "rhs": {"type": "tensor<3xi8>"}},
        "expect": {"violates": "C1"}})",
                             "add")),
              testing::IsEmpty());
  EXPECT_THAT(variant(CaseOf(R"({"id": "a", "inputs": {
        "lhs": {"type": "tensor<0xi8>", "data": []},
        "rhs": {"type": "tensor<0xi8>", "data": []}}})",
                             "add")),
              testing::IsEmpty());
}

// A StridedCall is an f32 call for a kernel that goes through strides itself.
struct StridedCall {
  const AssayTensor& in;
  const AssayTensor& out;
  float* At(const AssayTensor& t, int64_t i) const {
    char* data = static_cast<char*>(t.tensor.data) + t.tensor.byte_offset;
    int64_t at = 0;
    for (int d = t.tensor.ndim; d-- > 0; i /= t.tensor.shape[d])
      at += i % t.tensor.shape[d] * t.tensor.strides[d];
    return reinterpret_cast<float*>(data) + at;
  }
  int64_t Size() const {
    int64_t size = 1;
    for (int d = 0; d < out.tensor.ndim; ++d) size *= out.tensor.shape[d];
    return size;
  }
};

std::function<void(const StridedCall&)> strided_kernel;

int32_t RunStrided(const AssayCall* call, char*, size_t) {
  strided_kernel({call->inputs[0], call->outputs[0]});
  return ASSAY_OK;
}

Verdict JudgeVariants(const char* kind,
                      std::function<void(const StridedCall&)> f,
                      const char* policy = "assay") {
  strided_kernel = std::move(f);
  const AssayBackend plugin = PluginOf(RunStrided);
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  const Case c = CaseOf(R"({"id": "a", "inputs": {"operand":
    {"type": "tensor<5xf32>", "data": [0.5, 1, 2, 3, 4]}}})",
                        "exponential");
  return Runner(&executor, Policy::Find(policy)).Run(VariantOf(c, kind));
}

void Exponential(const StridedCall& call) {
  for (int64_t i = 0; i < call.Size(); ++i)
    *call.At(call.out, i) = std::exp(*call.At(call.in, i));
}

TEST(LayoutVariantsRun, AKernelOfAnyLayoutPasses) {
  for (const VariantKind& kind : VariantKinds()) {
    if (kind.name == std::string("gaps") ||
        kind.name == std::string("transposed") ||
        kind.name == std::string("swapped") ||
        kind.name == std::string("zero_d") ||
        kind.name == std::string("scalar"))
      continue;
    const Verdict verdict = JudgeVariants(kind.name, Exponential);
    EXPECT_EQ(verdict.outcome, Outcome::kPass)
        << kind.name << ": " << verdict.message;
    EXPECT_EQ(verdict.variant, kind.name);
    EXPECT_EQ(verdict.case_name, std::string("exponential/a@") + kind.name);
    EXPECT_EQ(verdict.aliased, kind.name == std::string("in_place") ? 1 : 0);
  }
}

TEST(LayoutVariantsRun, AKernelThatIgnoresStridesFails) {
  const auto ignores = [](const StridedCall& call) {
    const float* in = call.At(call.in, 0);
    for (int64_t i = 0; i < call.Size(); ++i)
      *call.At(call.out, i) = std::exp(in[i]);
  };
  EXPECT_EQ(JudgeVariants("offset1", ignores).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeVariants("step2", ignores).outcome,
            Outcome::kNondeterministic);
  const Verdict verdict = JudgeVariants("broadcast0", ignores);
  EXPECT_NE(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(verdict.replay, HasSubstr("--op 'exponential/a@broadcast0'"));
}

TEST(LayoutVariantsRun, AStoreIntoAGapIsAGuardViolation) {
  const Verdict verdict =
      JudgeVariants("output_strided", [](const StridedCall& call) {
        Exponential(call);
        call.At(call.out, 0)[1] = 1;
      });
  EXPECT_EQ(verdict.outcome, Outcome::kGuardViolation);
  EXPECT_THAT(verdict.message, HasSubstr("wrote into a gap, 4 byte(s)"));
}

// The result is within the budget, and another value where the operand is
// strided.
void DependsOnStride(const StridedCall& call) {
  Exponential(call);
  if (call.in.tensor.ndim == 1 && call.in.tensor.strides[0] == 1) return;
  float* const at = call.At(call.out, 2);
  *at = std::nextafter(*at, 0.0F);
}

TEST(LayoutVariantsRun, ALastBitThatDependsOnTheLayoutFailsOrIsCounted) {
  const Verdict required = JudgeVariants("step3", DependsOnStride);
  EXPECT_EQ(required.outcome, Outcome::kFail);
  EXPECT_EQ(required.basis, "policy:layout_invariant");
  EXPECT_THAT(required.message,
              AllOf(HasSubstr("1 of 5 elements of result"), HasSubstr("[2]: "),
                    HasSubstr("operand: strides [3], offset 0")));
  const Verdict counted = JudgeVariants("step3", DependsOnStride, "stablehlo");
  EXPECT_EQ(counted.outcome, Outcome::kPass);
  EXPECT_EQ(counted.layout_dependent, 1);
}

// The call in row-major order is judged too, where it has other bits.
TEST(LayoutVariantsRun, AWrongResultInRowMajorOrderFails) {
  const Verdict verdict = JudgeVariants(
      "step3",
      [](const StridedCall& call) {
        Exponential(call);
        if (call.in.tensor.strides[0] == 1) *call.At(call.out, 2) = 7;
      },
      "stablehlo");
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.message, HasSubstr("in row-major order: 1 of 5"));
}

TEST(LayoutVariantsRun, AnElementThatDependsOnItsNeighboursFails) {
  const auto looks_around = [](const StridedCall& call) {
    Exponential(call);
    if (call.Size() > 1) return;
    float* const at = call.At(call.out, 0);
    *at = std::nextafter(*at, 0.0F);
  };
  EXPECT_EQ(JudgeVariants("element", looks_around).basis,
            "policy:layout_invariant");
  EXPECT_EQ(JudgeVariants("permuted", looks_around).outcome, Outcome::kPass);
}

TEST(LayoutVariantsRun, InPlaceReadsBeforeItWrites) {
  const auto clears_first = [](const StridedCall& call) {
    for (int64_t i = 0; i < call.Size(); ++i) *call.At(call.out, i) = 0;
    Exponential(call);
  };
  EXPECT_EQ(JudgeVariants("offset1", clears_first).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeVariants("in_place", clears_first).outcome, Outcome::kFail);
}

}  // namespace
}  // namespace assay
