// Tests that results of any legal evaluation of the batch_norm ops are allowed,
// and that what is exact has one result. The evaluations are made here, with
// trees of their own.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"
#include "oracle/reduction/float_interval.h"

namespace assay {
namespace {

using enum ElementType;

std::mt19937_64& RandomOfNorms() {
  static std::mt19937_64 random(11);
  return random;
}
int64_t BelowOfNorms(int64_t end) {
  return static_cast<int64_t>(RandomOfNorms()() % static_cast<uint64_t>(end));
}

// Operands of {rows, 1}, so that there is one feature.
template <class T>
struct NormCall {
  std::vector<T> operand, grad_output;
  T scale, offset, mean, variance;
  float epsilon = 0;
};

template <class T>
Tensor ColumnOfValues(const std::vector<T>& values, const Shape& shape) {
  Tensor tensor(TensorType{shape, T::kElementType});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.As<T>()[i] = values[i].ToBits();
  return tensor;
}

template <class T>
FloatCall MakeNormCall(const std::string& id, const NormCall<T>& of) {
  const Shape shape = {std::ssize(of.operand), 1};
  FloatCall call;
  call.op.op = id;
  for (const InputSpec& input : FindOp(id)->inputs) {
    if (!input.IsValue()) continue;
    call.inputs.push_back(
        input.name == "operand"       ? ColumnOfValues(of.operand, shape)
        : input.name == "grad_output" ? ColumnOfValues(of.grad_output, shape)
        : input.name == "scale"       ? ColumnOfValues<T>({of.scale}, {1})
        : input.name == "offset"      ? ColumnOfValues<T>({of.offset}, {1})
        : input.name == "mean"        ? ColumnOfValues<T>({of.mean}, {1})
                                      : ColumnOfValues<T>({of.variance}, {1}));
    call.op.inputs.push_back(
        {input.name, input.name, call.inputs.back().type()});
  }
  Tensor epsilon(TensorType{{}, kF32}), feature_index(TensorType{{}, kI64});
  epsilon.As<F32>()[0] = std::bit_cast<uint32_t>(of.epsilon);
  feature_index.SetBits(0, 1);
  call.op.attributes = {{"epsilon", epsilon}, {"feature_index", feature_index}};
  for (const OutputSpec& output : FindOp(id)->outputs) {
    const bool is_whole = call.op.outputs.empty();
    call.op.outputs.push_back(
        {output.name, output.name,
         TensorType{is_whole ? shape : Shape{1}, T::kElementType}});
  }
  return call;
}

// Steps of a type, each of which may be left unrounded if `excess`: then they
// are those of f64.
template <class T>
struct StepsOf {
  bool excess = false;
  double Round(double x) const {
    return excess ? x : T::Round(x).value.ToDouble();
  }
  double Add(double a, double b) const { return Round(a + b); }
  double Subtract(double a, double b) const { return Round(a - b); }
  double Multiply(double a, double b) const { return Round(a * b); }
  double Divide(double a, double b) const { return Round(a / b); }
  double Sqrt(double a) const { return Round(std::sqrt(a)); }
  // By a random tree over neighbours.
  double Sum(std::vector<double> terms) const {
    while (terms.size() > 1) {
      const auto at = static_cast<size_t>(BelowOfNorms(std::ssize(terms) - 1));
      terms[at] = Add(terms[at], terms[at + 1]);
      terms.erase(terms.begin() + static_cast<int64_t>(at) + 1);
    }
    return terms[0];
  }
};

// Results by output.
using NormResults = std::vector<std::vector<double>>;

template <class T>
std::vector<double> AsDoubles(const std::vector<T>& values) {
  std::vector<double> doubles;
  for (const T value : values) doubles.push_back(value.ToDouble());
  return doubles;
}

// `way` 0 is the formula; others are rearranged.
template <class T>
double NormalizeBy(int way, const StepsOf<T>& s, const NormCall<T>& x,
                   double element, double mean, double variance) {
  const double scale = x.scale.ToDouble(), offset = x.offset.ToDouble();
  const double shifted = s.Add(variance, s.Round(x.epsilon));
  const double centered = s.Subtract(element, mean);
  if (way == 0)
    return s.Add(s.Multiply(scale, s.Divide(centered, s.Sqrt(shifted))),
                 offset);
  const double inverse = s.Divide(1, s.Sqrt(shifted));
  if (way == 1)
    return s.Add(s.Multiply(s.Multiply(centered, inverse), scale), offset);
  const double factor = s.Multiply(scale, inverse);
  return s.Add(s.Multiply(element, factor),
               s.Subtract(offset, s.Multiply(mean, factor)));
}

template <class T>
NormResults TrainBy(int way, const StepsOf<T>& s, const NormCall<T>& x) {
  const std::vector<double> elements = AsDoubles(x.operand);
  const double count = s.Round(static_cast<double>(elements.size()));
  const double mean = s.Divide(s.Sum(elements), count);
  std::vector<double> squares;
  for (const double element : elements) {
    const double term = way == 0 ? s.Subtract(element, mean) : element;
    squares.push_back(s.Multiply(term, term));
  }
  double variance = s.Divide(s.Sum(squares), count);
  if (way != 0) variance = s.Subtract(variance, s.Multiply(mean, mean));
  NormResults results = {{}, {mean}, {variance}};
  for (const double element : elements)
    results[0].push_back(NormalizeBy(way, s, x, element, mean, variance));
  return results;
}

template <class T>
NormResults DifferentiateBy(int way, const StepsOf<T>& s,
                            const NormCall<T>& x) {
  const std::vector<double> elements = AsDoubles(x.operand),
                            gradients = AsDoubles(x.grad_output);
  const double count = s.Round(static_cast<double>(elements.size()));
  const double scale = x.scale.ToDouble();
  const double shifted = s.Add(x.variance.ToDouble(), s.Round(x.epsilon));
  const double stddev = s.Sqrt(shifted), inverse = s.Divide(1, stddev);
  std::vector<double> centered, of_centered, of_normalized;
  for (size_t i = 0; i < elements.size(); ++i) {
    centered.push_back(s.Subtract(elements[i], x.mean.ToDouble()));
    of_centered.push_back(s.Multiply(gradients[i], centered[i]));
    of_normalized.push_back(
        s.Multiply(gradients[i], s.Divide(centered[i], stddev)));
  }
  const double i2 = s.Sum(gradients), i3 = s.Sum(of_centered);
  const double factor = way == 0 ? s.Divide(s.Divide(scale, stddev), count)
                                 : s.Divide(s.Multiply(scale, inverse), count);
  NormResults results = {
      {}, {way == 0 ? s.Sum(of_normalized) : s.Multiply(i3, inverse)}, {i2}};
  for (size_t i = 0; i < elements.size(); ++i) {
    const double i1 = s.Multiply(gradients[i], count);
    const double i5 = s.Divide(s.Multiply(i3, centered[i]), shifted);
    results[0].push_back(
        s.Multiply(factor, s.Subtract(s.Subtract(i1, i2), i5)));
  }
  return results;
}

template <class T>
T RandomOfNorm(int style) {
  if (style == 0)
    return T::FromBits(static_cast<typename T::Bits>(RandomOfNorms()()));
  const double fraction =
      static_cast<double>(BelowOfNorms(1 << 20)) * 0x1p-20 - 0.5;
  if (style == 1) return T::Round(fraction * 8).value;
  // Cancellation: near to one another, and far from 0.
  return T::Round(64 + fraction * 4).value;
}

template <class T>
NormCall<T> RandomNormCall(int64_t rows, int style) {
  NormCall<T> call;
  for (int64_t i = 0; i < rows; ++i) {
    call.operand.push_back(RandomOfNorm<T>(style));
    call.grad_output.push_back(RandomOfNorm<T>(std::min(style, 1)));
  }
  const int other = std::min(style, 1);
  call.scale = RandomOfNorm<T>(other);
  call.offset = RandomOfNorm<T>(other);
  call.mean = RandomOfNorm<T>(style);
  call.variance = RandomOfNorm<T>(other);
  constexpr float kEpsilons[] = {0, 1e-5F, 0.5F, 1e-3F};
  call.epsilon = kEpsilons[BelowOfNorms(4)];
  return call;
}

template <class T>
void ExpectAllowed(const std::string& id, const NormCall<T>& call,
                   const std::string& policy, const NormResults& results,
                   const std::string& text) {
  const FloatCall made = MakeNormCall(id, call);
  const Evaluation evaluation =
      Evaluate(made.op, made.inputs, Policy::Find(policy), Marks::kNone);
  ASSERT_EQ(evaluation.outputs.size(), results.size());
  for (size_t k = 0; k < results.size(); ++k) {
    const Expectation& expectation = evaluation.outputs[k];
    Tensor actual(expectation.lo.type());
    ASSERT_EQ(actual.size(), std::ssize(results[k]));
    for (int64_t i = 0; i < actual.size(); ++i) {
      const double result = results[k][static_cast<size_t>(i)];
      actual.As<T>()[i] = T::Round(result).value.ToBits();
      EXPECT_TRUE(Accepts(expectation, actual, i))
          << id << " " << text << " output " << k << " [" << i << "] "
          << FormatValue(T::kElementType, actual.Bits(i)) << " not in "
          << FormatValue(T::kElementType, expectation.lo.Bits(i)) << " .. "
          << FormatValue(T::kElementType, expectation.hi.Bits(i));
    }
  }
}

template <class T>
void ExpectLegalEvaluationsAllowed() {
  for (int trial = 0; trial < 400; ++trial) {
    const int style = trial % 3;
    const int64_t rows = 1 + BelowOfNorms(trial % 2 == 0 ? 6 : 40);
    const NormCall<T> call = RandomNormCall<T>(rows, style);
    const std::string text =
        std::string(Info(T::kElementType).name) + " " + std::to_string(trial);
    const StepsOf<T> steps;
    ExpectAllowed("batch_norm_training", call, "assay", TrainBy(0, steps, call),
                  text);
    ExpectAllowed("batch_norm_grad", call, "assay",
                  DifferentiateBy(0, steps, call), text);
    for (const bool excess : {false, true}) {
      // Bits of any kind overflow in one way and not in the other: f64 is as
      // wide as the numbers here.
      if (excess && T::kBitWidth == 64) continue;
      const StepsOf<T> other{excess};
      const int way = static_cast<int>(BelowOfNorms(3));
      ExpectAllowed("batch_norm_training", call, "stablehlo",
                    TrainBy(way, other, call), text + " rearranged");
      ExpectAllowed("batch_norm_grad", call, "stablehlo",
                    DifferentiateBy(way, other, call), text + " rearranged");
    }
  }
}

TEST(BatchNorm, LegalEvaluationsAreAllowed) {
  ExpectLegalEvaluationsAllowed<F64>();
  ExpectLegalEvaluationsAllowed<F32>();
  ExpectLegalEvaluationsAllowed<Float<kF16>>();
  ExpectLegalEvaluationsAllowed<Float<kBF16>>();
  ExpectLegalEvaluationsAllowed<Float<kF8E4M3>>();
  ExpectLegalEvaluationsAllowed<Float<kF8E5M2>>();
  ExpectLegalEvaluationsAllowed<Float<kF8E3M4>>();
  ExpectLegalEvaluationsAllowed<Float<kF8E8M0FNU>>();
}

// The constant 0 of the formula is a value that f8E8M0FNU lacks: NaN where a
// policy says so, and with it every sum, or the least number.
TEST(BatchNorm, AFormatWithoutZeroSumsWhatThePolicyHasInItsPlace) {
  using Scale = Float<kF8E8M0FNU>;
  NormCall<Scale> call;
  call.scale = call.offset = call.mean = call.variance = Scale::Round(1).value;
  call.operand = {Scale::Round(4).value, Scale::Round(4).value};
  call.grad_output = call.operand;
  const FloatCall made = MakeNormCall("batch_norm_grad", call);
  for (const auto& [policy, may_be_nan] :
       {std::pair{"assay", false}, {"xla", true}}) {
    const Expectation offset =
        Evaluate(made.op, made.inputs, Policy::Find(policy), Marks::kNone)
            .outputs[2];
    Tensor actual(offset.lo.type());
    actual.SetBits(0, Scale::Round(8).value.ToBits());
    EXPECT_TRUE(Accepts(offset, actual, 0)) << policy;
    actual.SetBits(0, Scale::Nan().ToBits());
    EXPECT_EQ(Accepts(offset, actual, 0), may_be_nan) << policy;
    actual.SetBits(0, Scale::Round(64).value.ToBits());
    EXPECT_FALSE(Accepts(offset, actual, 0)) << policy;
  }
}

// Hardware that flushes takes the least number for 0, which is NaN here.
TEST(BatchNorm, TheLeastNumberMayBeFlushed) {
  using Scale = Float<kF8E8M0FNU>;
  NormCall<Scale> call;
  call.scale = call.offset = call.mean = call.variance = Scale::Round(1).value;
  call.operand = call.grad_output = {Scale::FromBits(0), Scale::FromBits(0)};
  const FloatCall made = MakeNormCall("batch_norm_grad", call);
  for (const auto& [policy, may_be_nan] :
       {std::pair{"assay", false}, {"cuda_fast", true}}) {
    const Expectation offset =
        Evaluate(made.op, made.inputs, Policy::Find(policy), Marks::kNone)
            .outputs[2];
    Tensor actual(offset.lo.type());
    actual.SetBits(0, Scale::Nan().ToBits());
    EXPECT_EQ(Accepts(offset, actual, 0), may_be_nan) << policy;
  }
}

// A variance of -0 and an epsilon of 0 are +0, unless 0 is left out.
template <class T>
void ExpectThatEpsilonMayBeLeftOut(float epsilon) {
  NormCall<T> call;
  const T zero = T::Round(0).value, one = T::Round(1).value;
  call.operand = {zero};
  call.grad_output = {one};
  call.scale = call.mean = one;
  call.offset = zero;
  call.variance = T::Zero(true);
  call.epsilon = epsilon;
  const FloatCall made = MakeNormCall("batch_norm_grad", call);
  for (const auto& [policy, may_be_left_out] :
       {std::pair{"assay", false}, {"xla", true}}) {
    const Expectation scale =
        Evaluate(made.op, made.inputs, Policy::Find(policy), Marks::kNone)
            .outputs[1];
    Tensor actual(scale.lo.type());
    actual.SetBits(0, T::Infinity(true).ToBits());
    EXPECT_TRUE(Accepts(scale, actual, 0)) << policy;
    actual.SetBits(0, T::Infinity(false).ToBits());
    EXPECT_EQ(Accepts(scale, actual, 0), may_be_left_out) << policy;
  }
}

TEST(BatchNorm, AnEpsilonOfZeroMayBeLeftOut) {
  ExpectThatEpsilonMayBeLeftOut<F32>(0);
  // This is 0 in f16.
  ExpectThatEpsilonMayBeLeftOut<Float<kF16>>(0x1p-56F);
}

// A NaN that is rounded to a format without it is a zero, by which the next
// step divides; the infinity is beyond the least number of the format.
TEST(BatchNorm, NanMayBecomeAZeroBetweenSteps) {
  using Narrow = Float<kF4E2M1FN>;
  NormCall<Narrow> call;
  const auto value = [](double number) { return Narrow::Round(number).value; };
  call.operand = call.grad_output = {value(-1)};
  call.scale = call.offset = call.mean = value(1);
  call.variance = value(0);
  call.epsilon = std::numeric_limits<float>::quiet_NaN();
  const FloatCall made = MakeNormCall("batch_norm_inference", call);
  for (const auto& [policy, may_be_infinite] :
       {std::pair{"assay", false}, {"xla", true}}) {
    const Expectation result =
        Evaluate(made.op, made.inputs, Policy::Find(policy), Marks::kNone)
            .outputs[0];
    Tensor actual(result.lo.type());
    actual.SetBits(0, value(-6).ToBits());
    EXPECT_EQ(Accepts(result, actual, 0), may_be_infinite) << policy;
  }
}

// What no step rounds has one result, and its neighbours are refused.
TEST(BatchNorm, WhatIsExactHasOneResult) {
  for (int trial = 0; trial < 100; ++trial) {
    NormCall<F32> call;
    for (int i = 0; i < 16; ++i) {
      const auto small = [] {
        return F32::Round(static_cast<double>(BelowOfNorms(17) - 8)).value;
      };
      call.operand.push_back(small());
      call.grad_output.push_back(small());
    }
    call.scale = F32::Round(2).value;
    call.offset = F32::Round(-3).value;
    call.mean = F32::Round(1).value;
    call.variance = F32::Round(3).value;
    call.epsilon = 1;
    for (const char* const id : {"batch_norm_grad", "batch_norm_training"}) {
      const FloatCall made = MakeNormCall(id, call);
      const Evaluation evaluation =
          Evaluate(made.op, made.inputs, Policy::Find("assay"), Marks::kNone);
      for (const Expectation& expectation : evaluation.outputs) {
        Tensor neighbour(expectation.lo.type());
        for (int64_t i = 0; i < neighbour.size(); ++i) {
          EXPECT_TRUE(expectation.IsExact(i)) << id << " " << trial;
          neighbour.SetBits(i, expectation.lo.Bits(i) ^ 1);
          EXPECT_FALSE(Accepts(expectation, neighbour, i)) << id;
        }
      }
    }
  }
}

// 1 and many addends of half a unit: from the left, none of them counts.
TEST(BatchNorm, BoundsOfSumsAreAttained) {
  constexpr int64_t kRows = 65;
  NormCall<F32> call;
  call.operand.assign(kRows, F32::Round(0).value);
  call.grad_output.assign(kRows, F32::Round(0x1p-24).value);
  call.grad_output[0] = F32::Round(1).value;
  call.scale = call.variance = call.grad_output[0];
  call.offset = call.mean = call.operand[0];
  const FloatCall made = MakeNormCall("batch_norm_grad", call);
  const Evaluation evaluation =
      Evaluate(made.op, made.inputs, Policy::Find("assay"), Marks::kNone);
  const Expectation& sum = evaluation.outputs[2];
  const double exact = 1 + (kRows - 1) * 0x1p-24;
  const double lo = F32::FromBits(sum.lo.As<F32>()[0]).ToDouble(),
               hi = F32::FromBits(sum.hi.As<F32>()[0]).ToDouble();
  EXPECT_LE(lo, 1);
  EXPECT_GE(hi, exact);
  const double attained = exact - 1;
  EXPECT_LE(exact - lo, 1.1 * attained);
  EXPECT_LE(hi - exact, 1.1 * attained);
}

// What lies below zero is nearest to the least value, and not to the greatest.
TEST(FloatIntervals, AFormatWithoutSignHasItsLeastValueBelowZero) {
  using Scale = Float<kF8E8M0FNU>;
  const long double infinite = std::numeric_limits<long double>::infinity();
  for (const long double below : {-infinite, -4.0L, 0.0L}) {
    const auto values = FloatArithmetic<Scale>::ValuesIn(
        RealInterval::Between(below, infinite));
    EXPECT_EQ(values.lo.ToBits(), 0);
    EXPECT_EQ(values.hi.ToBits(), Scale::Max(false).ToBits());
  }
}

// The sum of intervals is that of any values in them.
TEST(FloatIntervals, SumsOfIntervalsHaveAllSums) {
  const FloatArithmetic<F32> arithmetic(Policy::Find("assay"));
  const StepsOf<F32> steps;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<FloatInterval<F32>> intervals;
    std::vector<double> values;
    const int64_t count = 1 + BelowOfNorms(30);
    for (int64_t i = 0; i < count; ++i) {
      const F32 a = RandomOfNorm<F32>(1 + trial % 2),
                b = RandomOfNorm<F32>(1 + trial % 2);
      auto interval = FloatInterval<F32>::Of(a);
      interval.Add(b);
      intervals.push_back(interval);
      const double share = static_cast<double>(BelowOfNorms(5)) / 4;
      values.push_back(
          F32::Round(a.ToDouble() + share * (b.ToDouble() - a.ToDouble()))
              .value.ToDouble());
    }
    const FloatInterval<F32> sum = arithmetic.Sum(intervals);
    const double value = steps.Sum(values);
    EXPECT_LE(sum.lo.ToDouble(), value) << trial;
    EXPECT_GE(sum.hi.ToDouble(), value) << trial;
    EXPECT_FALSE(sum.has_nan);
  }
}

}  // namespace
}  // namespace assay
