#include "backends/pjrt/types.h"

#include <string_view>

namespace assay::pjrt {
namespace {

struct NumberedType {
  std::string_view name;
  int32_t number;
};

constexpr NumberedType kTypes[] = {{"i1", 1},
                                   {"i8", 2},
                                   {"i16", 3},
                                   {"i32", 4},
                                   {"i64", 5},
                                   {"ui8", 6},
                                   {"ui16", 7},
                                   {"ui32", 8},
                                   {"ui64", 9},
                                   {"f16", 10},
                                   {"f32", 11},
                                   {"f64", 12},
                                   {"bf16", 13},
                                   {"complex<f32>", 14},
                                   {"complex<f64>", 15},
                                   {"f8E5M2", 16},
                                   {"f8E4M3FN", 17},
                                   {"f8E4M3B11FNUZ", 18},
                                   {"f8E5M2FNUZ", 19},
                                   {"f8E4M3FNUZ", 20},
                                   {"i4", 21},
                                   {"ui4", 22},
                                   {"i2", 24},
                                   {"ui2", 25},
                                   {"f8E4M3", 26},
                                   {"f8E3M4", 27},
                                   {"f8E8M0FNU", 28},
                                   {"f4E2M1FN", 29},
                                   {"f6E2M3FN", 32},
                                   {"f6E3M2FN", 33}};

// "f32" of "tensor<2x3xf32>".
std::string_view ElementOf(std::string_view type) {
  constexpr std::string_view kBegin = "tensor<";
  type.remove_prefix(kBegin.size());
  type.remove_suffix(1);
  size_t begin = 0;
  for (size_t i = 0; i < type.size(); ++i) {
    if (type[i] >= '0' && type[i] <= '9') continue;
    if (type[i] != 'x' || i == begin) break;
    begin = i + 1;
  }
  return type.substr(begin);
}

}  // namespace

int32_t TypeOf(const AssayTensor& tensor) {
  const std::string_view element = ElementOf(tensor.type);
  for (const NumberedType& type : kTypes) {
    if (type.name == element) return type.number;
  }
  return 0;
}

size_t BytesOf(const AssayTensor& tensor) {
  size_t bytes = (static_cast<size_t>(tensor.tensor.dtype.bits) *
                      tensor.tensor.dtype.lanes +
                  7) /
                 8;
  for (int32_t d = 0; d < tensor.tensor.ndim; ++d)
    bytes *= static_cast<size_t>(tensor.tensor.shape[d]);
  return bytes;
}

}  // namespace assay::pjrt
