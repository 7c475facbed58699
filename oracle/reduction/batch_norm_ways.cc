// The batch_norm ops as backends compute them where a policy lets them: steps
// that are fused or not rounded (`contraction`, `excess_precision`), and
// rearranged formulas (`algebraic_rewrites`).
#include "oracle/reduction/batch_norm.h"
#include "oracle/unrounded.h"

namespace assay::batch_norm {

Features::Features(const Op& op) : count_(0) {
  const Shape& shape = op.inputs[0].type.tensor().shape;
  const Tensor& index =
      std::get<Tensor>(op.FindAttribute("feature_index")->value);
  const auto feature_index = static_cast<size_t>(index.Bits(0));
  for (size_t d = 0; d < shape.size(); ++d) {
    if (d == feature_index) {
      count_ = shape[d];
    } else {
      (d < feature_index ? outer_ : inner_) *= shape[d];
    }
  }
}

std::vector<int64_t> Features::Wanted(const OpCall& op) const {
  std::vector<bool> is_wanted(static_cast<size_t>(count_), !op.elements);
  if (op.elements) {
    const int64_t end = std::min(op.elements->end, count_ * size());
    for (int64_t i = op.elements->begin; i < end; ++i)
      is_wanted[static_cast<size_t>(Of(i))] = true;
    for (int64_t f = op.elements->begin; f < std::min(op.elements->end, count_);
         ++f)
      is_wanted[static_cast<size_t>(f)] = true;
  }
  std::vector<int64_t> wanted;
  for (int64_t f = 0; f < count_; ++f) {
    if (is_wanted[static_cast<size_t>(f)]) wanted.push_back(f);
  }
  return wanted;
}

double EpsilonOf(const OpCall& op) {
  const Tensor& epsilon = std::get<Tensor>(op.FindAttribute("epsilon")->value);
  return Elements<F32>(epsilon)[0].ToDouble();
}

namespace {

// Returns the interval with both zeros, if it has one: a difference the other
// way round, or a product of other factors, has the other sign.
RealInterval WithBothZeros(RealInterval interval) {
  if (interval.has_numbers && interval.lo <= 0 && interval.hi >= 0) {
    interval.Add(RealInterval::Number(-0.0L));
    interval.Add(RealInterval::Number(0));
  }
  return interval;
}

}  // namespace

OtherWays::OtherWays(ElementType type, const Policy& policy)
    : real_(type, policy),
      rewrites_(policy.Get("algebraic_rewrites") == "allowed"),
      is_loose_(policy.Get("contraction") == "allowed" ||
                ExcessPrecision(policy).Allows(type)) {}

RealInterval OtherWays::Shifted(const RealInterval& variance,
                                double epsilon) const {
  const RealInterval constant = real_.Constant(epsilon);
  RealInterval shifted = real_.Add(variance, constant);
  // Where 0, or what is rounded to 0, is left out, -0 stays what it is.
  if (rewrites_ && constant.has_numbers && constant.lo <= 0 && constant.hi >= 0)
    shifted.Add(variance);
  return shifted;
}

RealInterval OtherWays::Normalized(const Operands& x, double epsilon) const {
  const RealArithmetic& r = real_;
  const RealInterval centered = r.Subtract(x.operand, x.mean);
  const RealInterval shifted = Shifted(x.variance, epsilon);
  const RealInterval stddev = r.Sqrt(shifted);
  RealInterval result =
      r.Add(r.Multiply(x.scale, r.Divide(centered, stddev)), x.offset);
  if (!rewrites_) return result;
  // The three factors in every order, and a factor of the operand alone.
  const RealInterval inverse = r.Rsqrt(shifted);
  const RealInterval factor = r.Multiply(x.scale, inverse);
  result.Add(
      r.Add(r.Multiply(r.Multiply(centered, inverse), x.scale), x.offset));
  result.Add(
      r.Add(r.Multiply(r.Multiply(centered, x.scale), inverse), x.offset));
  result.Add(r.Add(r.Divide(r.Multiply(centered, x.scale), stddev), x.offset));
  for (const RealInterval& by : {factor, r.Divide(x.scale, stddev)}) {
    result.Add(r.Add(r.Multiply(centered, by), x.offset));
    result.Add(r.Add(r.Multiply(x.operand, by),
                     r.Subtract(x.offset, r.Multiply(x.mean, by))));
  }
  return WithBothZeros(result);
}

OtherWays::Moments OtherWays::MomentsOf(
    std::span<const RealInterval> elements) const {
  const RealArithmetic& r = real_;
  const RealInterval divisor =
      r.Constant(static_cast<long double>(elements.size()));
  const RealInterval reciprocal = r.Divide(r.Constant(1), divisor);
  const auto mean_of = [&](const RealInterval& sum) {
    RealInterval mean = r.Divide(sum, divisor);
    if (rewrites_) mean.Add(r.Multiply(sum, reciprocal));
    return mean;
  };
  const RealInterval mean = mean_of(r.Sum(elements));
  std::vector<RealInterval> squares;
  for (const RealInterval& element : elements) {
    const RealInterval centered = r.Subtract(element, mean);
    squares.push_back(r.Multiply(centered, centered));
    // A square is not negative, although bounds of its factors are.
    if (squares.back().has_numbers && squares.back().lo < 0)
      squares.back().lo = 0;
  }
  RealInterval variance = mean_of(r.Sum(squares));
  if (rewrites_) {
    // The mean of the squares, less the square of the mean.
    squares.clear();
    for (const RealInterval& element : elements)
      squares.push_back(r.Multiply(element, element));
    const RealInterval one_pass =
        r.Subtract(mean_of(r.Sum(squares)), r.Multiply(mean, mean));
    variance.Add(one_pass);
    // What rounding makes negative may be replaced by 0.
    if (one_pass.has_numbers && one_pass.lo < 0)
      variance.Add(RealInterval::Number(0));
  }
  return {mean, variance};
}

OtherWays::Gradients OtherWays::GradientsOf(const Feature& x,
                                            double epsilon) const {
  const RealArithmetic& r = real_;
  const size_t count = x.operand.size();
  const RealInterval elements = r.Constant(static_cast<long double>(count));
  const RealInterval shifted = Shifted(x.variance, epsilon);
  const RealInterval stddev = r.Sqrt(shifted);
  std::vector<RealInterval> centered, products, normalized;
  const RealInterval inverse = rewrites_ ? r.Rsqrt(shifted) : RealInterval();
  for (size_t i = 0; i < count; ++i) {
    centered.push_back(r.Subtract(x.operand[i], x.mean));
    products.push_back(r.Multiply(x.grad_output[i], centered[i]));
    RealInterval quotient = r.Divide(centered[i], stddev);
    if (rewrites_) quotient.Add(r.Multiply(centered[i], inverse));
    normalized.push_back(r.Multiply(x.grad_output[i], quotient));
  }
  Gradients gradients;
  gradients.grad_offset = r.Sum(x.grad_output);
  gradients.grad_scale = r.Sum(normalized);
  const RealInterval i2 = gradients.grad_offset, i3 = r.Sum(products);
  RealInterval factor = r.Divide(r.Divide(x.scale, stddev), elements);
  RealInterval factor_without_count, by_element;
  if (rewrites_) {
    gradients.grad_scale.Add(r.Multiply(i3, inverse));
    gradients.grad_scale.Add(r.Divide(i3, stddev));
    gradients.grad_scale = WithBothZeros(gradients.grad_scale);
    factor_without_count = r.Multiply(x.scale, inverse);
    factor_without_count.Add(r.Divide(x.scale, stddev));
    by_element = r.Divide(r.Constant(1), elements);
    factor.Add(r.Divide(factor_without_count, elements));
    factor.Add(r.Multiply(factor_without_count, by_element));
  }
  for (size_t i = 0; i < count; ++i) {
    const RealInterval i1 = r.Multiply(x.grad_output[i], elements);
    RealInterval i5 = r.Divide(r.Multiply(i3, centered[i]), shifted);
    if (rewrites_) {
      i5.Add(r.Multiply(r.Divide(i3, shifted), centered[i]));
      i5.Add(r.Multiply(r.Multiply(i3, centered[i]),
                        r.Multiply(inverse, inverse)));
      i5.Add(r.Multiply(r.Multiply(i3, r.Multiply(inverse, inverse)),
                        centered[i]));
    }
    const RealInterval i6 = r.Subtract(r.Subtract(i1, i2), i5);
    RealInterval gradient = r.Multiply(factor, i6);
    if (rewrites_) {
      // The sums may be divided by the count one by one.
      const auto mean_of = [&](const RealInterval& sum) {
        RealInterval mean = r.Divide(sum, elements);
        mean.Add(r.Multiply(sum, by_element));
        return mean;
      };
      const RealInterval by_mean =
          r.Subtract(r.Subtract(x.grad_output[i], mean_of(i2)), mean_of(i5));
      gradient.Add(r.Multiply(by_mean, factor_without_count));
      gradient.Add(r.Multiply(mean_of(i6), factor_without_count));
      gradient = WithBothZeros(gradient);
    }
    gradients.grad_operand.push_back(gradient);
  }
  return gradients;
}

}  // namespace assay::batch_norm
