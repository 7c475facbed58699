// Tests that no order of additions and no fused product leaves the bounds of a
// sum of products, on random trees, that the bounds are reached but for a small
// factor, and that a result beside an exact one is refused.
#include "oracle/contraction/product_sum.h"

#include <gmock/gmock.h>

#include <random>

#include "oracle/contraction/dot_test_support.h"

namespace assay {
namespace {

std::mt19937_64& DotRandom() {
  static std::mt19937_64 random(11);
  return random;
}

int64_t DotBelow(int64_t end) {
  return static_cast<int64_t>(DotRandom()() % static_cast<uint64_t>(end));
}

// Rounds a number that a long double has.
template <class T>
T RoundedTo(long double number) {
  if constexpr (T::kElementType == ElementType::kF64) {
    return T::Round(static_cast<double>(number)).value;
  } else {
    // A double to odd keeps what a second rounding asks for.
    auto near = static_cast<double>(number);
    if (std::isfinite(near) && near != number) {
      const double other = std::nextafter(
          near, near < number ? std::numeric_limits<double>::infinity()
                              : -std::numeric_limits<double>::infinity());
      if ((std::bit_cast<uint64_t>(near) & 1) == 0) near = other;
    }
    return T::Round(near).value;
  }
}

// A leaf is a product that is rounded, or one that is not yet.
template <class T>
struct DotNode {
  T value;
  std::optional<long double> product;
};

// Adds the products in a random order. A product that is not rounded is fused
// with the addition.
template <class T>
T RandomDot(const std::vector<T>& lhs, const std::vector<T>& rhs, bool fuses) {
  std::vector<DotNode<T>> nodes;
  for (size_t i = 0; i < lhs.size(); ++i) {
    const long double product =
        static_cast<long double>(lhs[i].ToDouble()) * rhs[i].ToDouble();
    DotNode<T> node = {(lhs[i] * rhs[i]).value, std::nullopt};
    if (fuses && DotBelow(2) == 0 && std::isfinite(product))
      node.product = product;
    nodes.push_back(node);
  }
  while (nodes.size() > 1) {
    const auto at = static_cast<size_t>(DotBelow(std::ssize(nodes)));
    std::swap(nodes[at], nodes.back());
    const DotNode<T> a = nodes.back();
    nodes.pop_back();
    DotNode<T>& b = nodes[static_cast<size_t>(DotBelow(std::ssize(nodes)))];
    // One of two products is rounded first.
    if (a.product.has_value() && !b.product.has_value()) {
      b.value = RoundedTo<T>(*a.product + b.value.ToDouble());
    } else if (b.product.has_value() && !a.product.has_value()) {
      b.value = RoundedTo<T>(*b.product + a.value.ToDouble());
    } else {
      b.value = (a.value + b.value).value;
    }
    b.product.reset();
  }
  return nodes[0].value;
}

template <class T>
std::vector<double> Doubles(const std::vector<T>& values) {
  std::vector<double> doubles;
  for (const T value : values) doubles.push_back(value.ToDouble());
  return doubles;
}

template <class T>
class DotBoundsTest : public testing::Test {};

using DotTypes =
    testing::Types<Float<ElementType::kBF16>, Float<ElementType::kF16>, F32,
                   Float<ElementType::kF8E5M2>, Float<ElementType::kF8E4M3>,
                   Float<ElementType::kF8E3M4>, Float<ElementType::kF8E4M3FN>,
                   Float<ElementType::kF8E4M3FNUZ>,
                   Float<ElementType::kF6E2M3FN>,
                   Float<ElementType::kF4E2M1FN>>;
TYPED_TEST_SUITE(DotBoundsTest, DotTypes);

TYPED_TEST(DotBoundsTest, HoldEveryOrder) {
  using T = TypeParam;
  using Bits = typename T::Bits;
  for (int round = 0; round < 3000; ++round) {
    std::vector<T> lhs, rhs;
    const int64_t length = 1 + DotBelow(12);
    for (int64_t i = 0; i < length; ++i) {
      const auto any = [&] {
        // Some factors have any bits, others are of one size.
        if (round % 3 == 0)
          return T::FromBits(static_cast<Bits>(DotRandom()()));
        return T::Round(static_cast<double>(DotBelow(2001) - 1000) / 256).value;
      };
      lhs.push_back(any());
      rhs.push_back(any());
    }
    const FloatCall call =
        DotCall(VectorOf(lhs), VectorOf(rhs), T::kElementType);
    const Evaluation evaluation = EvaluateDot(call, "assay");
    for (int tree = 0; tree < 8; ++tree) {
      const T value = RandomDot(lhs, rhs, tree % 2 == 1);
      ASSERT_TRUE(AllowsFirst(evaluation, value.ToBits()))
          << testing::PrintToString(Doubles(lhs)) << " by "
          << testing::PrintToString(Doubles(rhs)) << " is " << value.ToDouble();
    }
  }
}

// Formats of so few bits lose no term beside another one.
template <class T>
class DotBoundReachedTest : public testing::Test {};
using DotTypesOfSeveralBits =
    testing::Types<Float<ElementType::kBF16>, Float<ElementType::kF16>, F32,
                   Float<ElementType::kF8E5M2>, Float<ElementType::kF8E3M4>,
                   Float<ElementType::kF8E4M3FN>,
                   Float<ElementType::kF8E4M3FNUZ>,
                   Float<ElementType::kF6E2M3FN>>;
TYPED_TEST_SUITE(DotBoundReachedTest, DotTypesOfSeveralBits);

// A large term, to which the others are lost one after the other.
TYPED_TEST(DotBoundReachedTest, ButForAFactorOfTwo) {
  using T = TypeParam;
  constexpr int kPrecision = T::kFormat.precision();
  const int64_t length =
      std::min<int64_t>((int64_t{1} << (kPrecision - 1)) / 2, 65);
  const T one = T::Round(1.0).value;
  const T half_a_unit = T::Round(std::ldexp(1.0, -kPrecision)).value;
  std::vector<T> lhs(static_cast<size_t>(length), half_a_unit);
  lhs[0] = one;
  const std::vector<T> rhs(static_cast<size_t>(length), one);
  T chain = one;
  for (size_t i = 1; i < lhs.size(); ++i) chain = (chain + lhs[i]).value;
  const long double exact =
      1 + static_cast<long double>(length - 1) * std::ldexp(1.0L, -kPrecision);
  const Evaluation evaluation = EvaluateDot(
      DotCall(VectorOf(lhs), VectorOf(rhs), T::kElementType), "assay");
  EXPECT_TRUE(AllowsFirst(evaluation, chain.ToBits()));
  const long double reached =
      exact - static_cast<long double>(chain.ToDouble());
  const long double bound =
      exact - static_cast<long double>(
                  T::FromBits(static_cast<typename T::Bits>(
                                  evaluation.outputs[0].lo.Bits(0)))
                      .ToDouble());
  EXPECT_GT(reached, 0);
  EXPECT_LE(bound, 2 * reached + std::ldexp(1.0L, 1 - kPrecision));
}

TYPED_TEST(DotBoundsTest, OfExactSumsAreOneValue) {
  using T = TypeParam;
  using Bits = typename T::Bits;
  for (const char* policy : {"assay", "stablehlo", "xla", "numpy", "torch"}) {
    const auto number = [](double value) { return T::Round(value).value; };
    const std::vector<T> lhs = {number(1), number(-2), number(0), number(1)};
    const std::vector<T> rhs = {number(1), number(-1), number(1), number(1)};
    const Evaluation evaluation = EvaluateDot(
        DotCall(VectorOf(lhs), VectorOf(rhs), T::kElementType), policy);
    const Bits exact = number(4).ToBits();
    EXPECT_TRUE(AllowsFirst(evaluation, exact)) << policy;
    for (const int step : {-1, 1})
      EXPECT_FALSE(AllowsFirst(evaluation, static_cast<Bits>(exact + step)))
          << policy;
  }
}

TEST(DotBounds, OfF64HoldEveryOrder) {
  for (int round = 0; round < 2000; ++round) {
    std::vector<F64> lhs, rhs;
    for (int64_t i = 0, n = 1 + DotBelow(20); i < n; ++i) {
      for (auto* side : {&lhs, &rhs})
        side->push_back(F64::FromBits(
            round % 2 == 0
                ? DotRandom()()
                : std::bit_cast<uint64_t>(
                      static_cast<double>(DotBelow(1 << 30)) / 7 - 1e8)));
    }
    const Evaluation evaluation = EvaluateDot(
        DotCall(VectorOf(lhs), VectorOf(rhs), ElementType::kF64), "assay");
    for (int tree = 0; tree < 4; ++tree)
      ASSERT_TRUE(AllowsFirst(evaluation, RandomDot(lhs, rhs, false).ToBits()));
  }
}

}  // namespace
}  // namespace assay
