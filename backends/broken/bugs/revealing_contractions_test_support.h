// This header has a call for each planted bug of dot_general and convolution on
// which it shows, as small as possible.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_CONTRACTIONS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_CONTRACTIONS_TEST_SUPPORT_H_

#include <map>
#include <string>
#include <vector>

#include "backends/broken/bugs/revealing_calls_test_support.h"
#include "backends/broken/bugs/revealing_layout_calls_test_support.h"
#include "backends/broken/bugs/revealing_window_calls_test_support.h"

namespace assay::broken {

// Returns a product of a row and a column, if the texts do not say otherwise.
inline LayoutCall DotOf(Placed lhs, Placed rhs, Placed result,
                        const Texts& texts = {}) {
  return Move(
      "dot_general", {std::move(lhs), std::move(rhs)}, std::move(result),
      WithDefaults(texts, {{"lhs_batching_dimensions", "[]"},
                           {"rhs_batching_dimensions", "[]"},
                           {"lhs_contracting_dimensions", "[1]"},
                           {"rhs_contracting_dimensions", "[0]"},
                           {"precision_config", "[DEFAULT, DEFAULT]"}}));
}

// Returns the sum of products of two lists.
inline LayoutCall SumOf(const DLDataType& type, const Values& lhs,
                        const Values& rhs, const DLDataType& result) {
  const auto count = static_cast<int64_t>(lhs.size() / PartsOf(type));
  return DotOf(Dense(type, {1, count}, lhs), Dense(type, {count, 1}, rhs),
               Dense(result, {1, 1}));
}

inline LayoutCall SumOfOnes(int count) {
  return SumOf(kI8, Values(static_cast<size_t>(count), 1),
               Values(static_cast<size_t>(count), 1), kI8);
}

// Returns a convolution whose padding is an operand. The batch and the output
// features are the first dimension, the features the second one.
inline LayoutCall ConvolutionOf(Placed lhs, Placed rhs, Placed result,
                                const Values& padding,
                                const Texts& texts = {}) {
  const size_t places = lhs.shape.size() - 2;
  std::string dimensions = "[";
  for (size_t d = 0; d < places; ++d)
    dimensions += (d > 0 ? ", " : "") + std::to_string(d + 2);
  dimensions += "]";
  const Placed operand =
      Dense(kI64, {static_cast<int64_t>(places), 2}, padding);
  return Move("dynamic_conv", {std::move(lhs), std::move(rhs), operand},
              std::move(result),
              WithDefaults(texts, {{"input_batch_dimension", "0"},
                                   {"input_feature_dimension", "1"},
                                   {"input_spatial_dimensions", dimensions},
                                   {"kernel_output_feature_dimension", "0"},
                                   {"kernel_input_feature_dimension", "1"},
                                   {"kernel_spatial_dimensions", dimensions},
                                   {"output_batch_dimension", "0"},
                                   {"output_feature_dimension", "1"},
                                   {"output_spatial_dimensions", dimensions},
                                   {"feature_group_count", "1"},
                                   {"batch_group_count", "1"}}));
}

// Returns a convolution of 1, 2, .. along one dimension.
inline LayoutCall Along(int64_t size, const Values& kernel, int64_t result,
                        const Values& padding = {0, 0},
                        const Texts& texts = {}) {
  return ConvolutionOf(
      CountingIn({1, 1, size}),
      Dense(kI8, {1, 1, static_cast<int64_t>(kernel.size())}, kernel),
      Dense(kI8, {1, 1, result}), padding, texts);
}

inline const std::map<std::string, LayoutCall>& RevealingContractions() {
  static const DLDataType i16 = {kDLInt, 16, 1};
  static const Placed square = CountingIn({2, 2});
  static const LayoutCall both_dimensions =
      DotOf(square, square, Dense(kI8, {}),
            {{"lhs_contracting_dimensions", "[0, 1]"},
             {"rhs_contracting_dimensions", "[0, 1]"}});
  static const LayoutCall square_product =
      DotOf(square, square, Dense(kI8, {2, 2}));
  static const Texts batched = {{"lhs_batching_dimensions", "[0]"},
                                {"rhs_batching_dimensions", "[0]"},
                                {"lhs_contracting_dimensions", "[2]"},
                                {"rhs_contracting_dimensions", "[1]"}};
  static const LayoutCall two_imaginary =
      SumOf(kC64, {0, kOne32}, {0, kOne32}, kC64);
  static const Values none = {0, 0, 0, 0};
  static const LayoutCall two_groups = ConvolutionOf(
      CountingIn({1, 2, 1}), CountingIn({2, 1, 1}), Dense(kI8, {1, 2, 1}),
      {0, 0}, {{"feature_group_count", "2"}});
  static const std::map<std::string, LayoutCall> calls = {
      {"DT01", SumOfOnes(3)},
      {"DT02", SumOfOnes(9)},
      {"DT03", SumOfOnes(65)},
      {"DT04", SumOfOnes(17)},
      {"DT10", DotOf(CountingIn({2, 2, 1}), CountingIn({2, 1}),
                     Dense(kI8, {2, 2}), batched)},
      {"DT11", both_dimensions},
      {"DT12", DotOf(CountingIn({2, 3, 1}), CountingIn({2, 1}),
                     Dense(kI8, {2, 3}), batched)},
      {"DT13", square_product},
      {"DT14", square_product},
      {"DT15", DotOf(CountingIn({2, 1, 1}), CountingIn({2, 1}),
                     Dense(kI8, {2, 1}), batched)},
      {"DT16", both_dimensions},
      // 1 + 2^-9.
      {"DT20", SumOf(kBf16, {0x3f80, 0x3b00}, {0x3f80, 0x3f80}, kF32)},
      // 65504 + 65504.
      {"DT21", SumOf(kF16, {0x7bff, 0x7bff}, {0x3c00, 0x3c00}, kF32)},
      // 1 + 2^-30.
      {"DT22", SumOf(kF64, {0x3ff0000000000000, 0x3e10000000000000},
                     {0x3ff0000000000000, 0x3ff0000000000000}, kF64)},
      {"DT23", SumOf(kF32, {}, {}, kF32)},
      {"DT24", SumOf(kF32, {0}, {0x7f800000}, kF32)},
      {"DT25", two_imaginary},
      {"DT26", SumOf(kF32, {0x3f800008}, {kOne32}, kF32)},
      // 1 + 3 * 2^-9.
      {"DT27", SumOf(kBf16, {0x3f80, 0x3bc0}, {0x3f80, 0x3f80}, kBf16)},
      {"DT28", SumOf(kF32, {1}, {kOne32}, kF32)},
      {"DT29", two_imaginary},
      {"DT40", SumOf(kI8, {100}, {100}, kI32)},
      {"DT41", SumOf(kI8, {-1}, {1}, kI32)},
      {"DT42", SumOf(kUi8, {200}, {1}, kI32)},
      {"DT43", SumOf(kI8, {100}, {2}, kI8)},
      {"DT44", SumOf(i16, {4097}, {4097}, kI32)},
      {"DT45", SumOf(kI64, {9007199254740993}, {1}, kI64)},
      {"DT46", SumOf(kI1, {1, 1}, {1, 1}, kI1)},
      {"DT47", SumOf(kI32, {1 << 20}, {1 << 20}, kI64)},
      {"CN01", ConvolutionOf(Dense(kF32, {1, 1, 1}, {kOne32}),
                             Dense(kF32, {1, 1, 2}, {0x7f800000, kOne32}),
                             Dense(kF32, {1, 1, 1}), {1, 0})},
      {"CN02", Along(2, {1}, 2)},
      {"CN10", Along(3, {1, 1}, 1, {0, 0}, {{"rhs_dilation", "[2]"}})},
      {"CN11", Along(2, {1}, 3, {0, 0}, {{"lhs_dilation", "[2]"}})},
      {"CN12", ConvolutionOf(CountingIn({1, 1, 1, 2}), CountingIn({1, 1, 1, 2}),
                             Dense(kI8, {1, 1, 1, 1}), none,
                             {{"window_reversal", "[false, true]"}})},
      {"CN13", two_groups},
      {"CN14",
       ConvolutionOf(CountingIn({4, 1, 1}), Dense(kI8, {2, 1, 1}, {1, 1}),
                     Dense(kI8, {2, 2, 1}), {0, 0},
                     {{"batch_group_count", "2"}})},
      {"CN15", ConvolutionOf(CountingIn({1, 4, 1}), CountingIn({2, 2, 1}),
                             Dense(kI8, {1, 2, 1}), {0, 0},
                             {{"feature_group_count", "2"}})},
      {"CN16",
       ConvolutionOf(CountingIn({1, 1, 3, 3}), Dense(kI8, {1, 1, 1, 1}, {1}),
                     Dense(kI8, {1, 1, 3, 2}), none,
                     {{"window_strides", "[1, 2]"}})},
      {"CN17", Along(2, {1}, 3, {1, 0})},
      {"CN18", Along(2, {1}, 1, {-1, 0})},
      {"CN19", Along(2, {1, 2}, 1)},
      {"CN20", two_groups},
      {"CN21", ConvolutionOf(CountingIn({1, 1, 2, 2}), CountingIn({1, 1, 2, 2}),
                             Dense(kI8, {1, 1, 1, 1}), none)},
      {"CN22", Along(3, {1, 1}, 2)},
  };
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_CONTRACTIONS_TEST_SUPPORT_H_
