// Tests what is learnt about a backend that implements little, and which cases
// are drawn for it.
#include "fuzz/campaign/declined.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <set>

#include "fuzz/campaign/learn.h"
#include "fuzz/fuzz_test_support.h"

namespace assay {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// A Rule answers by a rule, and computes nothing.
class Rule : public Executor {
 public:
  using Says = std::function<CallStatus(const PlacedCall&)>;
  explicit Rule(Says says) : says_(std::move(says)) {}
  size_t window() const override { return 3; }
  void Submit(const PlacedCall& call) override {
    answers_.push_back({says_(call), "", {}, false});
  }
  Answer Next() override {
    Answer answer = answers_.front();
    answers_.pop_front();
    return answer;
  }

 private:
  Says says_;
  std::deque<Answer> answers_;
};

Declined Learnt(const Rule::Says& says, Generator* generator) {
  Rule rule(says);
  LearnOptions options;
  options.policy = &Policy::Find("stablehlo");
  return LearnDeclined(&rule, generator, options);
}

bool IsRowMajor(const PlacedTensor& tensor) {
  return Layout{*tensor.strides, 0}.IsRowMajor(tensor.type->shape);
}

// The example plugin answers in this way.
CallStatus AddsI32(const PlacedCall& call) {
  const bool is_it = call.op->op == "add" && IsRowMajor(call.inputs[0]) &&
                     IsRowMajor(call.inputs[1]) &&
                     IsRowMajor(call.outputs[0]) &&
                     call.inputs[0].type->element_type == ElementType::kI32;
  return is_it ? CallStatus::kOk : CallStatus::kUnsupported;
}

DrawOptions Few() {
  DrawOptions draw;
  draw.ops = {"add", "negate", "compare", "pointwise.add", "pointwise.abs"};
  return draw;
}

TEST(Declined, NearlyEverySlotIsOfWhatIsImplemented) {
  Generator generator(Few());
  const Declined declined = Learnt(AddsI32, &generator);
  EXPECT_EQ(declined.kinds_declined() + 1, declined.kinds_asked());
  constexpr uint64_t kSlots = 1000;
  uint64_t wanted = 0, before = 0, turned_away = 0;
  std::set<std::string> layouts;
  for (uint64_t slot = 0; slot < kSlots; ++slot) {
    const auto is_it = [](const Case& c) {
      return c.op == "add" && c.program.main().body.size() == 1 &&
             (!c.violates.empty() ||  // which may be of types
              c.UnderTest().inputs[0].type.tensor().element_type ==
                  ElementType::kI32);
    };
    const Declined::Turned turned = declined.CaseAt(5, slot, &generator);
    const Case& c = turned.drawn.c;
    turned_away += turned.turned_away;
    wanted += is_it(c);
    before += is_it(generator.Draw(5, slot).c);
    if (slot % Declined::kAskedEvery == Declined::kAskedEvery - 1) {
      EXPECT_EQ(turned.index, slot);
      continue;
    }
    ASSERT_TRUE(is_it(c)) << c.name;
    for (const CaseInput& input : c.inputs)
      layouts.insert(Name(ClassOf(input.layout, input.data.type.shape)));
    // The index gives the same case without anything learnt.
    EXPECT_EQ(JsonTextOf(generator.Draw(5, turned.index).c), JsonTextOf(c));
    EXPECT_EQ(generator.Draw(5, turned.index).c.name, c.name);
    EXPECT_THAT(ViolatedBy(c), testing::Eq(c.violates));
  }
  EXPECT_GT(wanted, kSlots * 98 / 100);
  EXPECT_LT(before, kSlots / 10);
  EXPECT_GT(turned_away, kSlots / 2);
  // An offset alone is not declined.
  EXPECT_EQ(layouts, (std::set<std::string>{"offset", "row_major"}));
}

TEST(Declined, WhatIsNotDeclinedIsDrawnAsEver) {
  Generator generator(Few());
  const Declined declined =
      Learnt([](const PlacedCall&) { return CallStatus::kOk; }, &generator);
  EXPECT_TRUE(declined.empty());
  EXPECT_GT(declined.kinds_asked(), 100u);
  EXPECT_THAT(declined.Lines(), IsEmpty());
  for (const uint64_t slot : {0, 1, 63, 1000})
    EXPECT_EQ(declined.CaseAt(5, slot, &generator).index, slot);
}

// If a backend declines everything, the draws are as without learning.
TEST(Declined, AllOfItIsDrawnAsEver) {
  Generator generator(Few());
  const Declined declined = Learnt(
      [](const PlacedCall&) { return CallStatus::kUnsupported; }, &generator);
  EXPECT_EQ(declined.kinds_declined(), declined.kinds_asked());
  for (const uint64_t slot : {0, 1, 63, 1000})
    EXPECT_EQ(declined.CaseAt(5, slot, &generator).index, slot);
  EXPECT_EQ(declined.Lines(),
            std::vector<std::string>{"all types: add, compare, negate, "
                                     "pointwise.abs, pointwise.add"});
}

TEST(Declined, IsToldByTypesAndLayouts) {
  Generator generator(Few());
  const auto lines = Learnt(AddsI32, &generator).Lines();
  EXPECT_THAT(lines, Contains("all types but i32: add"));
  EXPECT_THAT(lines, Contains(HasSubstr(
                         "operands in layouts negative_stride, zero_stride, "
                         "gaps, transposed; results in layouts "
                         "negative_stride, gaps, transposed: add")));
}

// A campaign for which something else was declined is another campaign.
TEST(Declined, TheDigestIsOfWhatWasLearnt) {
  Generator generator(Few());
  const auto but = [&](ElementType type) {
    return Learnt(
        [&](const PlacedCall& call) {
          return call.op->op == "negate" &&
                         call.inputs[0].type->element_type == type
                     ? CallStatus::kUnsupported
                     : CallStatus::kOk;
        },
        &generator);
  };
  EXPECT_EQ(but(ElementType::kF32).Digest(), but(ElementType::kF32).Digest());
  EXPECT_NE(but(ElementType::kF32).Digest(), but(ElementType::kF64).Digest());
}

// A backend may be unable to handle some shapes, such as those of two
// dimensions.
TEST(Declined, AKindThatIsAnsweredInSomeShapeIsNot) {
  Generator generator(Few());
  const Declined declined = Learnt(
      [](const PlacedCall& call) {
        return call.inputs[0].type->shape.size() < 2 ? CallStatus::kUnsupported
                                                     : CallStatus::kOk;
      },
      &generator);
  EXPECT_EQ(declined.kinds_declined(), 0u);
}

TEST(Declined, NothingIsLearntOfAnOpWhoseCallsEndTheProcess) {
  Generator generator(Few());
  const Declined declined = Learnt(
      [](const PlacedCall& call) {
        return call.op->op == "add" ? CallStatus::kCrash
                                    : CallStatus::kUnsupported;
      },
      &generator);
  EXPECT_THAT(declined.Lines(), testing::Not(Contains(HasSubstr(" add"))));
  EXPECT_THAT(declined.Lines(), Contains(HasSubstr("all types: compare")));
}

}  // namespace
}  // namespace assay
