#include "cases/accumulation/sum_probe.h"

#include <fmt/format.h>

#include <string_view>

namespace assay {
namespace {

// So many rows or columns are summed together, which is what vectors of columns
// and blocks of products need to show.
constexpr int64_t kBeside = 16;

std::string FunctionOf(const std::string& x, const std::string& second,
                       const std::string& name_of_second,
                       const std::string& result, const std::string& op) {
  return fmt::format(
      "func.func @main(%x: tensor<{0}>, %{4}: tensor<{1}>) -> tensor<{2}> {{\n"
      "%r = {3} : (tensor<{0}>, tensor<{1}>) -> tensor<{2}>\n"
      "return %r : tensor<{2}>\n}}\n",
      x, second, result, op, name_of_second);
}

std::string Reduce(const std::string& type, const std::string& shape,
                   const std::string& dimensions, const std::string& kept) {
  return FunctionOf(
      shape + "x" + type, type, "init", kept + type,
      fmt::format("\"stablehlo.reduce\"(%x, %init) <{{dimensions = array<i64: "
                  "{0}>}}> ({{\n^bb0(%a: tensor<{1}>, %b: tensor<{1}>):\n"
                  "%s = stablehlo.add %a, %b : tensor<{1}>\n"
                  "stablehlo.return %s : tensor<{1}>\n}})",
                  dimensions, type));
}

std::string ReduceVector(const std::string& type, int64_t n) {
  return Reduce(type, fmt::format("{}", n), "0", "");
}
std::string ReduceRows(const std::string& type, int64_t n) {
  return Reduce(type, fmt::format("{}x{}", kBeside, n), "1",
                fmt::format("{}x", kBeside));
}
std::string ReduceColumns(const std::string& type, int64_t n) {
  return Reduce(type, fmt::format("{}x{}", n, kBeside), "0",
                fmt::format("{}x", kBeside));
}
// The matrix is as square as its number of elements allows.
std::string ReduceBoth(const std::string& type, int64_t n) {
  int64_t rows = 1;
  for (int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) rows = d;
  }
  return Reduce(type, fmt::format("{}x{}", rows, n / rows), "0, 1", "");
}

std::string ReduceWindow(const std::string& type, int64_t n) {
  return FunctionOf(
      fmt::format("{}x{}", n, type), type, "init", "1x" + type,
      fmt::format(
          "\"stablehlo.reduce_window\"(%x, %init) <{{window_dimensions = "
          "array<i64: {0}>, window_strides = array<i64: 1>, base_dilations = "
          "array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<0> "
          ": tensor<1x2xi64>}}> ({{\n^bb0(%a: tensor<{1}>, %b: tensor<{1}>):\n"
          "%s = stablehlo.add %a, %b : tensor<{1}>\n"
          "stablehlo.return %s : tensor<{1}>\n}})",
          n, type));
}

std::string Dot(const std::string& x, const std::string& w,
                const std::string& result, const std::string& numbers) {
  return FunctionOf(x, w, "w", result,
                    "stablehlo.dot_general %x, %w, " + numbers +
                        ", precision = [DEFAULT, DEFAULT]");
}

std::string DotVectors(const std::string& type, int64_t n) {
  const std::string vector = fmt::format("{}x{}", n, type);
  return Dot(vector, vector, type, "contracting_dims = [0] x [0]");
}
std::string MatrixVector(const std::string& type, int64_t n) {
  return Dot(fmt::format("{}x{}x{}", kBeside, n, type),
             fmt::format("{}x{}", n, type), fmt::format("{}x{}", kBeside, type),
             "contracting_dims = [1] x [0]");
}
std::string MatrixMatrix(const std::string& type, int64_t n) {
  return Dot(fmt::format("{}x{}x{}", kBeside, n, type),
             fmt::format("{}x{}x{}", n, kBeside, type),
             fmt::format("{0}x{0}x{1}", kBeside, type),
             "contracting_dims = [1] x [0]");
}
std::string BatchOfMatrices(const std::string& type, int64_t n) {
  return Dot(fmt::format("4x{}x{}x{}", kBeside, n, type),
             fmt::format("4x{}x{}x{}", n, kBeside, type),
             fmt::format("4x{0}x{0}x{1}", kBeside, type),
             "batching_dims = [0] x [0], contracting_dims = [2] x [1]");
}

std::string Convolution(const std::string& x, const std::string& w,
                        const std::string& result) {
  return FunctionOf(
      x, w, "w", result,
      "stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, "
      "f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], "
      "rhs_dilate = [1], reverse = [0]} {batch_group_count = 1 : i64, "
      "feature_group_count = 1 : i64, precision_config = [#stablehlo<precision "
      "DEFAULT>, #stablehlo<precision DEFAULT>]}");
}

std::string ConvolutionOfWindow(const std::string& type, int64_t n) {
  return Convolution(fmt::format("1x{}x1x{}", n, type),
                     fmt::format("{}x1x1x{}", n, type),
                     fmt::format("1x1x1x{}", type));
}
std::string ConvolutionOfFeatures(const std::string& type, int64_t n) {
  return Convolution(fmt::format("1x{}x{}x{}", kBeside, n, type),
                     fmt::format("1x{}x{}x{}", n, kBeside, type),
                     fmt::format("1x{0}x{0}x{1}", kBeside, type));
}

constexpr char kReductionOrder[] = "reduction_order";
constexpr char kContractionOrder[] = "contraction_order";

constexpr SumProbe kProbes[] = {
    {.name = "reduce/vector",
     .what = "a vector",
     .text = ReduceVector,
     .policy_key = kReductionOrder},
    {.name = "reduce/rows",
     .what = "16 rows along the last axis",
     .text = ReduceRows,
     .policy_key = kReductionOrder},
    {.name = "reduce/columns",
     .what = "16 columns along the first axis",
     .text = ReduceColumns,
     .x_inner = kBeside,
     .policy_key = kReductionOrder},
    {.name = "reduce/matrix",
     .what = "a matrix along both axes",
     .text = ReduceBoth,
     .policy_key = kReductionOrder},
    {.name = "reduce_window/window",
     .what = "one window",
     .text = ReduceWindow,
     .policy_key = kReductionOrder},
    {.name = "dot_general/vectors",
     .what = "[n] x [n]",
     .text = DotVectors,
     .w_inner = 1,
     .policy_key = kContractionOrder},
    {.name = "dot_general/matvec",
     .what = "[16, n] x [n]",
     .text = MatrixVector,
     .w_inner = 1,
     .policy_key = kContractionOrder},
    {.name = "dot_general/matmul",
     .what = "[16, n] x [n, 16]",
     .text = MatrixMatrix,
     .w_inner = kBeside,
     .policy_key = kContractionOrder},
    {.name = "dot_general/batch",
     .what = "[4, 16, n] x [4, n, 16]",
     .text = BatchOfMatrices,
     .w_inner = kBeside,
     .policy_key = kContractionOrder},
    {.name = "convolution/window",
     .what = "a window of n",
     .text = ConvolutionOfWindow,
     .w_inner = 1,
     .policy_key = kContractionOrder},
    {.name = "convolution/features",
     .what = "n input features",
     .text = ConvolutionOfFeatures,
     .w_inner = kBeside,
     .policy_key = kContractionOrder},
};

}  // namespace

std::string SumProbe::Op() const {
  const std::string_view all = name;
  return std::string(all.substr(0, all.find('/')));
}

std::string SumProbe::Way() const {
  const std::string_view all = name;
  return std::string(all.substr(all.find('/') + 1));
}

std::span<const SumProbe> SumProbes() { return kProbes; }

}  // namespace assay
