// The complex functions: within one rounding, of the larger part, of what GNU
// MPC says, on operands of all magnitudes, near the zeros and
// poles and on both sides of the cuts.
#include <gtest/gtest.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/calls/complex_reference_test_support.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/complex_test_support.h"
#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {
namespace {

using reference::ReferenceFunction;

// Numbers that functions have zeros, poles, cuts or limits at, and multiples of
// pi / 2; up to two steps beside them.
template <class T>
T NearLandmark(std::mt19937_64& random) {
  const double at[] = {0,  0.25, 0.5, 1,   1.5,   2,   3,   22,
                       45, 88.5, 104, 700, 709.7, 745, 1e5, 1e16};
  const double turns = floor(exp2(static_cast<double>(random() % 20)));
  T value = static_cast<T>(random() % 2 == 0 ? at[random() % std::size(at)]
                                             : turns * M_PI_2);
  for (uint64_t steps = random() % 3; steps > 0; --steps) {
    value = nextafter(value, random() % 2 == 0 ? T(0) : T(INFINITY));
  }
  return value;
}

// Draws exponents from -range to range, or those of all numbers of T if its
// range is smaller.
template <class T>
T Draw(std::mt19937_64& random, int range) {
  using Limits = std::numeric_limits<T>;
  const double fraction = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<uint64_t>(high - low));
  };
  T value = 0;
  switch (random() % 4) {
    case 0:
      value = NearLandmark<T>(random);
      break;
    case 1:
      value = static_cast<T>(ldexp(fraction, between(-6, 7)));
      break;
    case 2:
      value = static_cast<T>(1 + ldexp(fraction, -between(2, Limits::digits)));
      break;
    default: {
      const int least = Limits::min_exponent - Limits::digits;
      value = static_cast<T>(
          ldexp(fraction, between(std::max(-range, least),
                                  std::min(range, Limits::max_exponent))));
    }
  }
  return random() % 2 == 0 ? value : -value;
}

class ComplexFunctions : public testing::TestWithParam<ReferenceFunction> {
 protected:
  // The range is limited for atan2, which has cuts where y / x is beyond what
  // the reference can add to 1, and for power, which declines exponents that
  // are too large.
  static int Range(const ReferenceFunction& f, size_t operand) {
    if (strcmp(f.op, "atan2") == 0) return 300;
    return strcmp(f.op, "power") == 0 && operand == 1 ? 30 : 2000;
  }

  template <class T>
  static std::vector<Parts<T>> Operands(const ReferenceFunction& f, size_t n) {
    std::mt19937_64 random(n);
    std::vector<Parts<T>> operands(static_cast<size_t>(f.num_inputs));
    for (Parts<T>& parts : operands) {
      const int range = Range(f, static_cast<size_t>(&parts - operands.data()));
      for (size_t i = 0; i < n; ++i) {
        T re = Draw<T>(random, range);
        T im = Draw<T>(random, range);
        // This operand lies on the unit circle.
        if (random() % 8 == 0) {
          im = static_cast<T>(sin(static_cast<double>(re)));
          re = static_cast<T>(cos(static_cast<double>(re)));
        }
        parts.insert(parts.end(), {re, im});
      }
    }
    return operands;
  }

