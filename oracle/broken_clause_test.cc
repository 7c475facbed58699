// Tests that the switch breaks the clause that it names, for as long as it is
// told to, and nothing else.
#include "oracle/broken_clause.h"

#include <gtest/gtest.h>

#include "oracle/elementwise/elementwise.h"

namespace assay {
namespace {

#ifndef ASSAY_BREAK_CLAUSES

TEST(BrokenClause, IsNotInThisBuild) {
  EXPECT_FALSE(kClausesBreak);
  GTEST_SKIP() << "this build cannot break clauses (ASSAY_BREAK_CLAUSES)";
}

#else

TEST(BrokenClause, EveryKindOfValueBecomesAnother) {
  using Byte = Integer<8, true>;
  using Crumb = Integer<2, false>;
  EXPECT_EQ(Broken(true), false);
  EXPECT_EQ(Broken(8), 7);
  EXPECT_EQ(Broken(int64_t{0}), 1);
  EXPECT_EQ(Broken(int64_t{3}), 2);
  EXPECT_EQ(Broken(Byte::Wrap(-128)), Byte::Wrap(-127));
  EXPECT_EQ(Broken(Crumb::Wrap(3)), Crumb::Wrap(2));
  EXPECT_EQ(Broken(Boolean(true)), Boolean(false));
  const Allowed<Byte> one = Broken(Allowed<Byte>(Byte::Wrap(4)));
  EXPECT_FALSE(one.any);
  EXPECT_EQ(one.value, Byte::Wrap(5));
  const Allowed<Byte> any = Broken(Allowed<Byte>(kAny));
  EXPECT_FALSE(any.any);
  EXPECT_EQ(any.value, Byte::Wrap(0x55));
  EXPECT_EQ(Broken(Allowed<Crumb>(kAny)).value, Crumb::Wrap(1));
}

// Evaluates 2 + 3, and 127 + 1, which overflows.
Evaluation Sums(const std::string& name, Marks marks) {
  const TensorType type{{2}, ElementType::kI8};
  Op op{name, {}, {}, {}, {}};
  op.inputs = {{"lhs", "lhs", type}, {"rhs", "rhs", type}};
  op.outputs = {{"result", "result", type}};
  Tensor lhs(type), rhs(type);
  lhs.SetBits(0, 2), lhs.SetBits(1, 127);
  rhs.SetBits(0, 3), rhs.SetBits(1, 1);
  return Evaluate(op, {lhs, rhs}, Policy::Find("assay"), marks);
}

TEST(BrokenClause, OnlyTheOneThatIsNamedAndWhileItLives) {
  const auto bits = [](const Evaluation& evaluation) {
    return std::pair(evaluation.outputs[0].lo.Bits(0),
                     evaluation.outputs[0].lo.Bits(1));
  };
  using Pair = std::pair<ElementBits, ElementBits>;
  const Pair right = {5, 0x80};
  {
    const ScopedBrokenClause broken("add", 2);
    const Evaluation evaluation = Sums("add", Marks::kCounted);
    EXPECT_EQ(bits(evaluation), Pair(4, 0x80));
    EXPECT_EQ(evaluation.marks, uint64_t{1} << 2 | uint64_t{1} << 6);
    EXPECT_EQ(bits(Sums("add", Marks::kNone)), right);
    EXPECT_EQ(bits(Sums("subtract", Marks::kCounted)), Pair(0xff, 126));
  }
  {
    const ScopedBrokenClause broken("add", 6);
    EXPECT_EQ(bits(Sums("add", Marks::kCounted)), Pair(5, 0x81));
  }
  EXPECT_EQ(bits(Sums("add", Marks::kCounted)), right);
}

#endif

}  // namespace
}  // namespace assay
