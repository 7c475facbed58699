// These bugs are in the batch_norm ops: in which elements belong to a feature,
// in sums over them, and in the formulas.
#include <algorithm>
#include <numeric>
#include <vector>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/batch_norm.h"

namespace assay::broken {
namespace {

// BN01. Where the first dimension has another size, there would be other
// features.
int64_t FeaturesAreTheFirstDimension(const BatchNorm& norm, int64_t position) {
  if (norm.shape[0] != norm.features()) return FeatureOf(norm, position);
  return position / (norm.size() / norm.shape[0]);
}

// BN02.
int64_t FeaturesAreTheLastDimension(const BatchNorm& norm, int64_t position) {
  return position % norm.features();
}

// BN03. One element is right.
std::vector<int64_t> LosesTheLastElement(const BatchNorm& norm,
                                         int64_t feature) {
  std::vector<int64_t> members = MembersOf(norm, feature);
  if (members.size() > 1) members.pop_back();
  return members;
}

// BN04. The elements that lie one behind the other.
std::vector<int64_t> AddsAlongTheWrongDimension(const BatchNorm& norm,
                                                int64_t feature) {
  const auto count = static_cast<int64_t>(MembersOf(norm, feature).size());
  std::vector<int64_t> members(static_cast<size_t>(count));
  std::iota(members.begin(), members.end(), feature * count);
  return members;
}

// Adds in another type.
Scalar AddUpIn(const DLDataType& type, const BatchNorm& norm,
               const Tuple& terms) {
  Scalar sum = ConvertedTo(norm.call, type, norm.zero);
  for (const Scalar& term : terms)
    sum = norm.Do("add", {sum, ConvertedTo(norm.call, type, term)});
  return ConvertedTo(norm.call, norm.type(), sum);
}

// BN05. Of f32 alone.
Scalar AddsInBf16(const BatchNorm& norm, const Tuple& terms) {
  constexpr DLDataType kF32 = {kDLFloat, 32, 1};
  return HasType(norm.zero, kF32) ? AddUpIn({kDLBfloat, 16, 1}, norm, terms)
                                  : AddUp(norm, terms);
}

// BN06. Of types below f32, where policies that allow wider sums do not see it.
Scalar AddsInF32(const BatchNorm& norm, const Tuple& terms) {
  return norm.type().bits < 32 ? AddUpIn({kDLFloat, 32, 1}, norm, terms)
                               : AddUp(norm, terms);
}

// BN07.
Scalar VarianceInOnePass(const BatchNorm& norm, const Tuple& elements,
                         const Scalar& mean) {
  Tuple squares;
  for (const Scalar& element : elements)
    squares.push_back(norm.Do("multiply", {element, element}));
  return norm.Do(
      "subtract",
      {norm.Do("divide", {ActiveHooks().add_up(norm, squares), norm.count}),
       norm.Do("multiply", {mean, mean})});
}

// BN08. One element has no such variance, and is right.
Scalar VarianceOfASample(const BatchNorm& norm, const Tuple& elements,
                         const Scalar& mean) {
  const auto count = static_cast<int64_t>(elements.size());
  if (count < 2) return Variance(norm, elements, mean);
  BatchNorm sample = norm;
  sample.count = norm.Number(count - 1);
  return Variance(sample, elements, mean);
}

// BN09.
Scalar EpsilonIsAddedToTheRoot(const BatchNorm& norm,
                               const FeatureScalars& feature,
                               const Scalar& element) {
  const Scalar centered = norm.Do("subtract", {element, feature.mean});
  const Scalar root = norm.Do("sqrt", {feature.variance});
  const Scalar normalized =
      norm.Do("divide", {centered, norm.Do("add", {root, norm.epsilon})});
  return norm.Do("add", {norm.Do("multiply", {feature.scale, normalized}),
                         feature.offset});
}

// BN10.
Scalar ScaleIsOffset(const BatchNorm& norm, const FeatureScalars& feature,
                     const Scalar& element) {
  return Normalized(
      norm, {feature.offset, feature.scale, feature.mean, feature.variance},
      element);
}

// BN11. The root of a negative number is 0.
Scalar NegativeVarianceIsZero(const BatchNorm& norm,
                              const FeatureScalars& feature,
                              const Scalar& element) {
  FeatureScalars clamped = feature;
  clamped.variance = norm.Do("maximum", {feature.variance, norm.zero});
  return Normalized(norm, clamped, element);
}

// BN12. A factor and a term for each feature, as for whole tensors of them.
Scalar OneFactorAndOneTerm(const BatchNorm& norm, const FeatureScalars& feature,
                           const Scalar& element) {
  const Scalar root =
      norm.Do("sqrt", {norm.Do("add", {feature.variance, norm.epsilon})});
  const Scalar factor = norm.Do("divide", {feature.scale, root});
  const Scalar term =
      norm.Do("subtract",
              {feature.offset, norm.Do("multiply", {feature.mean, factor})});
  return norm.Do("add", {norm.Do("multiply", {element, factor}), term});
}

// BN13.
Scalar WithoutTheMeanOfGradients(const BatchNorm& norm,
                                 const FeatureScalars& feature,
                                 const GradientSums& sums,
                                 const Scalar& element,
                                 const Scalar& gradient) {
  return Gradient(norm, feature, {norm.zero, sums.products}, element, gradient);
}

// BN14. The variance is taken for a constant.
Scalar WithoutTheGradientOfTheVariance(const BatchNorm& norm,
                                       const FeatureScalars& feature,
                                       const GradientSums& sums,
                                       const Scalar& element,
                                       const Scalar& gradient) {
  return Gradient(norm, feature, {sums.gradients, norm.zero}, element,
                  gradient);
}

// BN15.
Scalar WithoutEpsilonInTheGradient(const BatchNorm& norm,
                                   const FeatureScalars& feature,
                                   const GradientSums& sums,
                                   const Scalar& element,
                                   const Scalar& gradient) {
  BatchNorm without = norm;
  without.epsilon = norm.zero;
  return Gradient(without, feature, sums, element, gradient);
}

constexpr auto kNormalized = &Hooks::normalized;
constexpr auto kGradient = &Hooks::gradient;
constexpr Bug kBatchNormBugs[] = {
    {"BN01", Replace<&Hooks::feature, FeaturesAreTheFirstDimension>},
    {"BN02", Replace<&Hooks::feature, FeaturesAreTheLastDimension>},
    {"BN03", Replace<&Hooks::members, LosesTheLastElement>},
    {"BN04", Replace<&Hooks::members, AddsAlongTheWrongDimension>},
    {"BN05", Replace<&Hooks::add_up, AddsInBf16>},
    {"BN06", Replace<&Hooks::add_up, AddsInF32>},
    {"BN07", Replace<&Hooks::variance, VarianceInOnePass>},
    {"BN08", Replace<&Hooks::variance, VarianceOfASample>},
    {"BN09", Replace<kNormalized, EpsilonIsAddedToTheRoot>},
    {"BN10", Replace<kNormalized, ScaleIsOffset>},
    {"BN11", Replace<kNormalized, NegativeVarianceIsZero>},
    {"BN12", Replace<kNormalized, OneFactorAndOneTerm>},
    {"BN13", Replace<kGradient, WithoutTheMeanOfGradients>},
    {"BN14", Replace<kGradient, WithoutTheGradientOfTheVariance>},
    {"BN15", Replace<kGradient, WithoutEpsilonInTheGradient>},
};

}  // namespace

std::span<const Bug> BatchNormBugs() { return kBatchNormBugs; }

}  // namespace assay::broken
