#include <type_traits>

#include "backends/cuda/contraction/elements.h"
#include "backends/cuda/contraction/packing.h"
#include "backends/cuda/core/launch.h"

namespace assay::cuda {
namespace {

constexpr int kWordBytes = 16;

// Returns where an element lies in the tensor, in bytes.
ASSAY_DEVICE int64_t OffsetOf(const PackDims& job, uint32_t number) {
  int64_t offset = 0;
  for (int d = job.num_dims - 1; d >= 0; --d) {
    const PackDims::Dim& dim = job.dims[d];
    const uint32_t rest = dim.size.Quotient(number);
    offset += int64_t{number - rest * dim.size.divisor} * dim.stride;
    number = rest;
  }
  return offset;
}

ASSAY_DEVICE int64_t StepsOf(const PackJob::Window::Dim& dim, uint32_t number) {
  const uint32_t at = dim.below.Quotient(number),
                 index = at - dim.size.Quotient(at) * dim.size.divisor;
  return int64_t{index} * dim.step;
}

// Adds where the windows are, or returns false if a place is no element.
ASSAY_DEVICE bool Find(const PackJob& job, uint32_t number, int64_t* offset) {
  for (int w = 0; w < job.num_windows; ++w) {
    const PackJob::Window& window = job.windows[w];
    int64_t place = window.begin + StepsOf(window.row, number) +
                    StepsOf(window.term, number);
    if (place < 0) return false;
    if (window.dilation > 1) {
      if (place % window.dilation != 0) return false;
      place /= window.dilation;
    }
    if (place >= window.size) return false;
    *offset += place * window.stride;
  }
  return true;
}

template <class To>
struct Pack {
  using Job = PackJob;
  static ASSAY_DEVICE void Run(const PackJob& job, int64_t item) {
    reinterpret_cast<To*>(job.to)[item] =
        ElementAt(job, static_cast<uint32_t>(item));
  }

 private:
  static ASSAY_DEVICE To ElementAt(const PackJob& job, uint32_t number) {
    if (job.padded.divisor != job.row) {
      const uint32_t outer = job.padded.Quotient(number),
                     inner = number - outer * job.padded.divisor;
      if (inner >= job.row) return 0;
      number = outer * job.row + inner;
    }
    int64_t offset = OffsetOf(job, number);
    if (!Find(job, number, &offset)) return 0;
    if constexpr (std::is_floating_point_v<To>) {
      return LoadFloat<To>(job.element, job.rounding, job.from + offset);
    } else {
      return static_cast<To>(LoadInteger(job.element, job.from + offset));
    }
  }
};

struct PackWords {
  using Job = PackJob;
  static ASSAY_DEVICE void Run(const PackJob& job, int64_t item) {
    const auto number =
        static_cast<uint32_t>(item) * (kWordBytes / job.element.bytes);
    alignas(kWordBytes) unsigned char word[kWordBytes] = {};
    int64_t offset = OffsetOf(job, number);
    if (Find(job, number, &offset))
      LoadWord<kWordBytes>(job.from + offset, word);
    StoreWord<kWordBytes>(word, job.to + item * kWordBytes);
  }
};

template <class From>
struct Unpack {
  using Job = UnpackJob;
  static ASSAY_DEVICE void Run(const UnpackJob& job, int64_t item) {
    unsigned char* const to =
        job.to + OffsetOf(job, static_cast<uint32_t>(item));
    const From x = reinterpret_cast<const From*>(job.from)[item];
    if constexpr (std::is_floating_point_v<From>) {
      StoreFloat(job.element, x, to);
    } else {
      StoreInteger(job.element, static_cast<uint64_t>(int64_t{x}), to);
    }
  }
};

}  // namespace

void LaunchPack(const PackJob& job, MatrixType to, int64_t count) {
  if (to == MatrixType::kF32) return LaunchItems<Pack<float>>(job, count);
  if (to == MatrixType::kF64) return LaunchItems<Pack<double>>(job, count);
  LaunchItems<Pack<int8_t>>(job, count);
}

void LaunchPackWords(const PackJob& job, int64_t words) {
  LaunchItems<PackWords>(job, words);
}

void LaunchUnpack(const UnpackJob& job, MatrixType from, int64_t count) {
  if (from == MatrixType::kF32) return LaunchItems<Unpack<float>>(job, count);
  if (from == MatrixType::kF64) return LaunchItems<Unpack<double>>(job, count);
  LaunchItems<Unpack<int32_t>>(job, count);
}

}  // namespace assay::cuda
