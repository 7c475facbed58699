// Calls of convolution, and their results by loops over indices, beside those
// of dot_general in contraction_test_support.h.
#ifndef ASSAY_BACKENDS_CALLS_CONVOLUTION_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_CALLS_CONVOLUTION_TEST_SUPPORT_H_

#include "backends/calls/contraction_test_support.h"

namespace assay::contraction_test {

// Dimension numbers are those of the attributes: the batch (or output feature),
// the feature (or input feature), and the places.
struct ConvolutionCall {
  TestTensor lhs, rhs, result;
  Numbers input, kernel, output;
  Numbers strides, padding, lhs_dilation, rhs_dilation, reversal;
  int64_t groups = 1, batch_groups = 1;

  Texts Attributes() const {
    std::string truths = "[";
    for (const int64_t is_reversed : reversal) {
      truths += truths.size() > 1 ? ", " : "";
      truths += is_reversed != 0 ? "true" : "false";
    }
    const auto one = [](const Numbers& dims, size_t i) {
      return std::to_string(dims[i]);
    };
    const auto places = [](const Numbers& dims) {
      return TextOf(Numbers(dims.begin() + 2, dims.end()));
    };
    return {{"window_strides", TextOf(strides)},
            {"lhs_dilation", TextOf(lhs_dilation)},
            {"rhs_dilation", TextOf(rhs_dilation)},
            {"window_reversal", truths + "]"},
            {"input_batch_dimension", one(input, 0)},
            {"input_feature_dimension", one(input, 1)},
            {"input_spatial_dimensions", places(input)},
            {"kernel_output_feature_dimension", one(kernel, 0)},
            {"kernel_input_feature_dimension", one(kernel, 1)},
            {"kernel_spatial_dimensions", places(kernel)},
            {"output_batch_dimension", one(output, 0)},
            {"output_feature_dimension", one(output, 1)},
            {"output_spatial_dimensions", places(output)},
            {"feature_group_count", std::to_string(groups)},
            {"batch_group_count", std::to_string(batch_groups)},
            {"precision_config", "[DEFAULT, DEFAULT]"}};
  }
  TestAnswer Call() {
    return RunOn("convolution", {&lhs, &rhs}, &result, Attributes(), &padding);
  }
  TestAnswer CallDynamic(const ElementType& type) {
    TestTensor operand(type, {std::ssize(strides), 2});
    ForEach(operand.shape, [&](const Numbers& index) {
      const auto at = static_cast<size_t>(2 * index[0] + index[1]);
      operand.Set(index, {static_cast<uint64_t>(padding[at]), 0});
    });
    return RunOn("dynamic_conv", {&lhs, &rhs, &operand}, &result, Attributes());
  }

