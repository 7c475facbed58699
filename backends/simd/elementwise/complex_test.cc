// Tests the ops on complex numbers, whose operands are pairs of parts.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {
namespace {

struct Complex {
  double real;
  double imaginary;
};

// Real parts decide unless they are equal.
template <class F>
bool Compare(const Complex& a, const Complex& b, const F& f) {
  return a.real != b.real ? f(a.real, b.real) : f(a.imaginary, b.imaginary);
}

bool IsGreater(const Complex& a, const Complex& b) {
  return Compare(a, b, [](double x, double y) { return x > y; });
}

class ComplexOf : public testing::TestWithParam<const char*> {
 protected:
  ComplexOf() : t(FloatNamed(GetParam())) {}

  Complex At(const Raw& raw, size_t i) const {
    return {static_cast<double>(Decode(t, raw[2 * i])),
            static_cast<double>(Decode(t, raw[2 * i + 1]))};
  }

  // Parts are often equal to one another.
  Raw Draw(size_t count, uint64_t seed, bool with_nan) const {
    std::mt19937_64 random(seed);
    const Raw grid = FloatGrid(t);
    Raw few;
    for (const uint64_t raw : grid) {
      if (with_nan || (!t.IsNan(raw) && (raw & ~t.sign()) != 0)) {
        few.push_back(raw);
      }
    }
    Raw raw;
    for (size_t i = 0; i < 2 * count; ++i) {
      raw.push_back(few[random() % (i % 3 == 0 ? 5 : few.size())]);
    }
    return raw;
  }

  FloatInput Pair(const Raw& raw, bool is_scalar = false) const {
    return {t.type, raw, is_scalar, true};
  }

  void Expect(const Op& op, const std::vector<FloatInput>& inputs,
              const FloatInput& result, const Raw& wanted, bool exact) const {
    const size_t count = wanted.size() / (result.is_complex ? 2 : 1);
    const FloatType* type = result.type.is_bool() ? nullptr : &t;
    ForEachTarget([&](const std::string& target) {
      for (const Placement& placement :
           {Placement{false, 0}, Placement{false, 1}, Placement{true, 0}}) {
        ExpectRaw(op.Text() + " on " + target, type,
                  RunFloats(op, inputs, result, count, placement), wanted,
                  exact, inputs);
      }
    });
  }

