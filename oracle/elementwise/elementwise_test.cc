// Tests arithmetic, logic and order of integers against a brute force that was
// written from the texts in __int128: exact mathematical results, put into
// range by division alone. It compares all pairs of the types up to 8 bits and
// all pairs of boundary values of the wider ones, under every policy, with
// marks and without.
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

Int Power2(int n) { return static_cast<Int>(1) << n; }
Int Floor(Int a, Int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
Int Modulo(Int a, Int b) { return a - Floor(a, b) * b; }

// A reference gets a Given, and answers nothing if the policy accepts any
// value.
struct Given {
  ElementType type;
  int n;
  bool is_signed;
  std::string overflow, by_zero, negative_power, power_overflow;

  Int least() const { return is_signed ? -Power2(n - 1) : 0; }
  Int greatest() const { return least() + Power2(n) - 1; }
  Int Unsigned(Int v) const { return Modulo(v, Power2(n)); }
  Int Signed(Int v) const {
    const Int u = Unsigned(v);
    return u >= Power2(n - 1) ? u - Power2(n) : u;
  }
  Int Wrap(Int v) const { return is_signed ? Signed(v) : Unsigned(v); }
};
using IntegerAnswer = std::optional<Int>;
using Reference = std::function<IntegerAnswer(const Given&, Int a, Int b)>;
using Logic = std::function<bool(bool, bool)>;

// Returns an exact result, or one by policy integer_overflow if it is out of
// range.
IntegerAnswer Fit(const Given& g, Int exact) {
  if (exact >= g.least() && exact <= g.greatest()) return exact;
  if (g.overflow == "any") return {};
  return g.Wrap(exact);
}

IntegerAnswer Product(const Given& g, Int a, Int b) {
  if (a < 0 || b < 0) return Fit(g, a * b);
  // ui64 * ui64 needs the unsigned type; its value modulo 2^n does not.
  const unsigned __int128 p =
      static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
  if (p <= static_cast<unsigned __int128>(g.greatest())) return Int(p);
  if (g.overflow == "any") return {};
  return g.Wrap(
      static_cast<Int>(p % static_cast<unsigned __int128>(Power2(g.n))));
}

IntegerAnswer Exponentiation(const Given& g, Int a, Int b) {
  if (b < 0) {
    if (g.negative_power == "any") return {};
    if (a == 0 && g.negative_power == "zero_unless_unit") return {};
    if (a == 1) return 1;
    if (a == -1) return Modulo(b, 2) == 0 ? 1 : -1;
    return g.negative_power == "any_unless_unit" ? IntegerAnswer()
                                                 : IntegerAnswer(0);
  }
  if (b == 0 || a == 1) return 1;
  if (a == 0) return 0;
  if (a == -1) return Modulo(b, 2) == 0 ? 1 : -1;
  Int exact = 1;  // grows at least twofold, so it leaves the range soon
  bool fits = true;
  for (Int k = 0; k < b && fits; ++k) {
    fits = a < 0 || exact <= g.greatest() / a;
    if (fits) exact *= a;
    fits = fits && exact >= g.least() && exact <= g.greatest();
  }
  if (fits) return exact;
  if (g.power_overflow == "any") return {};
  if (g.power_overflow == "wrap_below_64" && b >= 64) return {};
  unsigned __int128 wrapped = 1;  // modulo 2^n, from the top bit down
  const auto modulus = static_cast<unsigned __int128>(Power2(g.n));
  for (int bit = 63; bit >= 0; --bit) {
    wrapped = wrapped * wrapped % modulus;
    if (Modulo(Floor(b, Power2(bit)), 2) == 1) {
      wrapped =
          wrapped * static_cast<unsigned __int128>(g.Unsigned(a)) % modulus;
    }
  }
  return g.Wrap(static_cast<Int>(wrapped));
}

IntegerAnswer Bitwise(const Given& g, Int a, Int b, const Logic& f) {
  Int bits = 0;
  for (int i = 0; i < g.n; ++i) {
    const bool p = Modulo(Floor(a, Power2(i)), 2) == 1;
    const bool q = Modulo(Floor(b, Power2(i)), 2) == 1;
    if (f(p, q)) bits += Power2(i);
  }
  return g.Wrap(bits);
}

struct OpRow {
  const char* op;
  int operands;
  Reference integer;
  Logic boolean = nullptr;  // ops without it do not take i1
};

const Logic kOr = std::logical_or<>(), kAnd = std::logical_and<>(),
            kXor = std::not_equal_to<>();

const OpRow kOps[] = {
    {"abs", 1,
     [](const Given& g, Int a, Int) { return Fit(g, a < 0 ? -a : a); }},
    {"add", 2, [](const Given& g, Int a, Int b) { return Fit(g, a + b); }, kOr},
    {"and", 2,
     [](const Given& g, Int a, Int b) { return Bitwise(g, a, b, kAnd); }, kAnd},
    {"count_leading_zeros", 1,
     [](const Given& g, Int a, Int) {
       int count = 0;
       while (count < g.n && g.Unsigned(a) < Power2(g.n - 1 - count)) ++count;
       return Fit(g, count);
     }},
    {"divide", 2,
     [](const Given& g, Int a, Int b) -> IntegerAnswer {
       if (b != 0) return Fit(g, a / b);
       if (g.by_zero == "any") return {};
       return g.by_zero == "zero" ? Int{0} : g.Wrap(-1);
     }},
    {"maximum", 2, [](const Given&, Int a, Int b) { return a < b ? b : a; },
     kOr},
    {"minimum", 2, [](const Given&, Int a, Int b) { return b < a ? b : a; },
     kAnd},
    {"multiply", 2, Product, kAnd},
    {"negate", 1,
     [](const Given& g, Int a, Int) -> IntegerAnswer {
       if (g.is_signed) return Fit(g, -a);
       if (g.Signed(a) == -Power2(g.n - 1) && g.overflow == "any") return {};
       return g.Wrap(-g.Signed(a));
     }},
    {"not", 1,
     [](const Given& g, Int a, Int) -> IntegerAnswer {
       return g.is_signed ? -a - 1 : g.greatest() - a;
     },
     [](bool a, bool) { return !a; }},
    {"or", 2,
     [](const Given& g, Int a, Int b) { return Bitwise(g, a, b, kOr); }, kOr},
    {"popcnt", 1,
     [](const Given& g, Int a, Int) {
       int count = 0;
       for (Int rest = g.Unsigned(a); rest > 0; rest /= 2) count += rest % 2;
       return Fit(g, count);
     }},
    {"power", 2, Exponentiation},
    {"remainder", 2,
     [](const Given& g, Int a, Int b) -> IntegerAnswer {
       if (b != 0) return a % b;
       if (g.by_zero == "any") return {};
       return g.by_zero == "zero" ? Int{0} : a;
     }},
    {"sign", 1,
     [](const Given&, Int a, Int) -> IntegerAnswer {
       return (a > 0) - (a < 0);
     }},
    {"subtract", 2, [](const Given& g, Int a, Int b) { return Fit(g, a - b); }},
    {"xor", 2,
     [](const Given& g, Int a, Int b) { return Bitwise(g, a, b, kXor); }, kXor},
};

std::vector<Int> Values(const Given& g) {
  std::vector<Int> values;
  for (Int v = g.least(); g.n <= 8 && v <= g.greatest(); ++v) {
    values.push_back(v);
  }
  if (g.n <= 8) return values;
  for (Int center : {g.least(), Int{0}, Int{g.n}, Power2(g.n / 2),
                     g.greatest() / 2, g.greatest()}) {
    for (int d = -3; d <= 3; ++d) {
      const Int v = center + d;
      if (v >= g.least() && v <= g.greatest()) values.push_back(v);
    }
  }
  return values;
}

// Checks one result for each pair (of `values`, or of each value with 0).
void CheckType(const OpRow& row, const Given& g, const Policy& policy) {
  const std::vector<Int> values = Values(g);
  const std::vector<Int> seconds =
      row.operands == 2 ? values : std::vector<Int>{0};
  const TensorType type{{static_cast<int64_t>(values.size()),
                         static_cast<int64_t>(seconds.size())},
                        g.type};
  std::vector<Tensor> inputs(static_cast<size_t>(row.operands));
  for (Tensor& input : inputs) input = Tensor(type);
  for (int64_t i = 0; i < inputs[0].size(); ++i) {
    const size_t a = static_cast<size_t>(i) / seconds.size();
    const size_t b = static_cast<size_t>(i) % seconds.size();
    inputs[0].SetBits(i, BitsOf(g.type, values[a]));
    if (row.operands == 2) inputs[1].SetBits(i, BitsOf(g.type, seconds[b]));
  }
  Op op;
  op.op = row.op;
  const OpSpec& spec = *FindOp(row.op);
  for (size_t k = 0; k < inputs.size(); ++k) {
    op.inputs.push_back({spec.inputs[k].name, spec.inputs[k].name, type});
  }
  op.outputs.push_back({"result", "result", type});
  for (const ConstraintResult& result : CheckConstraints(spec, op)) {
    ASSERT_EQ(result.truth, Truth::kTrue) << result.constraint->label;
  }
  const Evaluation counted = Evaluate(op, inputs, policy, Marks::kCounted);
  const Evaluation silent = Evaluate(op, inputs, policy, Marks::kNone);
  EXPECT_NE(counted.marks, 0u);
  EXPECT_EQ(silent.marks, 0u);
  const Expectation& result = counted.outputs.at(0);
  for (int64_t i = 0; i < result.lo.size(); ++i) {
    const Int a = values[static_cast<size_t>(i) / seconds.size()];
    const Int b = seconds[static_cast<size_t>(i) % seconds.size()];
    const IntegerAnswer answer =
        g.n == 1 ? IntegerAnswer(row.boolean(a != 0, b != 0))
                 : row.integer(g, a, b);
    const ElementBits bits = result.lo.Bits(i);
    ASSERT_EQ(result.IsOpen(i), !answer)
        << FormatInteger(a) << ", " << FormatInteger(b);
    ASSERT_TRUE(!answer || bits == BitsOf(g.type, *answer))
        << FormatInteger(a) << ", " << FormatInteger(b) << ": expected "
        << FormatInteger(*answer) << ", not " << FormatValue(g.type, bits);
    ASSERT_EQ(result.hi.Bits(i), bits);
    ASSERT_EQ(silent.outputs.at(0).lo.Bits(i), bits);
    ASSERT_EQ(silent.outputs[0].IsOpen(i), result.IsOpen(i));
  }
}

void PrintTo(const OpRow& row, std::ostream* out) { *out << row.op; }

class ElementwiseTest : public ::testing::TestWithParam<OpRow> {};

TEST_P(ElementwiseTest, IsTheBruteForceOnEveryTypeUnderEveryPolicy) {
  const OpRow& row = GetParam();
  const std::string_view op = row.op;
  const bool signed_only = op == "abs" || op == "sign";
  std::set<std::string> seen;  // what the policies say of the op's clauses
  for (const std::string& name : Policy::Names()) {
    const Policy& policy = Policy::Find(name);
    std::string decisions;
    for (const ClauseSpec& clause : FindOp(op)->semantics) {
      if (!clause.policy.empty()) decisions += policy.Get(clause.policy) + ' ';
    }
    if (!seen.insert(decisions).second) continue;
    for (const ElementTypeInfo& info : ElementTypes()) {
      if (!IsBoolean(info.type) && !IsInteger(info.type)) continue;
      if (IsBoolean(info.type) && !row.boolean) continue;
      if (IsUnsignedInteger(info.type) && signed_only) continue;
      const Given given{info.type,
                        info.bits,
                        IsSignedInteger(info.type),
                        policy.Get("integer_overflow"),
                        policy.Get("integer_divide_by_zero"),
                        policy.Get("integer_power_negative_exponent"),
                        policy.Get("integer_power_overflow")};
      SCOPED_TRACE(name + " " + info.name);
      CheckType(row, given, policy);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, ElementwiseTest, ::testing::ValuesIn(kOps),
                         [](const auto& info) { return info.param.op; });

}  // namespace
}  // namespace assay
