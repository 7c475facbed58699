// Tests every op on every float type and instruction set against the same op
// computed with 113 bits and rounded once: all pairs of the formats of up to 8
// bits, a grid of boundaries of the others.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/float_ops_test_support.h"
#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {
namespace {

enum class Order { kLess, kEqual, kGreater, kNone };

template <class T>
Order OrderOf(T a, T b) {
  if (a < b) return Order::kLess;
  if (a > b) return Order::kGreater;
  return a == b ? Order::kEqual : Order::kNone;
}

struct Direction {
  const char* name;
  bool (*holds)(Order);
};

const Direction kDirections[] = {
    {"EQ", [](Order o) { return o == Order::kEqual; }},
    {"GE", [](Order o) { return o == Order::kEqual || o == Order::kGreater; }},
    {"GT", [](Order o) { return o == Order::kGreater; }},
    {"LE", [](Order o) { return o == Order::kEqual || o == Order::kLess; }},
    {"LT", [](Order o) { return o == Order::kLess; }},
    {"NE", [](Order o) { return o != Order::kEqual; }},
};

// Returns the place of a code in the total order.
int64_t Place(const FloatType& t, uint64_t raw) {
  if (t.nan == Nan::kMinusZero && raw == t.sign()) return INT64_MAX;
  const auto magnitude = static_cast<int64_t>(raw & ~t.sign());
  return (raw & t.sign()) != 0 ? -1 - magnitude : magnitude;
}

// ----------------------------------------------------------------------- Tests

struct Pairs {
  Raw a;
  Raw b;
};

Pairs PairsOf(const FloatType& t) {
  Pairs pairs;
  const Raw values = FloatGrid(t);
  for (const uint64_t x : values) {
    pairs.a.insert(pairs.a.end(), values.size(), x);
    pairs.b.insert(pairs.b.end(), values.begin(), values.end());
  }
  return pairs;
}

std::string Name(const Op& op, const FloatType& t, const std::string& target) {
  return op.Text() + " of " + t.name + " on " + target;
}

void CheckUnary(const FloatUnary& unary, const FloatType& t, const Raw& a) {
  const Op op = {unary.op, "", ""};
  Raw wanted;
  for (const uint64_t x : a) {
    wanted.push_back(Encode(t, unary.f(Decode(t, x))));
  }
  const std::vector<FloatInput> inputs = {{t.type, a}};
  ForEachTarget([&](const std::string& target) {
    ExpectRaw(Name(op, t, target), &t,
              RunFloats(op, inputs, {t.type, {}}, a.size()), wanted, false,
              inputs);
  });
}

void CheckBinary(const FloatBinary& binary, const FloatType& t,
                 const Pairs& pairs) {
  const Op op = {binary.op, "", ""};
  Raw wanted;
  for (size_t i = 0; i < pairs.a.size(); ++i) {
    wanted.push_back(
        Encode(t, binary.f(Decode(t, pairs.a[i]), Decode(t, pairs.b[i]))));
  }
  const std::vector<FloatInput> inputs = {{t.type, pairs.a}, {t.type, pairs.b}};
  ForEachTarget([&](const std::string& target) {
    ExpectRaw(Name(op, t, target), &t,
              RunFloats(op, inputs, {t.type, {}}, wanted.size()), wanted, false,
              inputs);
  });
}

class FloatOfType : public testing::TestWithParam<FloatType> {};

INSTANTIATE_TEST_SUITE_P(Types, FloatOfType, testing::ValuesIn(kFloats),
                         [](const auto& test) { return test.param.name; });

TEST_P(FloatOfType, UnaryValues) {
  const FloatType& t = GetParam();
  Raw a = FloatGrid(t);
  for (const double x : {0.49999997, 0.49999999999999994, 0.5, 1.5, 2.5, 15.5,
                         8388607.5, 4503599627370495.5}) {
    a.push_back(Encode(t, static_cast<Quad>(x)));
    a.push_back(Encode(t, static_cast<Quad>(-x)));
  }
  for (const FloatUnary& unary : kFloatUnary) CheckUnary(unary, t, a);
}

TEST_P(FloatOfType, BinaryPairs) {
  const Pairs pairs = PairsOf(GetParam());
  for (const FloatBinary& binary : kFloatBinary)
    CheckBinary(binary, GetParam(), pairs);
}

TEST_P(FloatOfType, BinaryRandom) {
  const FloatType& t = GetParam();
  std::mt19937_64 random(5);
  Pairs pairs;
  for (int i = 0; i < 2000; ++i) {
    pairs.a.push_back(random() & t.type.mask());
    pairs.b.push_back(random() & t.type.mask());
  }
  for (const FloatBinary& binary : kFloatBinary) CheckBinary(binary, t, pairs);
}

TEST_P(FloatOfType, Compare) {
  const FloatType& t = GetParam();
  const Pairs pairs = PairsOf(t);
  const std::vector<FloatInput> inputs = {{t.type, pairs.a}, {t.type, pairs.b}};
  std::vector<Order> of_values;
  std::vector<Order> of_places;
  for (size_t i = 0; i < pairs.a.size(); ++i) {
    const uint64_t a = pairs.a[i];
    const uint64_t b = pairs.b[i];
    of_values.push_back(OrderOf(Decode(t, a), Decode(t, b)));
    of_places.push_back(OrderOf(Place(t, a), Place(t, b)));
  }
  for (const Direction& direction : kDirections) {
    for (const std::string type : {"", "FLOAT", "TOTALORDER"}) {
      Op op = {"compare", "comparison_direction", direction.name};
      if (!type.empty()) op.more = {{"compare_type", type}};
      Raw wanted;
      for (const Order order : type == "TOTALORDER" ? of_places : of_values) {
        wanted.push_back(direction.holds(order));
      }
      ForEachTarget([&](const std::string& target) {
        ExpectRaw(Name(op, t, target) + " " + type, nullptr,
                  RunFloats(op, inputs, {kBool, {}}, wanted.size()), wanted,
                  true, inputs);
      });
    }
  }
}

TEST_P(FloatOfType, Clamp) {
  const FloatType& t = GetParam();
  std::mt19937_64 random(6);
  const Raw values = FloatGrid(t);
  Raw a[3];
  for (int i = 0; i < 1000; ++i) {
    for (Raw& raw : a) raw.push_back(values[random() % values.size()]);
  }
  a[0][0] = Encode(t, -2);
  a[2][0] = Encode(t, 3);
  for (const bool low : {false, true}) {
    for (const bool high : {false, true}) {
      Raw wanted;
      for (size_t i = 0; i < 1000; ++i) {
        const Quad min = Decode(t, a[0][low ? 0 : i]);
        const Quad max = Decode(t, a[2][high ? 0 : i]);
        wanted.push_back(
            Encode(t, Smaller(Larger(Decode(t, a[1][i]), min), max)));
      }
      const std::vector<FloatInput> inputs = {
          {t.type, a[0], low}, {t.type, a[1]}, {t.type, a[2], high}};
      ForEachTarget([&](const std::string& target) {
        ExpectRaw(Name({"clamp", "", ""}, t, target), &t,
                  RunFloats({"clamp", "", ""}, inputs, {t.type, {}}, 1000),
                  wanted, false, inputs);
      });
    }
  }
}

// These ops only move or look at bits; signaling NaNs are among the operands.
TEST_P(FloatOfType, Movement) {
  const FloatType& t = GetParam();
  const Raw a = FloatGrid(t);
  Raw b(a.rbegin(), a.rend());
  Raw pred;
  Raw selected;
  Raw finite;
  for (size_t i = 0; i < a.size(); ++i) {
    pred.push_back(i % 3 == 0);
    selected.push_back(i % 3 == 0 ? a[i] : b[i]);
    finite.push_back(!t.IsNan(a[i]) && !t.IsInf(a[i]));
  }
  const std::vector<FloatInput> unary = {{t.type, a}};
  const std::vector<FloatInput> select = {
      {kBool, pred}, {t.type, a}, {t.type, b}};
  const std::vector<FloatInput> scalar = {
      {kBool, {1}, true}, {t.type, a}, {t.type, b}};
  const size_t n = a.size();
  ForEachTarget([&](const std::string& target) {
    const auto check = [&](const char* name,
                           const std::vector<FloatInput>& inputs,
                           const FloatType* result, const Raw& wanted) {
      const Op op = {name, "", ""};
      const Type type = result == nullptr ? kBool : result->type;
      ExpectRaw(Name(op, t, target), result,
                RunFloats(op, inputs, {type, {}}, n), wanted, true, inputs);
    };
    check("select", select, &t, selected);
    check("select", scalar, &t, a);
    check("real", unary, &t, a);
    check("imag", unary, &t, Raw(n, 0));
    check("is_finite", unary, nullptr, finite);
  });
}

// The lengths are around every vector length, at both ends of the accessible
// memory.
TEST_P(FloatOfType, LengthsAndPlacements) {
  const FloatType& t = GetParam();
  const Raw a = FloatGrid(t);
  Raw b = a;
  std::shuffle(b.begin(), b.end(), std::mt19937_64(7));
  std::vector<size_t> lengths = {0, 511, 512, 513, 1100};
  for (size_t n = 1; n <= 130; n += n < 36 ? 1 : 7) lengths.push_back(n);
  for (const char* name : {"add", "multiply", "compare", "clamp", "sqrt"}) {
    Op op = {name, "", ""};
    const bool compares = op.name == "compare";
    if (compares) op = {name, "comparison_direction", "LT"};
    std::vector<FloatInput> inputs = {{t.type, a}};
    if (op.name != "sqrt") inputs.push_back({t.type, b});
    if (op.name == "clamp") inputs.push_back({t.type, {Encode(t, 2)}, true});
    const FloatInput result = {compares ? kBool : t.type, {}};
    ForEachTarget([&](const std::string& target) {
      const Raw whole = RunFloats(op, inputs, result, 2048);
      for (const size_t n : lengths) {
        for (const Placement& placement :
             {Placement{false, 0}, Placement{false, 1}, Placement{true, 0}}) {
          ExpectRaw(
              Name(op, t, target) + " of " + std::to_string(n),
              compares ? nullptr : &t,
              RunFloats(op, inputs, result, n, placement),
              Raw(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(n)),
              false, inputs);
        }
      }
    });
  }
}

}  // namespace
}  // namespace assay::simd_test
