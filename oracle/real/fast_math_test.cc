// Tests policy cuda_fast against a model of nvcc's fast mathematics: the
// formulas of its intrinsics in the float arithmetic of this machine, with
// subnormal operands and results of every step flushed. All its results must be
// explained, by the way of flushing that it has.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/flush/flush.h"

namespace assay {
namespace {

using enum ElementType;

float Flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
float FastQuotient(float x, float y) {
  return Flushed(Flushed(x) * Flushed(1.0f / Flushed(y)));
}
float FastExp2(float x) { return Flushed(std::exp2(Flushed(x))); }
float FastLog2(float x) { return Flushed(std::log2(Flushed(x))); }
float FastExp(float x) { return FastExp2(Flushed(x) * 1.44269504f); }

using Function = std::function<float(float, float)>;

struct Modelled {
  const char* op;
  Function function;
};
const Modelled kUnary[] = {
    {"exponential", [](float x, float) { return FastExp(x); }},
    {"log", [](float x, float) { return Flushed(FastLog2(x) * 0.693147182f); }},
    {"logistic",
     [](float x, float) { return FastQuotient(1, 1 + FastExp(-x)); }},
    {"rsqrt",
     [](float x, float) { return Flushed(1 / std::sqrt(Flushed(x))); }},
    {"sine", [](float x, float) { return Flushed(std::sin(Flushed(x))); }},
    {"cosine", [](float x, float) { return Flushed(std::cos(Flushed(x))); }},
    {"sqrt", [](float x, float) { return Flushed(std::sqrt(Flushed(x))); }},
    {"tan",
     [](float x, float) {
       return FastQuotient(std::sin(Flushed(x)), std::cos(Flushed(x)));
     }},
    // tanh.approx keeps subnormals.
    {"tanh", [](float x, float) { return std::tanh(x) * (1 - 0x1p-12f); }},
    {"ceil", [](float x, float) { return std::ceil(Flushed(x)); }},
    {"negate", [](float x, float) { return -Flushed(x); }}};
const Modelled kBinary[] = {
    {"divide", FastQuotient},
    {"power",
     [](float x, float y) { return FastExp2(Flushed(y) * FastLog2(x)); }},
    {"add", [](float x, float y) { return Flushed(Flushed(x) + Flushed(y)); }},
    {"multiply",
     [](float x, float y) { return Flushed(Flushed(x) * Flushed(y)); }},
    {"subtract",
     [](float x, float y) { return Flushed(Flushed(x) - Flushed(y)); }}};

template <class T>
void ExpectExplained(const Modelled& modelled, const std::vector<T>& x,
                     const std::vector<T>& y) {
  const auto n = static_cast<int64_t>(x.size());
  const TensorType type{{n}, T::kElementType};
  Tensor lhs(type), rhs(type), actual(type);
  for (int64_t i = 0; i < n; ++i) {
    const T a = x[static_cast<size_t>(i)];
    const T b = y.empty() ? a : y[static_cast<size_t>(i)];
    lhs.SetBits(i, a.ToBits());
    rhs.SetBits(i, b.ToBits());
    const float result = modelled.function(static_cast<float>(a.ToDouble()),
                                           static_cast<float>(b.ToDouble()));
    actual.SetBits(i, T::Round(double{result}).value.ToBits());
  }
  std::vector<Tensor> inputs = {lhs};
  if (!y.empty()) inputs.push_back(rhs);
  const FloatCall call = MakeFloatCall(modelled.op, inputs, type);
  const FlushJudgement judgement =
      JudgeFlush(call.op, inputs, Policy::Find("cuda_fast"), actual);
  EXPECT_TRUE(judgement.best.ok());
  EXPECT_NE(judgement.survivors, 0u);
  if (judgement.survivors != 0) return;
  for (const FlushWitness& witness : judgement.witnesses) {
    const auto text = [&](const Tensor& tensor) {
      return T::FromBits(tensor.As<T>()[witness.index]).ToDouble();
    };
    ADD_FAILURE() << std::hexfloat << modelled.op << ' ' << text(lhs) << ' '
                  << text(rhs) << " gives " << text(actual) << ": "
                  << FlushSetText(witness.survivors);
  }
}

// Returns every value of a small format; for others the boundary values and
// random bits, of which half are numbers near 1.
template <class T>
std::vector<T> Operands(int count) {
  std::vector<T> all;
  if (T::kBitWidth <= 16) {
    for (uint32_t bits = 0; bits < uint32_t{1} << T::kBitWidth; ++bits)
      all.push_back(T::FromBits(static_cast<typename T::Bits>(bits)));
    return all;
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < count; ++i) {
    const auto bits = static_cast<typename T::Bits>(random());
    const double part = std::ldexp(static_cast<double>(random() >> 11), -53);
    all.push_back(i % 2 == 0 ? T::FromBits(bits)
                             : T::Round((part - 0.5) * 200).value);
  }
  for (const double x :
       {0.0, 1.0, 0x1p-126, 0x1p-149, 0x1.fffffep-127, 0x1p126, 0x1p127,
        0x1.fffffep127, HUGE_VAL, double{NAN}, 1.57079637, 3.14159274, 88.7})
    for (const double sign : {1.0, -1.0})
      all.push_back(T::Round(sign * x).value);
  return all;
}

template <class T>
void ExpectAllExplained() {
  SCOPED_TRACE(Name(T::kElementType));
  const std::vector<T> operands = Operands<T>(20000);
  std::mt19937_64 random(4);
  const auto draw = [&] { return operands[random() % operands.size()]; };
  // Two operands make many pairs; the last of a list are the boundary values.
  std::vector<T> x, y;
  const size_t boundary = std::min<size_t>(26, operands.size());
  for (size_t i = operands.size() - boundary; i < operands.size(); ++i) {
    for (size_t k = operands.size() - boundary; k < operands.size(); ++k) {
      x.push_back(operands[i]);
      y.push_back(operands[k]);
    }
  }
  for (int i = 0; i < 20000; ++i) {
    x.push_back(draw());
    y.push_back(draw());
  }
  for (const Modelled& modelled : kUnary) {
    if (!T::kFormat.has_sign && std::string(modelled.op) == "negate") continue;
    SCOPED_TRACE(modelled.op);
    ExpectExplained<T>(modelled, operands, {});
  }
  for (const Modelled& modelled : kBinary) {
    SCOPED_TRACE(modelled.op);
    ExpectExplained<T>(modelled, x, y);
  }
}

TEST(CudaFast, ExplainsAModelOfItInF32) { ExpectAllExplained<F32>(); }
TEST(CudaFast, ExplainsAModelOfItIn16Bits) {
  ExpectAllExplained<Float<kF16>>();
  ExpectAllExplained<Float<kBF16>>();
}
TEST(CudaFast, ExplainsAModelOfItIn8BitsAndLess) {
  ExpectAllExplained<Float<kF8E4M3FN>>();
  ExpectAllExplained<Float<kF8E5M2FNUZ>>();
  ExpectAllExplained<Float<kF6E2M3FN>>();
}
// 2^-127 is read as 0: a quotient by it is infinite, and its ceiling is 0,
// which the format does not have.
TEST(CudaFast, ExplainsAModelOfItWithoutAZero) {
  ExpectAllExplained<Float<kF8E8M0FNU>>();
  const FloatCall call =
      MakeFloatCall("divide",
                    {RowOfTexts(kF8E8M0FNU, {"1", "2"}),
                     RowOfTexts(kF8E8M0FNU, {"0x1p-127", "4"})},
                    TensorType{{2}, kF8E8M0FNU});
  const auto judge = [&](const char* policy, const char* first) {
    return JudgeFlush(call.op, call.inputs, Policy::Find(policy),
                      RowOfTexts(kF8E8M0FNU, {first, "0.5"}))
        .survivors;
  };
  // Division compares nothing, so the two ways in which only comparisons flush
  // keep its operands as well.
  const FlushSet kept = ((1u << 7) - 1) | (3u << 21);
  EXPECT_EQ(judge("cuda_fast", "nan"), kAllFlushChoices & ~kept);
  EXPECT_EQ(judge("cuda_fast", "0x1p127"), kept);
  EXPECT_EQ(judge("cuda_fast", "1"), 0u);
  EXPECT_EQ(judge("flush", "nan"), 0u);
  EXPECT_EQ(judge("flush", "0x1p127"), kAllFlushChoices);
}

}  // namespace
}  // namespace assay