  template <class T>
  static void ExpectClose(const ReferenceFunction& f) {
    constexpr size_t kCount = 300;
    const std::vector<Parts<T>> operands = Operands<T>(f, kCount);
    size_t judged = 0;
    for (size_t i = 0; i < 2 * kCount; i += 2) {
      std::vector<Parts<T>> one;
      double numbers[2][2] = {};
      std::string text = f.op;
      for (const Parts<T>& parts : operands) {
        std::copy_n(&parts[i], 2, numbers[one.size()]);
        one.push_back({parts[i], parts[i + 1]});
        char of_parts[80];
        snprintf(of_parts, sizeof(of_parts), " (%a, %a)",
                 static_cast<double>(parts[i]),
                 static_cast<double>(parts[i + 1]));
        text += of_parts;
      }
      // With y = 0 the signs of zeros that its formula makes tell the sides.
      if (strcmp(f.op, "atan2") == 0 && numbers[0][0] == 0 &&
          numbers[0][1] == 0)
        continue;
      const Parts<T> result = Results<T>(f.op, one);
      const std::optional<double> error = UlpError(
          result[0], result[1],
          f(numbers[0][0], numbers[0][1], numbers[1][0], numbers[1][1]));
      if (!error) continue;
      ++judged;
      EXPECT_LE(*error, 0.51)
          << text << " gave " << result[0] << ", " << result[1];
    }
    EXPECT_GT(judged, kCount / 3);
  }
};

INSTANTIATE_TEST_SUITE_P(Ops, ComplexFunctions,
                         testing::ValuesIn(reference::kReferenceFunctions),
                         [](const auto& test) { return test.param.op; });

TEST_P(ComplexFunctions, AreRoundedOnce) {
  ExpectClose<float>(GetParam());
  ExpectClose<double>(GetParam());
}

// The results on tensors of any length and placement are those on their single
// elements.
TEST_P(ComplexFunctions, Tensors) {
  for (const size_t n : {1, 2, 3, 8, 100}) {
    std::vector<Parts<float>> operands = Operands<float>(GetParam(), n);
    Parts<float> wanted;
    for (size_t i = 0; i < 2 * n; i += 2) {
      std::vector<Parts<float>> one;
      for (const Parts<float>& parts : operands)
        one.push_back({parts[i], parts[i + 1]});
      const Parts<float> part = Results<float>(GetParam().op, one);
      wanted.insert(wanted.end(), part.begin(), part.end());
    }
    for (const Placement& placement :
         {Placement{false, 0}, Placement{false, 1}, Placement{true, 0}}) {
      const Parts<float> all =
          Results<float>(GetParam().op, operands, placement);
      EXPECT_EQ(memcmp(all.data(), wanted.data(), 2 * n * sizeof(float)), 0)
          << GetParam().op << " of " << n;
    }
  }
}

// The calls must end, whatever the results are.
TEST_P(ComplexFunctions, EndOnOperandsThatAreNotFinite) {
  const double kOdd[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0, 1.5, -1e308};
  Parts<double> a;
  Parts<double> b;
  for (const double w : kOdd) {
    for (const double x : kOdd) {
      for (const double y : {-HUGE_VAL, 2.0, 0.0}) {
        a.insert(a.end(), {w, x});
        b.insert(b.end(), {y, w});
      }
    }
  }
  std::vector<Parts<double>> operands = {a, b};
  operands.resize(static_cast<size_t>(GetParam().num_inputs));
  const size_t count = a.size() / 2;
  EXPECT_EQ(Results<double>(GetParam().op, operands).size(), 2 * count);
}

TEST_P(ComplexFunctions, DeclineWhatTheyHaveNot) {
  const FloatType& t = PartType<float>();
  const FloatInput pair = {t.type, {0}, false, true};
  const bool is_real = strcmp(GetParam().op, "abs") == 0;
  const FloatInput result = {t.type, {0}, false, !is_real};
  const auto status = [&](const FloatInput& in, const FloatInput& out) {
    const auto operand = MakeTensor(in, 4, {});
    const auto output = MakeTensor(out, 4, {});
    std::vector<AssayTensor> operands(
        static_cast<size_t>(GetParam().num_inputs), operand->assay());
    return RunOp({GetParam().op, "", ""}, operands, output->assay());
  };
  EXPECT_EQ(status(pair, result), ASSAY_OK);
  EXPECT_EQ(status(pair, {t.type, {0}, false, is_real}), ASSAY_UNSUPPORTED);
  EXPECT_EQ(status(pair, {kBool, {0}}), ASSAY_UNSUPPORTED);
}

}  // namespace
}  // namespace assay::simd_test