  const FloatType& t;
};

INSTANTIATE_TEST_SUITE_P(Types, ComplexOf, testing::Values("f32", "f64"),
                         [](const auto& test) { return test.param; });

constexpr size_t kLengths[] = {1,  2,  3,  4,  5,  7,  8,   9,   15,
                               16, 17, 31, 33, 63, 65, 511, 513, 1200};

TEST_P(ComplexOf, Parts) {
  for (const size_t n : kLengths) {
    const Raw a = Draw(n, n, true);
    Raw real;
    Raw imaginary;
    Raw negated;
    for (size_t i = 0; i < n; ++i) {
      real.push_back(a[2 * i]);
      imaginary.push_back(a[2 * i + 1]);
    }
    for (const uint64_t raw : a) negated.push_back(raw ^ t.sign());
    Expect({"real", "", ""}, {Pair(a)}, {t.type, {}}, real, true);
    Expect({"imag", "", ""}, {Pair(a)}, {t.type, {}}, imaginary, true);
    Expect({"complex", "", ""}, {{t.type, real}, {t.type, imaginary}}, Pair({}),
           a, true);
    Expect({"negate", "", ""}, {Pair(a)}, Pair({}), negated, false);
  }
}

TEST_P(ComplexOf, Sums) {
  for (const size_t n : kLengths) {
    const Raw a = Draw(n, n, true);
    const Raw b = Draw(n, n + 1, true);
    Raw sum;
    Raw difference;
    for (size_t i = 0; i < a.size(); ++i) {
      const Quad x = Decode(t, a[i]);
      const Quad y = Decode(t, b[i]);
      sum.push_back(Encode(t, x + y));
      difference.push_back(Encode(t, x - y));
    }
    Expect({"add", "", ""}, {Pair(a), Pair(b)}, Pair({}), sum, false);
    Expect({"subtract", "", ""}, {Pair(a), Pair(b)}, Pair({}), difference,
           false);
  }
}

TEST_P(ComplexOf, Compare) {
  struct {
    const char* name;
    bool (*f)(double, double);
  } const directions[] = {
      {"EQ", [](double x, double y) { return x == y; }},
      {"GE", [](double x, double y) { return x >= y; }},
      {"GT", [](double x, double y) { return x > y; }},
      {"LE", [](double x, double y) { return x <= y; }},
      {"LT", [](double x, double y) { return x < y; }},
      {"NE", [](double x, double y) { return x != y; }},
  };
  for (const size_t n : kLengths) {
    const Raw a = Draw(n, n, true);
    Raw b = Draw(n, n + 1, true);
    for (size_t i = 0; i < n; i += 4) b[i] = a[i];
    for (const auto& [name, f] : directions) {
      Raw wanted;
      for (size_t i = 0; i < n; ++i) {
        wanted.push_back(Compare(At(a, i), At(b, i), f));
      }
      Op op = {"compare", "comparison_direction", name};
      Expect(op, {Pair(a), Pair(b)}, {kBool, {}}, wanted, true);
      op.more = {{"compare_type", "FLOAT"}};
      Expect(op, {Pair(a), Pair(b)}, {kBool, {}}, wanted, true);
    }
  }
}

TEST_P(ComplexOf, ExtremaAndClamp) {
  for (const size_t n : kLengths) {
    const Raw a = Draw(n, n, false);
    Raw b = Draw(n, n + 1, false);
    const Raw c = Draw(n, n + 2, false);
    for (size_t i = 0; i < n; i += 4) b[i] = a[i];
    const auto pick = [&](bool first, const Raw& x, const Raw& y, size_t i,
                          size_t j) {
      return first ? Raw{x[2 * i], x[2 * i + 1]} : Raw{y[2 * j], y[2 * j + 1]};
    };
    Raw larger;
    Raw smaller;
    for (size_t i = 0; i < n; ++i) {
      const bool greater = IsGreater(At(a, i), At(b, i));
      const Raw max = pick(greater, a, b, i, i);
      const Raw min = pick(greater, b, a, i, i);
      larger.insert(larger.end(), max.begin(), max.end());
      smaller.insert(smaller.end(), min.begin(), min.end());
    }
    Expect({"maximum", "", ""}, {Pair(a), Pair(b)}, Pair({}), larger, true);
    Expect({"minimum", "", ""}, {Pair(a), Pair(b)}, Pair({}), smaller, true);
    for (const bool low : {false, true}) {
      for (const bool high : {false, true}) {
        Raw wanted;
        for (size_t i = 0; i < n; ++i) {
          const size_t of_min = low ? 0 : i;
          const size_t of_max = high ? 0 : i;
          const Raw raised =
              pick(IsGreater(At(a, i), At(b, of_min)), a, b, i, of_min);
          const Raw clamped = pick(IsGreater(At(c, of_max), At(raised, 0)),
                                   raised, c, 0, of_max);
          wanted.insert(wanted.end(), clamped.begin(), clamped.end());
        }
        Expect({"clamp", "", ""}, {Pair(b, low), Pair(a), Pair(c, high)},
               Pair({}), wanted, true);
      }
    }
  }
}

TEST_P(ComplexOf, Select) {
  for (const size_t n : kLengths) {
    const Raw a = Draw(n, n, true);
    const Raw b = Draw(n, n + 1, true);
    Raw pred;
    Raw wanted;
    for (size_t i = 0; i < n; ++i) {
      pred.push_back(i % 3 != 1);
      const Raw& from = pred[i] != 0 ? a : b;
      wanted.insert(wanted.end(), {from[2 * i], from[2 * i + 1]});
    }
    const Op op = {"select", "", ""};
    Expect(op, {{kBool, pred}, Pair(a), Pair(b)}, Pair({}), wanted, true);
    Expect(op, {{kBool, {0}, true}, Pair(a), Pair(b)}, Pair({}), b, true);
  }
}

// The tensors are large enough for non-temporal stores, and begin at an address
// that no vector and, with an odd number of parts before it, no element is
// aligned to.
TEST_P(ComplexOf, LargeResults) {
  const size_t n = (size_t{9} << 20) / (2 * t.type.bytes());
  const Raw a = {Encode(t, 1), Encode(t, 2), Encode(t, 3), Encode(t, 4)};
  const Raw b = {Encode(t, 5), Encode(t, 6)};
  const Raw sum = {Encode(t, 6), Encode(t, 8), Encode(t, 8), Encode(t, 10)};
  const auto repeats = [](const Raw& raw, const Raw& period) {
    const auto n = static_cast<ptrdiff_t>(period.size());
    return std::equal(period.begin(), period.end(), raw.begin()) &&
           std::equal(raw.begin() + n, raw.end(), raw.begin());
  };
  const std::vector<FloatInput> operands = {Pair(a), Pair(b)};
  ForEachTarget([&](const std::string& target) {
    for (const size_t skip : {1, 2}) {
      EXPECT_TRUE(repeats(
          RunFloats({"add", "", ""}, operands, Pair({}), n, {false, skip}),
          sum))
          << target;
    }
    EXPECT_TRUE(
        repeats(RunFloats({"real", "", ""}, {Pair(a)}, {t.type, {}}, 2 * n + 1),
                {a[0], a[2]}))
        << target;
  });
}

}  // namespace
}  // namespace assay::simd_test
