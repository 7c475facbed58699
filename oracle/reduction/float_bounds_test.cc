// Tests that no order of additions or multiplications leaves the bounds, on
// random trees, and that the bounds are not wider than they should be.
#include "oracle/reduction/float_bounds.h"

#include <gmock/gmock.h>

#include <random>

#include "oracle/judge.h"
#include "oracle/reduction/reduce_test_support.h"

namespace assay {
namespace {

using enum ElementType;

std::mt19937_64& Random() {
  static std::mt19937_64 random(7);
  return random;
}

int64_t Below(int64_t end) {
  return static_cast<int64_t>(Random()() % static_cast<uint64_t>(end));
}

// Reduces the terms, and some initial values among them, in a random order.
template <class T>
T RandomTree(std::vector<T> leaves, T init, InitCount count, bool in_order,
             bool is_sum) {
  const int64_t inits = count.least + Below(count.most - count.least + 1);
  for (int64_t k = 0; k < inits; ++k)
    leaves.insert(leaves.begin() + Below(std::ssize(leaves) + 1), init);
  while (leaves.size() > 1) {
    const auto at = static_cast<size_t>(Below(std::ssize(leaves) - 1));
    size_t other = at + 1;
    if (!in_order)
      other = at + 1 +
              static_cast<size_t>(
                  Below(std::ssize(leaves) - static_cast<int64_t>(at) - 1));
    leaves[at] =
        (is_sum ? leaves[at] + leaves[other] : leaves[at] * leaves[other])
            .value;
    leaves.erase(leaves.begin() + static_cast<int64_t>(other));
  }
  return leaves[0];
}

// Returns whether a value is possible, by its text.
bool Allows(ElementType type, const Possible& possible, ElementBits bits) {
  if (possible.kind != Possible::Kind::kRanges) return true;
  Expectation expectation(TensorType({1}, type));
  expectation.lo.SetBits(0, possible.ranges[0].lo);
  ResultOfScalars result(false, &expectation);
  Scalars scalars(expectation.lo);
  scalars.Set(0, possible);
  result.Add(0, scalars);
  result.Finish();
  Tensor actual(TensorType({1}, type));
  actual.SetBits(0, bits);
  return Accepts(expectation, actual, 0);
}

template <class T>
std::vector<T> RandomTerms(int64_t count, int style) {
  std::vector<T> terms;
  for (int64_t i = 0; i < count; ++i) {
    if (style == 0) {  // any bits
      const uint64_t all = ~uint64_t{0} >> (64 - Info(T::kElementType).bits);
      terms.push_back(
          T::FromBits(static_cast<typename T::Bits>(Random()() & all)));
    } else if (style == 1) {  // cancellation
      terms.push_back(
          T::Round((Below(2) ? 1 : -1) * std::ldexp(1.0 + Below(64) / 64.0,
                                                    static_cast<int>(Below(4))))
              .value);
    } else if (style == 2) {  // next to the end of the range
      const T largest = T::Max(Below(2) != 0);
      const auto below = static_cast<int64_t>(T::Max(false).ToBits());
      terms.push_back(T::FromBits(static_cast<typename T::Bits>(
          largest.ToBits() -
          static_cast<ElementBits>(Below(std::min<int64_t>(9, below))))));
    } else {  // subnormals
      terms.push_back(T::FromBits(static_cast<typename T::Bits>(
          Below(1 << std::min(T::kFormat.mantissa_bits, 20)) |
          (Below(2) ? T::kFormat.sign_bit() : 0))));
    }
  }
  return terms;
}

Tensor TensorOf(ElementType type, const std::vector<ElementBits>& bits) {
  Tensor tensor(TensorType({std::ssize(bits)}, type));
  for (size_t i = 0; i < bits.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), bits[i]);
  return tensor;
}

// Returns 0, or the least number of a format without it.
template <class T>
T NoAddend() {
  return T::FromBits(0);
}

template <class T>
void CheckRandomTrees() {
  const Policy& policy = Policy::Find("assay");
  const AccumulationRules rules(policy);
  const ElementType type = T::kElementType;
  int64_t undecided = 0;
  for (int round = 0; round < 400; ++round) {
    const std::vector<T> terms = RandomTerms<T>(1 + Below(20), round % 4);
    std::vector<ElementBits> bits;
    for (const T term : terms) bits.push_back(term.ToBits());
    const bool is_sum = Below(2) != 0;
    const T init = round % 3 == 0   ? NoAddend<T>()
                   : round % 3 == 1 ? T::Round(1.0).value
                                    : RandomTerms<T>(1, round % 4)[0];
    const InitCount count = {0, Below(2) ? 0 : std::ssize(terms)};
    const Tensor tensor = TensorOf(type, bits);
    const Terms all = {tensor, 0, tensor.size()};
    const Possible possible =
        is_sum ? BoundedSum(all, init.ToBits(), count, rules)
               : BoundedProduct(all, init.ToBits(), count, rules);
    undecided += possible.kind != Possible::Kind::kRanges;
    for (int tree = 0; tree < 30; ++tree) {
      const T value = RandomTree(terms, init, count, tree % 2 == 0, is_sum);
      ASSERT_TRUE(Allows(type, possible, value.ToBits()))
          << Name(type) << (is_sum ? " sum " : " product ") << round << ' '
          << FormatValue(type, value.ToBits()) << " of " << terms.size()
          << " terms";
    }
  }
  EXPECT_LT(undecided, 100) << Name(type);
}

TEST(FloatBounds, NoTreeLeavesThem) {
  CheckRandomTrees<Float<kF32>>();
  CheckRandomTrees<Float<kF64>>();
  CheckRandomTrees<Float<kF16>>();
  CheckRandomTrees<Float<kBF16>>();
  CheckRandomTrees<Float<kF8E5M2>>();
  CheckRandomTrees<Float<kF8E4M3FN>>();
  CheckRandomTrees<Float<kF8E4M3FNUZ>>();
  CheckRandomTrees<Float<kF6E2M3FN>>();
  CheckRandomTrees<Float<kF6E3M2FN>>();
  CheckRandomTrees<Float<kF4E2M1FN>>();
  CheckRandomTrees<Float<kF8E8M0FNU>>();
}

Possible Sum(ElementType type, const std::vector<std::string>& terms,
             const std::string& init = "0", InitCount count = {0, 0},
             const std::string& policy = "assay") {
  std::vector<ElementBits> bits;
  for (const std::string& term : terms) bits.push_back(BitsOfText(type, term));
  const Tensor tensor = TensorOf(type, bits);
  return BoundedSum({tensor, 0, tensor.size()}, BitsOfText(type, init), count,
                    AccumulationRules(Policy::Find(policy)));
}

std::string TextOf(ElementType type, const Possible& possible) {
  if (possible.kind == Possible::Kind::kOpen) return "open";
  if (possible.kind == Possible::Kind::kUndecided) return "undecided";
  std::string text;
  for (const Possible::Range& range : possible.ranges) {
    text += text.empty() ? "" : " ";
    text += FormatValue(type, range.lo);
    if (range.hi != range.lo) text += ".." + FormatValue(type, range.hi);
  }
  return text;
}

TEST(FloatBounds, ExactSumsAreOneValue) {
  EXPECT_EQ(TextOf(kF32, Sum(kF32, std::vector<std::string>(1000, "1"))),
            "1000");
  EXPECT_EQ(TextOf(kF16, Sum(kF16, {"1", "-1", "2", "-2"})), "0");
  EXPECT_EQ(TextOf(kF16, Sum(kF16, {"-0", "-0"})), "-0");
  EXPECT_EQ(TextOf(kF16, Sum(kF16, {"-0", "-0"}, "0", {0, 2})), "-0 0");
  EXPECT_EQ(TextOf(kF16, Sum(kF16, {"-0", "1"}, "0", {0, 2})), "1");
  EXPECT_EQ(TextOf(kF16, Sum(kF16, {"1", "2"}, "4", {0, 2})), "3 7 11");
  EXPECT_EQ(TextOf(kBF16, Sum(kBF16, std::vector<std::string>(256, "1"))),
            "256");
}

TEST(FloatBounds, OtherSumsAreWithinTheBound) {
  // u = 2^-8, so that the sum is 258, give or take 2 * 2^-8 * 258.
  EXPECT_EQ(TextOf(kBF16, Sum(kBF16, {"256", "1", "1"})), "256..260");
  EXPECT_EQ(TextOf(kBF16, Sum(kBF16, {"256", "1", "1", "0.125"})), "256..260");
  EXPECT_EQ(TextOf(kBF16, Sum(kBF16, {"256", "1", "1", "0.125"}, "0", {0, 0},
                              "numpy")),
            "255..262");
  EXPECT_EQ(TextOf(kF32, Sum(kF32, {"inf", "1", "nan"})), "nan");
  EXPECT_EQ(TextOf(kF32, Sum(kF32, {"inf", "1", "-inf"})), "nan");
  EXPECT_EQ(TextOf(kF32, Sum(kF32, {"inf", "1", "-3"})), "inf");
  EXPECT_EQ(TextOf(kF32, Sum(kF32, {"inf", "-3e38", "-3e38"})), "inf nan");
  EXPECT_EQ(TextOf(kF32, Sum(kF32, {"1", "2"}, "inf", {0, 2})), "3 inf");
}

TEST(FloatBounds, AnOverflowIsAnInfinityOrWhatThePolicySays) {
  EXPECT_THAT(TextOf(kF32, Sum(kF32, {"3e38", "3e38", "-3e38"})),
              testing::StartsWith("inf "));
  EXPECT_THAT(TextOf(kF32, Sum(kF32, {"3e38", "3e38", "-3e38", "-3e38"})),
              testing::StartsWith("inf -inf nan "));
  EXPECT_THAT(TextOf(kF8E4M3FN, Sum(kF8E4M3FN, {"448", "448", "-448"})),
              testing::StartsWith("nan "));
  EXPECT_EQ(TextOf(kF8E4M3FN, Sum(kF8E4M3FN, {"448", "448", "-448"}, "0",
                                  {0, 0}, "torch")),
            "undecided");
}

// 7.5 is the largest value: what is beyond it is lost, before the negative
// terms come or behind them.
TEST(FloatBounds, ASumSaturatesAnywhere) {
  EXPECT_EQ(TextOf(kF6E2M3FN, Sum(kF6E2M3FN, {"7.5", "7.5", "7.5"})), "5..7.5");
  EXPECT_EQ(TextOf(kF6E2M3FN, Sum(kF6E2M3FN, {"7.5", "7.5", "-1"})),
            "4.5..7.5");
}

// Products of powers of two are exact; a sum is rounded up to the next power
// from one and a half times the last one on.
TEST(FloatBounds, PowersOfTwo) {
  const auto product = [](const std::vector<std::string>& terms,
                          const std::string& policy = "assay") {
    std::vector<ElementBits> bits;
    for (const std::string& term : terms)
      bits.push_back(BitsOfText(kF8E8M0FNU, term));
    const Tensor tensor = TensorOf(kF8E8M0FNU, bits);
    return TextOf(
        kF8E8M0FNU,
        BoundedProduct({tensor, 0, tensor.size()}, BitsOfText(kF8E8M0FNU, "1"),
                       {0, 2}, AccumulationRules(Policy::Find(policy))));
  };
  EXPECT_EQ(product({"2", "0.25", "8"}), "4");
  EXPECT_EQ(product({"2", "nan", "8"}), "nan");
  EXPECT_EQ(product({"0x1p100", "0x1p27"}), "2e+38");
  EXPECT_EQ(product({"0x1p100", "0x1p28"}), "nan");
  EXPECT_EQ(product({"0x1p100", "0x1p28", "0.5"}), "nan 2e+38");
  EXPECT_EQ(product({"0x1p-100", "0x1p-28", "4"}), "1e-38..4");
  EXPECT_EQ(product({"0x1p-100", "0x1p-28", "4"}, "numpy"), "nan 1e-38..4");
  const auto sum = [](const std::vector<std::string>& terms) {
    return TextOf(kF8E8M0FNU, Sum(kF8E8M0FNU, terms, "1"));
  };
  EXPECT_EQ(sum({"64", "2", "2", "4"}), "64");
  EXPECT_EQ(sum({"2", "1"}), "2..4");
  EXPECT_EQ(sum({"1", "1", "1", "1", "1", "1", "1", "1", "1"}), "1..16");
  EXPECT_EQ(sum({"1", "nan"}), "nan");
  EXPECT_EQ(sum({"0x1p127", "0x1p127"}), "nan 2e+38");
}

// Neighbours that are halves of each other are rounded up one after the other,
// so that nine terms of 1 become 16: the bound is reached.
TEST(FloatBounds, ASumOfPowersReachesItsBound) {
  using Scale = Float<kF8E8M0FNU>;
  const Scale one = Scale::Round(1.0).value;
  const Scale four = ((one + one).value + one).value;
  EXPECT_EQ(four.ToDouble(), 4);
  const Scale twelve = ((four + four).value + four).value;
  EXPECT_EQ(twelve.ToDouble(), 16);
  const Possible bound = Sum(kF8E8M0FNU, std::vector<std::string>(9, "1"), "1");
  ASSERT_EQ(bound.ranges.size(), 1);
  EXPECT_EQ(bound.ranges[0].hi, twelve.ToBits());
}

TEST(FloatBounds, WiderSumsAreRoundedAtTheEnd) {
  EXPECT_EQ(TextOf(kBF16, Sum(kBF16, std::vector<std::string>(3, "1"), "0",
                              {0, 0}, "numpy")),
            "3");
}

}  // namespace
}  // namespace assay