  // Returns the sum that belongs to an index of the result.
  Element Expected(const Numbers& index) {
    const auto dim = [](const Numbers& dims, size_t i) {
      return static_cast<size_t>(dims[i]);
    };
    const int64_t image = index[dim(output, 0)], made = index[dim(output, 1)];
    const int64_t made_in_all = rhs.shape[dim(kernel, 0)];
    const int64_t features = rhs.shape[dim(kernel, 1)];
    const int64_t group = made / (made_in_all / std::max(groups, batch_groups));
    Numbers window;
    for (size_t s = 0; s < strides.size(); ++s)
      window.push_back(rhs.shape[dim(kernel, s + 2)]);
    window.push_back(features);
    Numbers of_lhs(lhs.shape.size()), of_rhs(rhs.shape.size());
    of_rhs[dim(kernel, 0)] = made;
    of_lhs[dim(input, 0)] =
        batch_groups > 1
            ? group * (lhs.shape[dim(input, 0)] / batch_groups) + image
            : image;
    Sum sum;
    ForEach(window, [&](const Numbers& term) {
      of_rhs[dim(kernel, 1)] = term.back();
      of_lhs[dim(input, 1)] = term.back() + (groups > 1 ? group * features : 0);
      bool is_zero = false;
      for (size_t s = 0; s < strides.size(); ++s) {
        of_rhs[dim(kernel, s + 2)] = term[s];
        const int64_t in_window =
            reversal[s] != 0 ? window[s] - 1 - term[s] : term[s];
        const int64_t place = index[dim(output, s + 2)] * strides[s] +
                              in_window * rhs_dilation[s] - padding[2 * s];
        if (place < 0 || place % lhs_dilation[s] != 0 ||
            place / lhs_dilation[s] >= lhs.shape[dim(input, s + 2)]) {
          is_zero = true;
        } else {
          of_lhs[dim(input, s + 2)] = place / lhs_dilation[s];
        }
      }
      sum.Add(lhs.type, is_zero ? Element() : lhs.Get(of_lhs), rhs.Get(of_rhs));
    });
    return sum.total;
  }
};

// Draws numbers of every kind, and dimensions in any order.
inline ConvolutionCall DrawConvolution(std::mt19937_64& random,
                                       const ElementType& type) {
  const auto draw = [&](int64_t below) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(below));
  };
  const auto spatial = static_cast<size_t>(draw(5));
  const int64_t kind = draw(3);
  const int64_t groups = kind == 1 ? 1 + draw(3) : 1,
                batch_groups = kind == 2 ? 1 + draw(3) : 1;
  const int64_t features = draw(16) == 0 ? 0 : 1 + draw(4),
                made = groups * batch_groups * (1 + draw(3)),
                images = batch_groups * (draw(16) == 0 ? 0 : 1 + draw(3));
  Numbers lhs = {images, features * groups}, rhs = {made, features},
          result = {images / batch_groups, made};
  Numbers strides, padding, lhs_dilation, rhs_dilation, reversal;
  for (size_t s = 0; s < spatial; ++s) {
    const int64_t size = draw(20) == 0 ? 0 : 1 + draw(spatial < 3 ? 9 : 4);
    const int64_t window = draw(30) == 0 ? 0 : 1 + draw(3);
    strides.push_back(1 + draw(3));
    lhs_dilation.push_back(1 + (draw(2) == 0 ? draw(3) : 0));
    rhs_dilation.push_back(1 + (draw(2) == 0 ? draw(3) : 0));
    reversal.push_back(draw(2));
    const int64_t low = draw(5) - 1, high = draw(5) - 1;
    padding.push_back(low);
    padding.push_back(high);
    const int64_t dilated =
        size == 0 ? 0 : (size - 1) * lhs_dilation.back() + 1;
    const int64_t padded = low + dilated + high;
    const int64_t reach =
        window == 0 ? 0 : (window - 1) * rhs_dilation.back() + 1;
    const bool is_empty = padded == 0 || reach > padded;
    lhs.push_back(size);
    rhs.push_back(window);
    result.push_back(is_empty ? 0 : (padded - reach) / strides.back() + 1);
  }
  const auto place = [&](const Numbers& sizes, Numbers* dims) {
    dims->resize(sizes.size());
    std::iota(dims->begin(), dims->end(), 0);
    std::shuffle(dims->begin(), dims->end(), random);
    Numbers shape(sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i)
      shape[static_cast<size_t>((*dims)[i])] = sizes[i];
    return shape;
  };
  Numbers input, kernel, output;
  const Numbers lhs_shape = place(lhs, &input), rhs_shape = place(rhs, &kernel),
                result_shape = place(result, &output);
  ConvolutionCall call = {TestTensor(type, lhs_shape),
                          TestTensor(type, rhs_shape),
                          TestTensor(type, result_shape),
                          input,
                          kernel,
                          output,
                          strides,
                          padding,
                          lhs_dilation,
                          rhs_dilation,
                          reversal,
                          groups,
                          batch_groups};
  for (TestTensor* tensor : {&call.lhs, &call.rhs, &call.result})
    tensor->DrawLayout(random);
  call.lhs.DrawValues(random);
  call.rhs.DrawValues(random);
  return call;
}

}  // namespace assay::contraction_test

#endif  // ASSAY_BACKENDS_CALLS_CONVOLUTION_TEST_SUPPORT_H_
