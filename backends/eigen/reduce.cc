// reduce by one op is Eigen's reduction of an array, and the op once more for
// the initial value.
#include <string.h>

#include <algorithm>
#include <vector>

#include "backends/eigen/dimensions.h"
#include "backends/eigen/operands.h"

namespace assay::eigen {
namespace {

template <typename T>
using Terms =
    Eigen::Map<const Vector<T>, Eigen::Unaligned, Eigen::InnerStride<>>;

template <typename T>
T Reduced(const char* monoid, T init, const Terms<T>& terms) {
  if (terms.size() == 0) return init;
  if (strcmp(monoid, "add") == 0) return init + terms.sum();
  if (strcmp(monoid, "multiply") == 0) return init * terms.prod();
  if constexpr (!Eigen::NumTraits<T>::IsComplex) {
    if (strcmp(monoid, "maximum") == 0) return std::max(init, terms.maxCoeff());
    if (strcmp(monoid, "minimum") == 0) return std::min(init, terms.minCoeff());
  }
  throw Unsupported(std::string("the function ") + monoid);
}

}  // namespace

void Reduce(const AssayCall& call) {
  if (call.functions == nullptr || call.functions[0].monoid == nullptr ||
      call.num_captures != 0)
    throw Unsupported("a function of more than one op");
  const DLTensor& operand = call.inputs[0].tensor;
  std::vector<bool> is_reduced(static_cast<size_t>(operand.ndim));
  Numbers dimensions = Take(call, "dimensions", &is_reduced);
  std::ranges::sort(dimensions);
  const One terms = AsOne(operand, dimensions),
            rows = AsOne(operand, Rest(is_reduced));
  int64_t n = 0;
  const DLTensor& result = call.outputs[0].tensor;
  const One results = Next(result, static_cast<size_t>(result.ndim), &n);
  if (results.size != rows.size) throw Unsupported("a mix of shapes");
  if (First<char>(call.outputs[0]) == First<char>(call.inputs[0]))
    throw Unsupported("a result in the place of an operand");
  VisitNumbers(call, [&](auto t) {
    using T = decltype(t);
    for (int64_t row = 0; row < results.size; ++row) {
      First<T>(call.outputs[0])[row * results.stride] =
          Reduced<T>(call.functions[0].monoid, *First<T>(call.inputs[1]),
                     Terms<T>(First<T>(call.inputs[0]) + row * rows.stride,
                              terms.size, Eigen::InnerStride<>(terms.stride)));
    }
  });
}

}  // namespace assay::eigen
