// Tests shifts of StableHLO and Paddle against a brute force that multiplies
// and divides by powers of two in __int128: all pairs of the types up to 8
// bits, all pairs of boundary values and counts around the width for the wider
// ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace assay {
namespace {

using Int = __int128;
using Answer = std::optional<Int>;  // nothing: the policy accepts any value

Int Power2(Int n) { return static_cast<Int>(1) << static_cast<int>(n); }
Int Floor(Int a, Int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
Int Modulo(Int a, Int b) { return a - Floor(a, b) * b; }

struct Given {
  int n;
  bool is_signed;
  std::string overflow, unsigned_fill;  // the policy's values

  Int Unsigned(Int v) const { return Modulo(v, Power2(n)); }
  Int Signed(Int v) const {
    const Int u = Unsigned(v);
    return u >= Power2(n - 1) ? u - Power2(n) : u;
  }
  Int Wrap(Int v) const { return is_signed ? Signed(v) : Unsigned(v); }
};

Int Left(const Given& g, Int x, Int count) {
  return g.Wrap(g.Unsigned(x) * Power2(count));
}
Int ZeroFill(const Given& g, Int x, Int count) {
  return g.Wrap(Floor(g.Unsigned(x), Power2(count)));
}
Int TopBitFill(const Given& g, Int x, Int count) {
  return g.Wrap(Floor(g.Signed(x), Power2(count)));
}

// Returns the result by policy shift_overflow. `out` is the result of shifting
// every bit out.
using Shift = std::function<Int(const Given&, Int, Int)>;
Answer Stablehlo(const Given& g, Int x, Int count, Int out, const Shift& f) {
  if (count >= 0 && count < g.n) return f(g, x, count);
  if (g.overflow == "saturate") return out;
  if (g.overflow == "clamp") return f(g, x, count < 0 ? 0 : g.n - 1);
  if (g.overflow == "mask") return f(g, x, Modulo(count, g.n));
  return {};
}

Answer ShiftLeft(const Given& g, Int x, Int y) {
  return Stablehlo(g, x, y, 0, Left);
}
Answer ShiftRightLogical(const Given& g, Int x, Int y) {
  return Stablehlo(g, x, y, 0, ZeroFill);
}
Answer ShiftRightArithmetic(const Given& g, Int x, Int y) {
  const Int fill = g.Wrap(g.Signed(x) < 0 ? -1 : 0);
  const Answer with_top_bit = Stablehlo(g, x, y, fill, TopBitFill);
  const Answer with_zeros = Stablehlo(g, x, y, 0, ZeroFill);
  if (g.is_signed || g.unsigned_fill == "top_bit") return with_top_bit;
  if (g.unsigned_fill == "zero") return with_zeros;
  // Only the fill is open, so nothing is open if both readings agree.
  return with_top_bit == with_zeros ? with_top_bit : Answer();
}

// Paddle's document leaves nothing to a policy.
Answer PaddleLeft(const Given& g, Int x, Int y) {
  return y < 0 || y >= g.n ? 0 : Left(g, x, y);
}
Answer PaddleRightArithmetic(const Given& g, Int x, Int y) {
  const Int fill = x < 0 ? -1 : 0;
  return y < 0 || y >= g.n ? fill : Floor(x, Power2(y));
}
Answer PaddleRightLogical(const Given& g, Int x, Int y) {
  return y < 0 || y >= g.n ? 0 : ZeroFill(g, x, y);
}

struct ShiftRow {
  const char* name;
  const char* op;
  Answer (*reference)(const Given&, Int, Int);
  const char* is_arithmetic = nullptr;
};

constexpr ShiftRow kShiftRows[] = {
    {"Left", "shift_left", ShiftLeft},
    {"RightLogical", "shift_right_logical", ShiftRightLogical},
    {"RightArithmetic", "shift_right_arithmetic", ShiftRightArithmetic},
    {"PaddleLeft", "paddle.bitwise_left_shift", PaddleLeft},
    {"PaddleLeftTrue", "paddle.bitwise_left_shift", PaddleLeft, "true"},
    {"PaddleLeftFalse", "paddle.bitwise_left_shift", PaddleLeft, "false"},
    {"PaddleRight", "paddle.bitwise_right_shift", PaddleRightArithmetic},
    {"PaddleRightTrue", "paddle.bitwise_right_shift", PaddleRightArithmetic,
     "true"},
    {"PaddleRightFalse", "paddle.bitwise_right_shift", PaddleRightLogical,
     "false"},
};

std::vector<Int> ShiftOperands(ElementType type) {
  const Int min = MinValue(type), max = MaxValue(type), n = Info(type).bits;
  std::vector<Int> values;
  for (Int v = min; n <= 8 && v <= max; ++v) values.push_back(v);
  if (n <= 8) return values;
  for (const Int center : {min, -n, Int{0}, n, 2 * n, Int{256}, max / 2, max}) {
    for (Int v = center - 2; v <= center + 2; ++v) {
      if (min <= v && v <= max) values.push_back(v);
    }
  }
  return values;
}

void CheckShift(const ShiftRow& row, ElementType type, const Policy& policy) {
  const std::vector<Int> values = ShiftOperands(type);
  const int64_t size = static_cast<int64_t>(values.size());
  const TensorType tensor_type{{size, size}, type};
  const std::vector<Tensor> inputs = {Tensor(tensor_type), Tensor(tensor_type)};
  Tensor x = inputs[0], y = inputs[1];  // the same buffers
  for (int64_t i = 0; i < x.size(); ++i) {
    x.SetBits(i, BitsOf(type, values[static_cast<size_t>(i / size)]));
    y.SetBits(i, BitsOf(type, values[static_cast<size_t>(i % size)]));
  }
  const OpSpec& spec = *FindOp(row.op);
  Op op;
  op.op = row.op;
  op.inputs = {{spec.inputs[0].name, "x", tensor_type},
               {spec.inputs[1].name, "y", tensor_type}};
  op.outputs = {{"result", "result", tensor_type}};
  if (row.is_arithmetic != nullptr) {
    Tensor value(TensorType{{}, ElementType::kI1});
    value.SetBits(0, std::string_view(row.is_arithmetic) == "true");
    op.attributes.push_back({"is_arithmetic", value});
  }
  for (const ConstraintResult& result : CheckConstraints(spec, op)) {
    ASSERT_EQ(result.truth, Truth::kTrue) << result.constraint->label;
  }
  const Given given{Info(type).bits, IsSignedInteger(type),
                    policy.Get("shift_overflow"),
                    policy.Get("unsigned_arithmetic_shift")};
  const Evaluation counted = Evaluate(op, inputs, policy, Marks::kCounted);
  const Evaluation silent = Evaluate(op, inputs, policy, Marks::kNone);
  EXPECT_NE(counted.marks, 0u);
  EXPECT_EQ(silent.marks, 0u);
  const Expectation& result = counted.outputs.at(0);
  for (int64_t i = 0; i < x.size(); ++i) {
    const Int a = values[static_cast<size_t>(i / size)];
    const Int b = values[static_cast<size_t>(i % size)];
    const Answer answer = row.reference(given, a, b);
    const ElementBits bits = result.lo.Bits(i);
    Given top_bit = given, zero = given;
    top_bit.unsigned_fill = "top_bit";
    zero.unsigned_fill = "zero";
    const Answer with_top_bit = row.reference(top_bit, a, b);
    const Answer with_zeros = row.reference(zero, a, b);
    if (!answer && with_top_bit && with_zeros &&
        given.unsigned_fill == "top_bit_or_zero") {
      ASSERT_TRUE(result.Has(Expectation::kEither, i));
      ASSERT_EQ(bits, BitsOf(type, *with_top_bit));
      ASSERT_EQ(result.hi.Bits(i), BitsOf(type, *with_zeros));
      continue;
    }
    ASSERT_EQ(result.IsOpen(i), !answer)
        << FormatInteger(a) << " clause " << FormatInteger(b);
    ASSERT_TRUE(!answer || bits == BitsOf(type, *answer))
        << FormatInteger(a) << " clause " << FormatInteger(b) << ": expected "
        << FormatInteger(*answer) << ", not " << FormatValue(type, bits);
    ASSERT_EQ(silent.outputs.at(0).lo.Bits(i), bits);
    ASSERT_EQ(silent.outputs.at(0).IsOpen(i), result.IsOpen(i));
  }
}

void PrintTo(const ShiftRow& row, std::ostream* out) { *out << row.name; }

class ShiftTest : public ::testing::TestWithParam<ShiftRow> {};

TEST_P(ShiftTest, IsTheBruteForceOnEveryTypeUnderEveryPolicy) {
  const OpSpec& spec = *FindOp(GetParam().op);
  std::set<std::string> seen;  // what the policies say of the op's clauses
  for (const std::string& name : Policy::Names()) {
    const Policy& policy = Policy::Find(name);
    std::string decisions;
    for (const ClauseSpec& clause : spec.semantics) {
      if (!clause.policy.empty()) decisions += policy.Get(clause.policy) + ' ';
    }
    if (!seen.insert(decisions).second) continue;
    for (const ElementTypeInfo& info : ElementTypes()) {
      if (!IsInteger(info.type)) continue;
      SCOPED_TRACE(name + " " + info.name);
      CheckShift(GetParam(), info.type, policy);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shifts, ShiftTest, ::testing::ValuesIn(kShiftRows),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay
