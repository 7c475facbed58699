#include "backends/cuda/contraction/elements.h"
#include "backends/cuda/contraction/sums.h"
#include "backends/cuda/core/launch.h"

namespace assay::cuda {
namespace {

// Sums of real numbers.
template <class T>
struct RealSum {
  T sum = 0;
  ASSAY_DEVICE void Add(const SumsJob& job, const unsigned char* lhs,
                        const unsigned char* rhs) {
    const T a = lhs == nullptr
                    ? T{0}
                    : LoadFloat<T>(job.operand, job.lhs_rounding, lhs);
    sum += a * LoadFloat<T>(job.operand, job.rhs_rounding, rhs);
  }
  ASSAY_DEVICE void Store(const SumsJob& job, unsigned char* to) const {
    StoreFloat(job.to, sum, to);
  }
};

template <class T>
struct ComplexSum {
  T real = 0, imaginary = 0;
  ASSAY_DEVICE static T Part(const SumsJob& job, const unsigned char* from,
                             int part) {
    if (from == nullptr) return 0;
    return LoadFloat<T>(job.operand, {}, from + part * job.operand.bytes);
  }
  ASSAY_DEVICE void Add(const SumsJob& job, const unsigned char* lhs,
                        const unsigned char* rhs) {
    const T a = Part(job, lhs, 0), b = Part(job, lhs, 1), c = Part(job, rhs, 0),
            d = Part(job, rhs, 1);
    real += a * c - b * d;
    imaginary += a * d + b * c;
  }
  ASSAY_DEVICE void Store(const SumsJob& job, unsigned char* to) const {
    StoreFloat(job.to, real, to);
    StoreFloat(job.to, imaginary, to + job.to.bytes);
  }
};

// Sums wrap, and so do their low bits.
template <bool kTruths>
struct IntegerSum {
  uint64_t sum = 0;
  ASSAY_DEVICE void Add(const SumsJob& job, const unsigned char* lhs,
                        const unsigned char* rhs) {
    const uint64_t a = lhs == nullptr ? 0 : LoadInteger(job.operand, lhs),
                   b = LoadInteger(job.operand, rhs);
    if (kTruths)
      sum |= a & b;
    else
      sum += a * b;
  }
  ASSAY_DEVICE void Store(const SumsJob& job, unsigned char* to) const {
    StoreInteger(job.to, sum, to);
  }
};

template <class Sum>
struct Sums {
  using Job = SumsJob;

  static ASSAY_DEVICE void Run(const SumsJob& job, int64_t item) {
    int64_t index[kMaxSumDims];
    int64_t lhs = 0, rhs = 0, result = 0;
    for (int d = job.num_result_dims - 1; d >= 0; --d) {
      const SumsJob::Dim& dim = job.dims[d];
      index[d] = item % dim.size;
      item /= dim.size;
      lhs += index[d] * dim.lhs_stride;
      rhs += index[d] * dim.rhs_stride;
      result += index[d] * dim.result_stride;
    }
    Sum sum;
    if (job.has_terms) SumTerms(job, lhs, rhs, index, &sum);
    sum.Store(job, job.result + result);
  }

 private:
  static ASSAY_DEVICE void SumTerms(const SumsJob& job, int64_t lhs,
                                    int64_t rhs, int64_t* index, Sum* sum) {
    const int inner = job.num_dims - 1;
    for (int d = job.num_result_dims; d < job.num_dims; ++d) index[d] = 0;
    const SumsJob::Dim& row = job.dims[inner];
    for (;;) {
      int64_t place = lhs;
      const bool is_inside = Find(job, index, &place);
      const unsigned char* a = job.lhs + place;
      const unsigned char* b = job.rhs + rhs;
      for (int64_t t = 0; t < row.size; ++t) {
        sum->Add(job, is_inside ? a : nullptr, b);
        a += row.lhs_stride;
        b += row.rhs_stride;
      }
      // Goes to the next index of the other dimensions of terms.
      int d = inner - 1;
      for (; d >= job.num_result_dims; --d) {
        const SumsJob::Dim& dim = job.dims[d];
        lhs += dim.lhs_stride;
        rhs += dim.rhs_stride;
        if (++index[d] < dim.size) break;
        lhs -= dim.size * dim.lhs_stride;
        rhs -= dim.size * dim.rhs_stride;
        index[d] = 0;
      }
      if (d < job.num_result_dims) return;
    }
  }

  // Adds where the windows are, or returns false if a place is no element.
  static ASSAY_DEVICE bool Find(const SumsJob& job, const int64_t* index,
                                int64_t* offset) {
    for (int w = 0; w < job.num_windows; ++w) {
      const SumsJob::Window& window = job.windows[w];
      const int64_t place = window.begin + index[window.row] * window.row_step +
                            index[window.term] * window.term_step;
      if (place < 0 || place % window.dilation != 0 ||
          place / window.dilation >= window.size)
        return false;
      *offset += place / window.dilation * window.stride;
    }
    return true;
  }
};

}  // namespace

void LaunchSums(const SumsJob& job, SumsOf of) {
  switch (of) {
    case SumsOf::kF32:
      return LaunchItems<Sums<RealSum<float>>>(job, job.results);
    case SumsOf::kF64:
      return LaunchItems<Sums<RealSum<double>>>(job, job.results);
    case SumsOf::kComplexF32:
      return LaunchItems<Sums<ComplexSum<float>>>(job, job.results);
    case SumsOf::kComplexF64:
      return LaunchItems<Sums<ComplexSum<double>>>(job, job.results);
    case SumsOf::kInteger:
      return LaunchItems<Sums<IntegerSum<false>>>(job, job.results);
    case SumsOf::kBool:
      return LaunchItems<Sums<IntegerSum<true>>>(job, job.results);
  }
}

}  // namespace assay::cuda
