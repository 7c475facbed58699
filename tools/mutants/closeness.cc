#include "tools/mutants/closeness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "oracle/judge.h"
#include "spec/error.h"

namespace assay {
namespace {

struct Pair {
  double actual, expected;
};

// Returns a component of an element as a test compares it.
double RealOf(const Tensor& tensor, int64_t i, int part) {
  const ElementType type = tensor.element_type();
  // A byte of i1 is compared as it is: not true is not 254.
  if (IsBoolean(type))
    return static_cast<double>(std::to_integer<int>(tensor.data()[i]));
  if (IsInteger(type))
    return static_cast<double>(ValueOf(type, tensor.Bits(i)));
  const ElementBits bits = PartOf(type, tensor.Bits(i), part);
  return VisitKinds<kFloats>(PartType(type), [&]<class T>() {
    return T::FromBits(static_cast<typename T::Bits>(bits)).ToDouble();
  });
}

// Returns the components that are compared. Where the oracle accepts one of
// several values, what is there is what is expected.
std::vector<Pair> PairsOf(const Tensor& actual, const Expectation& expected) {
  const Tensor& reference = expected.reals ? expected.reals->near : expected.lo;
  std::vector<Pair> pairs;
  for (int64_t i = 0; i < actual.size(); ++i) {
    const bool is_right = (expected.reals || !expected.IsExact(i)) &&
                          Accepts(expected, actual, i);
    for (int part = 0; part < PartCount(actual.element_type()); ++part) {
      if (expected.Has(
              part == 0 ? Expectation::kRealOpen : Expectation::kImagOpen, i))
        continue;
      const double result = RealOf(actual, i, part);
      pairs.push_back({result, is_right ? result : RealOf(reference, i, part)});
    }
  }
  return pairs;
}

bool AreClose(const Pair& pair, double tolerance) {
  if (std::isnan(pair.expected)) return std::isnan(pair.actual);
  if (std::isinf(pair.expected)) return pair.actual == pair.expected;
  return std::abs(pair.actual - pair.expected) <=
         tolerance + tolerance * std::abs(pair.expected);
}

// Returns whether values that are not finite stand in the same places, and the
// others correlate. Without variance there is no correlation, and the values
// have to be close.
bool Correlate(const std::vector<Pair>& pairs, double least) {
  std::vector<Pair> finite;
  for (const Pair& pair : pairs) {
    if (std::isfinite(pair.expected) && std::isfinite(pair.actual)) {
      finite.push_back(pair);
    } else if (!AreClose(pair, 0)) {
      return false;
    }
  }
  const auto n = static_cast<double>(finite.size());
  Pair mean = {0, 0};
  for (const Pair& pair : finite) {
    mean.actual += pair.actual / n;
    mean.expected += pair.expected / n;
  }
  double both = 0, of_actual = 0, of_expected = 0;
  for (const Pair& pair : finite) {
    const double a = pair.actual - mean.actual;
    const double e = pair.expected - mean.expected;
    both += a * e;
    of_actual += a * a;
    of_expected += e * e;
  }
  if (of_actual == 0 || of_expected == 0)
    return std::ranges::all_of(
        finite, [](const Pair& pair) { return AreClose(pair, 1e-2); });
  return both / std::sqrt(of_actual) / std::sqrt(of_expected) > least;
}

}  // namespace

std::vector<std::string> ClosenessNames() {
  return {"allclose(1e-3)", "allclose(1e-2)", "pcc(0.99)"};
}

bool IsClose(const std::string& closeness, const Tensor& actual,
             const Expectation& expected) {
  const std::vector<Pair> pairs = PairsOf(actual, expected);
  if (closeness == "pcc(0.99)") return Correlate(pairs, 0.99);
  const double tolerance = closeness == "allclose(1e-2)" ? 1e-2 : 1e-3;
  return std::ranges::all_of(
      pairs, [&](const Pair& pair) { return AreClose(pair, tolerance); });
}

}  // namespace assay
