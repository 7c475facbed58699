// The batch_norm ops share how the elements of a feature lie, how results are
// put down, and in which other ways a policy lets a backend compute them.
#ifndef ASSAY_ORACLE_REDUCTION_BATCH_NORM_H_
#define ASSAY_ORACLE_REDUCTION_BATCH_NORM_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "oracle/reduction/float_interval.h"

namespace assay::batch_norm {

// The elements of a tensor by the index that they have in one dimension.
class Features {
 public:
  // The op has a `feature_index` and an `operand`.
  explicit Features(const Op& op);

  int64_t count() const { return count_; }
  // Returns size(operand) / dim(operand, feature_index), the number of elements
  // of a feature.
  int64_t size() const { return outer_ * inner_; }
  int64_t Of(int64_t position) const { return position / inner_ % count_; }
  // Returns the position of element `i` of a feature, in the order of indices.
  int64_t At(int64_t feature, int64_t i) const {
    return (i / inner_ * count_ + feature) * inner_ + i % inner_;
  }
  // Returns which features a call asks for, where it asks for some elements of
  // its results only: results are by element, or by feature.
  std::vector<int64_t> Wanted(const OpCall& op) const;

 private:
  int64_t outer_ = 1, count_, inner_ = 1;
};

// Reads an operand by position. A clause that is broken on purpose may point
// beyond it.
template <class T>
class Values {
 public:
  explicit Values(const Tensor& tensor)
      : elements_(tensor), last_(tensor.size() - 1) {}
  FloatInterval<T> operator[](int64_t i) const {
    return FloatInterval<T>::Of(elements_[std::clamp<int64_t>(i, 0, last_)]);
  }

 private:
  const Elements<T> elements_;
  const int64_t last_;
};

double EpsilonOf(const OpCall& op);

// Puts intervals down as what a result is expected to be.
template <class T>
class Result {
 public:
  explicit Result(Expectation* expectation) : expectation_(*expectation) {}
  void Set(int64_t i, const FloatInterval<T>& interval) {
    auto* const lo = expectation_.lo.As<T>();
    lo[i] = (interval.has_numbers ? interval.lo : T::Nan()).ToBits();
    if (interval.IsOpen()) {
      expectation_.SetOpen(i);
    } else if (interval.has_numbers) {
      if (interval.has_nan) expectation_.Set(Expectation::kOrNan, i);
      if (interval.hi.ToBits() != interval.lo.ToBits())
        upper_ends_.emplace_back(i, interval.hi);
    }
  }
  void Finish() {
    if (upper_ends_.empty()) return;
    Tensor hi(expectation_.lo.type());
    std::copy_n(expectation_.lo.data(), hi.byte_size(), hi.data());
    for (const auto& [i, end] : upper_ends_) hi.As<T>()[i] = end.ToBits();
    expectation_.hi = std::move(hi);
  }

 private:
  Expectation& expectation_;
  std::vector<std::pair<int64_t, T>> upper_ends_;
};

// What policies let a backend do instead of the formula step by step. Each way
// gives an interval, and a result may be anything in the hull of these and of
// the formula's own: the intervals overlap, as all of them have the real value
// of the formula but for roundings, and where cancellation makes them wide no
// gap between them is of use.
class OtherWays {
 public:
  OtherWays(ElementType type, const Policy& policy);
  bool Any() const { return rewrites_ || is_loose_; }

  // What a result of batch_norm_inference is made of.
  struct Operands {
    RealInterval operand, scale, offset, mean, variance;
  };
  RealInterval Normalized(const Operands& x, double epsilon) const;

  struct Moments {
    RealInterval mean, variance;
  };
  Moments MomentsOf(std::span<const RealInterval> elements) const;

  // What a feature's results of batch_norm_grad are made of.
  struct Feature {
    RealInterval scale, mean, variance;
    std::vector<RealInterval> operand, grad_output;
  };
  struct Gradients {
    std::vector<RealInterval> grad_operand;
    RealInterval grad_scale, grad_offset;
  };
  Gradients GradientsOf(const Feature& x, double epsilon) const;

 private:
  // The variance and epsilon.
  RealInterval Shifted(const RealInterval& variance, double epsilon) const;

  const RealArithmetic real_;
  bool rewrites_, is_loose_;
};

}  // namespace assay::batch_norm

#endif  // ASSAY_ORACLE_REDUCTION_BATCH_NORM_H_
