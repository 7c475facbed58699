// The batch_norm ops, one feature after another, in loops over scalars. Each
// step is a call of this kernel on tensors of rank 0, as in regions.h.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_BATCH_NORM_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_BATCH_NORM_H_

#include <stdint.h>

#include <string_view>
#include <vector>

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/regions.h"

namespace assay::broken {

// A BatchNorm is a call of one of the ops, and how its operand lies.
struct BatchNorm {
  FunctionCall call;
  std::vector<int64_t> shape = {};
  size_t feature_index = 0;
  // These are scalars of the operand's type. `count` is the number of elements
  // of a feature.
  Scalar epsilon = {}, count = {}, zero = {};

  int64_t features() const { return shape[feature_index]; }
  int64_t size() const;
  const DLDataType& type() const { return epsilon.type; }
  // Returns the result of an op of the operand's type.
  Scalar Do(const char* op, const Tuple& operands) const;
  Scalar Number(int64_t number) const;
};

// What the elements of a feature are normalized with.
struct FeatureScalars {
  Scalar scale = {}, offset = {}, mean = {}, variance = {};
};

// The sums of a feature's gradients, and of their products with the centered
// elements.
struct GradientSums {
  Scalar gradients = {}, products = {};
};

bool IsBatchNorm(std::string_view op);
// Runs such a call. Returns as RunOp does.
const char* RunBatchNorm(const AssayCall& call, bool* is_declined);

// These are the sound hooks.
int64_t FeatureOf(const BatchNorm& norm, int64_t position);
std::vector<int64_t> MembersOf(const BatchNorm& norm, int64_t feature);
Scalar AddUp(const BatchNorm& norm, const Tuple& terms);
Scalar Variance(const BatchNorm& norm, const Tuple& elements,
                const Scalar& mean);
Scalar Normalized(const BatchNorm& norm, const FeatureScalars& feature,
                  const Scalar& element);
Scalar Gradient(const BatchNorm& norm, const FeatureScalars& feature,
                const GradientSums& sums, const Scalar& element,
                const Scalar& gradient);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_BATCH_NORM_H_
