// The tests of reduce_window and select_and_scatter write calls with these
// functions.
#ifndef ASSAY_ORACLE_REDUCTION_WINDOW_CALL_TEST_SUPPORT_H_
#define ASSAY_ORACLE_REDUCTION_WINDOW_CALL_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "oracle/reduction/reduce_test_support.h"

namespace assay {

// Lists have a number for each dimension.
struct WindowNumbers {
  std::vector<int64_t> sizes, strides, base_dilations, window_dilations;
  std::vector<int64_t> low, high;
};

inline Attribute PaddingAttribute(const WindowNumbers& numbers) {
  const auto rank = static_cast<int64_t>(numbers.low.size());
  Tensor padding(TensorType({rank, 2}, ElementType::kI64));
  for (int64_t d = 0; d < rank; ++d) {
    const auto at = static_cast<size_t>(d);
    padding.SetBits(2 * d, static_cast<ElementBits>(numbers.low[at]));
    padding.SetBits(2 * d + 1, static_cast<ElementBits>(numbers.high[at]));
  }
  return {"padding", padding};
}

inline FloatCall ReduceWindowCall(const std::vector<Tensor>& inputs,
                                  const std::vector<Tensor>& inits,
                                  const std::string& body,
                                  const WindowNumbers& numbers,
                                  const Shape& windows) {
  std::vector<TensorType> results;
  for (const Tensor& input : inputs)
    results.emplace_back(windows, input.element_type());
  return MakeRegionCall(
      "reduce_window",
      {{inputs, inits},
       body,
       {ListAttribute("window_dimensions", numbers.sizes),
        ListAttribute("window_strides", numbers.strides),
        ListAttribute("base_dilations", numbers.base_dilations),
        ListAttribute("window_dilations", numbers.window_dilations),
        PaddingAttribute(numbers)},
       results});
}

// Returns a call on a row, whose windows have so many elements.
inline FloatCall WindowsOfRow(ElementType type,
                              const std::vector<std::string>& row,
                              const std::string& init, const std::string& body,
                              int64_t size, int64_t low = 0, int64_t high = 0) {
  const auto length = static_cast<int64_t>(row.size());
  return ReduceWindowCall(
      {RowOfTexts(type, row)}, {TensorOfTexts(type, {}, {init})}, body,
      {{size}, {1}, {1}, {1}, {low}, {high}}, {low + length + high - size + 1});
}

// Returns a function of two scalars that compares them.
inline std::string SelectBy(const std::string& direction,
                            const std::string& type) {
  return fmt::format(
      "^bb0(%a: tensor<{1}>, %b: tensor<{1}>): "
      "%0 = stablehlo.compare {0}, %a, %b : (tensor<{1}>, tensor<{1}>) -> "
      "tensor<i1> stablehlo.return %0 : tensor<i1>",
      direction, type);
}

inline FloatCall SelectAndScatterCall(const Tensor& operand,
                                      const Tensor& source, const Tensor& init,
                                      const std::string& select,
                                      const std::string& scatter,
                                      const WindowNumbers& numbers) {
  return MakeRegionCall("select_and_scatter",
                        {{{operand}, {source}, {init}},
                         select,
                         {ListAttribute("window_dimensions", numbers.sizes),
                          ListAttribute("window_strides", numbers.strides),
                          PaddingAttribute(numbers)},
                         {operand.type()},
                         {},
                         scatter});
}

// Returns a call on a row, with a window for each source value.
inline FloatCall SelectFromRow(ElementType type,
                               const std::vector<std::string>& row,
                               const std::vector<std::string>& sources,
                               const std::string& init,
                               const std::string& select,
                               const std::string& scatter, int64_t size,
                               int64_t low = 0, int64_t high = 0) {
  return SelectAndScatterCall(RowOfTexts(type, row), RowOfTexts(type, sources),
                              TensorOfTexts(type, {}, {init}), select, scatter,
                              {{size}, {1}, {}, {}, {low}, {high}});
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_WINDOW_CALL_TEST_SUPPORT_H_
