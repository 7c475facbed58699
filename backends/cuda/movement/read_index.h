// Reads the indices of windows in kernels.
#ifndef ASSAY_BACKENDS_CUDA_MOVEMENT_READ_INDEX_H_
#define ASSAY_BACKENDS_CUDA_MOVEMENT_READ_INDEX_H_

#include "backends/cuda/core/device.h"
#include "backends/cuda/movement/windows.h"

namespace assay::cuda {

template <class T>
ASSAY_DEVICE int64_t IntegerAs(const unsigned char* element) {
  T value;
  memcpy(&value, element, sizeof(value));
  return static_cast<int64_t>(value);
}

// An integer that int64_t does not have becomes the greatest that it has.
ASSAY_DEVICE int64_t ReadIndex(const WindowsJob& job, int64_t place) {
  const unsigned char* const element = job.indices + place;
  switch (job.index_bits) {
    case 64: {
      const auto value = IntegerAs<int64_t>(element);
      return value < 0 && !job.is_signed ? INT64_MAX : value;
    }
    case 32:
      return job.is_signed ? IntegerAs<int32_t>(element)
                           : IntegerAs<uint32_t>(element);
    case 16:
      return job.is_signed ? IntegerAs<int16_t>(element)
                           : IntegerAs<uint16_t>(element);
    case 8:
      return job.is_signed ? IntegerAs<int8_t>(element)
                           : IntegerAs<uint8_t>(element);
    default: {
      const int64_t value = *element & ((1 << job.index_bits) - 1);
      const int64_t sign = int64_t{1} << (job.index_bits - 1);
      return job.is_signed ? (value ^ sign) - sign : value;
    }
  }
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_MOVEMENT_READ_INDEX_H_
