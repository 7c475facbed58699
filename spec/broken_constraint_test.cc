// Tests that the switch negates the constraint that it names, for every truth
// value.
#include "spec/broken_constraint.h"

#include <gtest/gtest.h>

#include "spec/op_spec.h"

namespace assay {
namespace {

#ifndef ASSAY_BREAK_CLAUSES

TEST(BrokenConstraint, IsNotInThisBuild) {
  EXPECT_EQ(MaybeBroken("add", "C1", Truth::kDeferred), Truth::kDeferred);
  GTEST_SKIP() << "this build cannot break constraints (ASSAY_BREAK_CLAUSES)";
}

#else

TEST(BrokenConstraint, NegatesTheOneThatIsNamedWhileItLives) {
  const TensorType type{{2}, ElementType::kI8};
  const Op op{"not",
              {{"operand", "operand", type}},
              {},
              {},
              {{"result", "result", type}}};
  const auto truths = [&] {
    std::map<std::string, Truth> by_label;
    for (const ConstraintResult& r : CheckConstraints(*FindOp("not"), op))
      by_label[r.constraint->label] = r.truth;
    return by_label;
  };
  const auto right = truths();
  ASSERT_EQ(right.at("C1"), Truth::kTrue);
  {
    const ScopedBrokenConstraint broken("not", "C1");
    const auto negated = truths();
    EXPECT_EQ(negated.at("C1"), Truth::kFalse);
    EXPECT_EQ(negated.at("I1"), right.at("I1"));
    EXPECT_EQ(MaybeBroken("not", "C1", Truth::kFalse), Truth::kTrue);
    EXPECT_EQ(MaybeBroken("not", "C1", Truth::kDeferred), Truth::kFalse);
    EXPECT_EQ(MaybeBroken("not", "C1", Truth::kUndefined), Truth::kFalse);
    EXPECT_EQ(MaybeBroken("abs", "C1", Truth::kFalse), Truth::kFalse);
  }
  EXPECT_EQ(truths(), right);
}

#endif

}  // namespace
}  // namespace assay
