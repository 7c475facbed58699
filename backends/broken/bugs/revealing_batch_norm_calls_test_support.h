// This header has a call for each planted bug of the batch_norm ops on which it
// shows.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_BATCH_NORM_CALLS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_BATCH_NORM_CALLS_TEST_SUPPORT_H_

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "backends/broken/kernel/layout_call_test_support.h"

namespace assay::broken {

inline Placed FloatsIn(const std::vector<int64_t>& shape,
                       const std::vector<float>& floats) {
  Values values;
  for (const float value : floats)
    values.push_back(std::bit_cast<uint32_t>(value));
  return Dense(kF32, shape, values);
}

inline LayoutCall BatchNormOf(const std::string& op,
                              const std::vector<Placed>& inputs,
                              const std::vector<Placed>& outputs, float epsilon,
                              const std::string& feature_index) {
  LayoutCall call = {op, inputs, outputs, {{"feature_index", feature_index}}};
  call.value = FloatsIn({}, {epsilon});
  call.value_name = "epsilon";
  return call;
}

// Normalizes with a mean of 0, a scale of 2 and an offset of 1.
inline LayoutCall InferenceOf(const std::vector<int64_t>& shape,
                              const std::vector<float>& operand,
                              const std::vector<float>& variance,
                              float epsilon = 0,
                              const std::string& feature_index = "1") {
  const std::vector<int64_t> features = {static_cast<int64_t>(variance.size())};
  const auto each = [&](float value) {
    return FloatsIn(features, std::vector<float>(variance.size(), value));
  };
  return BatchNormOf("batch_norm_inference",
                     {FloatsIn(shape, operand), each(2), each(1), each(0.3F),
                      FloatsIn(features, variance)},
                     {Dense(kF32, shape)}, epsilon, feature_index);
}

// This call has one feature.
inline LayoutCall TrainingOf(const Placed& operand, const Placed& one) {
  const DLDataType type = operand.type;
  return BatchNormOf(
      "batch_norm_training", {operand, one, one},
      {Dense(type, operand.shape), Dense(type, {1}), Dense(type, {1})}, 1, "1");
}
inline LayoutCall TrainingOf(const std::vector<float>& operand) {
  return TrainingOf(
      FloatsIn({static_cast<int64_t>(operand.size()), 1}, operand),
      FloatsIn({1}, {1}));
}

inline LayoutCall GradientOf(const std::vector<float>& operand,
                             const std::vector<float>& grad_output) {
  const std::vector<int64_t> shape = {static_cast<int64_t>(operand.size()), 1};
  const Placed one = FloatsIn({1}, {1});
  return BatchNormOf(
      "batch_norm_grad",
      {FloatsIn(shape, operand), one, one, one, FloatsIn(shape, grad_output)},
      {Dense(kF32, shape), Dense(kF32, {1}), Dense(kF32, {1})}, 3, "1");
}

inline const std::map<std::string, LayoutCall>& RevealingBatchNormCalls() {
  static const Placed one_of_bf16 = Dense(kBf16, {1}, {0x3f80});
  static const std::map<std::string, LayoutCall> calls = {
      {"BN01", InferenceOf({2, 2}, {1, 2, 3, 4}, {1, 4})},
      {"BN02", InferenceOf({2, 2}, {1, 2, 3, 4}, {1, 4}, 0, "0")},
      {"BN03", TrainingOf({1, 3})},
      {"BN04",
       BatchNormOf("batch_norm_training",
                   {FloatsIn({2, 2}, {1, 2, 3, 5}), FloatsIn({2}, {1, 1}),
                    FloatsIn({2}, {1, 1})},
                   {Dense(kF32, {2, 2}), Dense(kF32, {2}), Dense(kF32, {2})}, 1,
                   "1")},
      {"BN05", TrainingOf({256, 1})},
      // 1 + 2^-8 is 1 in bf16, with or without another 2^-8.
      {"BN06",
       TrainingOf(Dense(kBf16, {3, 1}, {0x3f80, 0x3b80, 0x3b80}), one_of_bf16)},
      {"BN07", TrainingOf({4096.5F, 4097.25F})},
      {"BN08", TrainingOf({1, 3})},
      {"BN09", InferenceOf({1, 1}, {1}, {4}, 5)},
      {"BN10", InferenceOf({1, 1}, {1}, {4})},
      {"BN11", InferenceOf({1, 1}, {1}, {-1}, 0.5F)},
      {"BN12", InferenceOf({1, 1}, {0.7F}, {5})},
      {"BN13", GradientOf({1, 2}, {1, 2})},
      {"BN14", GradientOf({1, 2}, {1, 2})},
      {"BN15", GradientOf({1, 2}, {1, 2})},
  };
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_BATCH_NORM_CALLS_TEST_SUPPORT_H_
