#include "backends/calls/integers.h"

#include <string.h>

#include <algorithm>

#include "backends/calls/dims_view.h"
#include "backends/calls/tensors.h"
#include "backends/calls/violations.h"

namespace assay::calls {
namespace {

template <class T>
int64_t ReadAs(const unsigned char* element) {
  T value;
  memcpy(&value, element, sizeof(value));
  if constexpr (sizeof(T) == 8 && T(-1) > T(0)) {
    return value > static_cast<T>(INT64_MAX) ? INT64_MAX
                                             : static_cast<int64_t>(value);
  } else {
    return static_cast<int64_t>(value);
  }
}

}  // namespace

int64_t IntegerType::Read(const unsigned char* element) const {
  switch (bits) {
    case 64:
      return is_signed ? ReadAs<int64_t>(element) : ReadAs<uint64_t>(element);
    case 32:
      return is_signed ? ReadAs<int32_t>(element) : ReadAs<uint32_t>(element);
    case 16:
      return is_signed ? ReadAs<int16_t>(element) : ReadAs<uint16_t>(element);
    case 8:
      return is_signed ? ReadAs<int8_t>(element) : ReadAs<uint8_t>(element);
    default: {
      const int64_t value = *element & ((1 << bits) - 1);
      const int64_t sign = int64_t{1} << (bits - 1);
      return is_signed ? (value ^ sign) - sign : value;
    }
  }
}

bool ReadIntegerType(const AssayTensor& tensor, IntegerType* type) {
  Type of;
  if (!ParseType(tensor, &of) ||
      (of.kind != Kind::kSigned && of.kind != Kind::kUnsigned))
    return false;
  *type = {of.bits, of.kind == Kind::kSigned};
  return true;
}

const char* CheckList(const AssayTensor& list, int64_t size) {
  IntegerType type;
  if (!ReadIntegerType(list, &type)) return kIndexType;
  return list.tensor.ndim == 1 && list.tensor.shape[0] == size ? nullptr
                                                               : kOperandShapes;
}

const char* ReadHostIntegers(const AssayTensor& tensor,
                             std::vector<int64_t>* integers) {
  return ReadIntegersBy(
      [](const void* from, size_t bytes, void* to) {
        memcpy(to, from, bytes);
        return true;
      },
      tensor, integers);
}

const char* ReadIntegersBy(const ReadBytes& read, const AssayTensor& tensor,
                           std::vector<int64_t>* integers) {
  IntegerType type;
  if (!ReadIntegerType(tensor, &type)) return kIndexType;
  const DimsView view = DimsView::Of(tensor.tensor);
  const int64_t count = CountOf(view.shape);
  if (count == 0) return nullptr;
  // The elements lie between the first and the last one in memory.
  int64_t low = 0, high = 0;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    const int64_t step = (view.shape[d] - 1) * view.strides[d];
    (step < 0 ? low : high) += step;
  }
  const auto bytes = static_cast<int64_t>(type.bytes());
  std::vector<unsigned char> memory(
      static_cast<size_t>((high - low + 1) * bytes));
  if (!read(view.first + low * bytes, memory.size(), memory.data()))
    return "indices that cannot be read";
  std::vector<int64_t> index(view.shape.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = -low;
    for (size_t d = 0; d < index.size(); ++d)
      place += index[d] * view.strides[d];
    integers->push_back(type.Read(memory.data() + place * bytes));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < view.shape[d]) break;
      index[d] = 0;
    }
  }
  return nullptr;
}

}  // namespace assay::calls
