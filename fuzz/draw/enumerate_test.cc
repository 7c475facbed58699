// Tests that the enumerated products are complete: every value, every pair,
// every count.
#include "fuzz/draw/enumerate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "cases/read/data.h"
#include "fuzz/fuzz_test_support.h"

namespace assay {
namespace {

using enum ElementType;
using BitsPair = std::pair<ElementBits, ElementBits>;

const std::vector<EnumeratedCall>& AllEnumerated() {
  static const std::vector<EnumeratedCall> calls =
      EnumeratedCalls(Everything().ops());
  return calls;
}

// Returns the enumerated calls of an op on operands of one type.
std::vector<EnumeratedCall> EnumeratedOf(const std::string& id,
                                         ElementType type,
                                         bool is_shift = false) {
  std::vector<EnumeratedCall> calls;
  for (const EnumeratedCall& call : AllEnumerated()) {
    const bool is_it =
        call.entry->spec->id == id && call.is_shift == is_shift &&
        std::ranges::all_of(call.signature->operands, [&](ElementType operand) {
          return operand == type;
        });
    if (is_it) calls.push_back(call);
  }
  return calls;
}

// Returns how often each pair of the operands `first` and `second` occurs.
std::map<BitsPair, int> PairsOf(const std::vector<EnumeratedCall>& calls,
                                size_t first = 0, size_t second = 1) {
  std::map<BitsPair, int> pairs;
  for (const EnumeratedCall& call : calls) {
    const Tensor a = EnumeratedOperand(call, first);
    const Tensor b = EnumeratedOperand(call, second);
    for (int64_t i = 0; i < a.size(); ++i) ++pairs[{a.Bits(i), b.Bits(i)}];
  }
  return pairs;
}

TEST(Enumerated, EveryPairOfBoundaryValuesIsAddedOnce) {
  for (const ElementType type :
       {kI1, kI2, kI8, kUi64, kF4E2M1FN, kF8E5M2, kBF16, kF64, kComplexF32}) {
    const std::vector<ElementBits>& special = BoundaryBits(type);
    std::map<BitsPair, int> expected;
    for (const ElementBits a : special) {
      for (const ElementBits b : special) expected[{a, b}] = 1;
    }
    EXPECT_TRUE(PairsOf(EnumeratedOf("add", type)) == expected) << Name(type);
  }
}

TEST(Enumerated, EveryValueOfNarrowTypesOnce) {
  for (const char* op : {"abs", "negate", "is_finite"}) {
    for (const ElementTypeInfo& info : ElementTypes()) {
      const std::vector<EnumeratedCall> calls = EnumeratedOf(op, info.type);
      const bool has_type =
          std::ranges::any_of(Everything().ops(), [&](const OpEntry& entry) {
            return entry.spec->id == op &&
                   std::ranges::count(entry.signatures, std::vector{info.type},
                                      &Signature::operands) > 0;
          });
      EXPECT_EQ(!calls.empty(), has_type && info.bits <= 16) << op << info.name;
      std::vector<int> count(calls.empty() ? 0 : size_t{1} << info.bits);
      for (const EnumeratedCall& call : calls) {
        const Tensor values = EnumeratedOperand(call, 0);
        for (int64_t i = 0; i < values.size(); ++i)
          ++count.at(static_cast<size_t>(values.Bits(i)));
      }
      EXPECT_THAT(count, testing::Each(1)) << op << info.name;
    }
  }
  EXPECT_EQ(EnumeratedOf("abs", kBF16).size(), 16u);
  EXPECT_EQ(EnumeratedOf("abs", kI8).size(), 1u);
}

TEST(Enumerated, EveryCountStandsBesideEveryBit) {
  for (const char* op :
       {"shift_left", "shift_right_arithmetic", "shift_right_logical"}) {
    for (const ElementType type : {kI2, kUi8, kI16, kI64}) {
      const int width = Info(type).bits;
      const ElementBits mask = (ElementBits{1} << width) - 1;
      std::map<BitsPair, int> expected;
      for (int bit = 0; bit < width; ++bit) {
        // Counts go from below zero to past twice the width of the widest type.
        for (int count = -8; count < width + 72; ++count)
          ++expected[{ElementBits{1} << bit,
                      static_cast<ElementBits>(count) & mask}];
      }
      EXPECT_TRUE(PairsOf(EnumeratedOf(op, type, true)) == expected)
          << op << " " << Name(type);
      // The boundary values are enumerated as well.
      EXPECT_FALSE(EnumeratedOf(op, type).empty()) << op;
    }
  }
  EXPECT_FALSE(EnumeratedOf("paddle.bitwise_left_shift", kI8, true).empty());
}

TEST(Enumerated, TheThirdOperandTakesEveryValueBesideTheFirst) {
  for (const ElementType type : {kI8, kF32}) {
    const std::vector<ElementBits>& special = BoundaryBits(type);
    const std::vector<EnumeratedCall> calls = EnumeratedOf("clamp", type);
    EXPECT_EQ(PairsOf(calls).size(), special.size() * special.size());
    std::set<ElementBits> third;
    for (const auto& [pair, count] : PairsOf(calls, 0, 2))
      third.insert(pair.second);
    EXPECT_EQ(third.size(), special.size());
  }
}

TEST(Enumerated, CallsArePartsOfTheirProducts) {
  std::set<std::string> ops;
  const EnumeratedCall* before = nullptr;
  for (const EnumeratedCall& call : AllEnumerated()) {
    ops.insert(call.entry->spec->id);
    EXPECT_TRUE(call.entry->spec->elementwise);
    EXPECT_FALSE(call.entry->IsPointwise());
    EXPECT_GT(call.end, call.begin);
    EXPECT_LE(call.end - call.begin, 4096);
    if (call.begin != 0) {
      EXPECT_EQ(before->end, call.begin);
      EXPECT_EQ(before->signature, call.signature);
    }
    before = &call;
  }
  for (const OpEntry& entry : Everything().ops()) {
    EXPECT_EQ(ops.contains(entry.spec->id),
              entry.spec->elementwise && !entry.IsPointwise())
        << entry.spec->id;
  }
}

TEST(Enumerated, AreEverySecondOfTheFirstCases) {
  const std::vector<EnumeratedCall>& calls = AllEnumerated();
  ASSERT_EQ(Everything().enumerated(), calls.size());
  for (size_t n = 0; n < calls.size(); n += 151) {
    const Case c = Everything().Draw(11, 2 * n).c;
    EXPECT_EQ(c.op, calls[n].entry->spec->id);
    ASSERT_EQ(c.inputs.size(), calls[n].signature->operands.size());
    for (size_t k = 0; k < c.inputs.size(); ++k) {
      const Tensor expected = EnumeratedOperand(calls[n], k);
      const Tensor values = c.inputs[k].data.Materialise();
      ASSERT_EQ(values.type(), expected.type());
      ASSERT_EQ(values.Bits(0), expected.Bits(0));
      ASSERT_EQ(values.Bits(values.size() - 1),
                expected.Bits(values.size() - 1));
    }
    EXPECT_THAT(ViolatedBy(c), testing::IsEmpty());
  }
  // The first case behind the enumerated ones is drawn.
  const uint64_t end = 2 * calls.size();
  EXPECT_NE(JsonTextOf(Everything().Draw(11, end).c),
            JsonTextOf(Everything().Draw(12, end).c));
  EXPECT_EQ(JsonTextOf(Everything().Draw(11, end - 2).c),
            JsonTextOf(Everything().Draw(12, end - 2).c));
}

}  // namespace
}  // namespace assay
