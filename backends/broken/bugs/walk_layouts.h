// These predicates say how a tensor of a job lies, whose dimensions are merged.
// Each of them is the condition of a branch of a kernel. Only the bugs of walks
// use this header.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_WALK_LAYOUTS_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_WALK_LAYOUTS_H_

#include <algorithm>
#include <cstdlib>

#include "backends/broken/bugs/walk_branch.h"

namespace assay::broken::walk {

// The tensor is one row, with nothing between its elements.
template <int64_t kLeast, int64_t kMost>
bool IsRow(const Job& job, const Tensor& tensor) {
  return job.rank == 1 && Inner(job, tensor) == 1 && job.shape[0] >= kLeast &&
         job.shape[0] <= kMost;
}

template <int kRest>
bool IsRowOfVectors(const Job& job, const Tensor& tensor) {
  return IsRow<64, 1023>(job, tensor) && job.shape[0] % 64 == kRest;
}

inline bool IsRowOfChunks(const Job& job, const Tensor& tensor) {
  return IsRow<2048, 65535>(job, tensor) && job.shape[0] % 1024 == 0;
}

inline bool IsRowOfChunksAndTail(const Job& job, const Tensor& tensor) {
  return IsRow<1025, 65535>(job, tensor) && job.shape[0] % 1024 != 0;
}

inline bool IsSubByteRow(const Job& job, const Tensor& tensor) {
  return job.rank == 1 && !tensor.type.is_bool && tensor.type.bits < 8 &&
         Inner(job, tensor) == 1 && job.shape[0] > 64;
}

template <int kStep>
bool IsStepped(const Job& job, const Tensor& tensor) {
  return job.rank == 1 && Inner(job, tensor) == kStep && job.shape[0] > 64;
}

inline bool IsRepeatedRow(const Job& job, const Tensor& tensor) {
  return job.rank == 1 && Inner(job, tensor) == 0 && job.shape[0] > 64;
}

// The elements of a row are contiguous, and the distance of rows is none of the
// special ones.
template <int64_t kLeast, int64_t kMost>
bool HasRows(const Job& job, const Tensor& tensor) {
  if (job.rank != 2 || Inner(job, tensor) != 1) return false;
  const int64_t size = job.shape[1];
  return Outer(job, tensor) > size && Outer(job, tensor) != job.shape[0] &&
         size >= kLeast && size <= kMost && job.shape[0] <= 65535;
}

inline bool HasSubByteRows(const Job& job, const Tensor& tensor) {
  return HasRows<8, 1024>(job, tensor) && !tensor.type.is_bool &&
         tensor.type.bits < 8;
}

inline bool HasPitchOfRows(const Job& job, const Tensor& tensor) {
  return job.rank == 2 && Inner(job, tensor) == 1 &&
         Outer(job, tensor) == job.shape[0] && job.shape[0] > job.shape[1];
}

template <int kOuterSign, int kInnerSign>
bool HasSigns(const Job& job, const Tensor& tensor) {
  return job.rank == 2 && Outer(job, tensor) * kOuterSign > 0 &&
         Inner(job, tensor) * kInnerSign > 0;
}

inline bool HasRowsOfSteps(const Job& job, const Tensor& tensor) {
  return job.rank == 2 && Inner(job, tensor) == 2 && Outer(job, tensor) > 2;
}

inline bool Overlaps(const Job& job, const Tensor& tensor) {
  return job.rank == 2 && Inner(job, tensor) == 1 && Outer(job, tensor) == 1;
}

inline bool IsTransposed(const Job& job, const Tensor& tensor) {
  return job.rank == 2 && std::abs(Outer(job, tensor)) == 1 &&
         Inner(job, tensor) > 32;
}

// All operands are transposed. That is so if the output is transposed, because
// a job's dimensions are sorted by the output's strides.
inline bool AllAreTransposed(const Job& job, const Tensor& tensor) {
  return IsTransposed(job, tensor) &&
         std::all_of(job.in, job.in + job.num_inputs, [&](const Tensor& in) {
           return IsTransposed(job, in) || Inner(job, in) == 0;
         });
}

inline bool IsTransposedBatch(const Job& job, const Tensor& tensor) {
  return job.rank == 3 && Outer(job, tensor) == 1 && Inner(job, tensor) > 32;
}

inline bool IsRotated(const Job& job, const Tensor& tensor) {
  return job.rank == 3 && tensor.strides[0] == 1 && tensor.strides[2] > 1 &&
         tensor.strides[1] > tensor.strides[2];
}

template <bool kRow>
bool IsRepeatedOverSquare(const Job& job, const Tensor& tensor) {
  return job.rank == 2 && job.shape[0] == job.shape[1] &&
         (kRow ? Outer(job, tensor) == 0 && Inner(job, tensor) != 0
               : Inner(job, tensor) == 0 && Outer(job, tensor) != 0);
}

inline bool IsRepeatedWithin(const Job& job, const Tensor& tensor) {
  return job.rank == 3 && tensor.strides[0] != 0 && tensor.strides[1] == 0 &&
         tensor.strides[2] != 0;
}

inline bool IsRepeatedAround(const Job& job, const Tensor& tensor) {
  return job.rank == 3 && tensor.strides[0] == 0 && tensor.strides[1] != 0 &&
         tensor.strides[2] == 0;
}

inline bool HasSixDimensions(const Job& job, const Tensor&) {
  return job.rank >= 6;
}

inline bool HasManyRows(const Job& job, const Tensor&) {
  return job.rank >= 2 && job.shape[job.rank - 2] > 65535;
}

inline bool OutputIsRow(const Job& job, const Tensor& tensor) {
  return IsStepped<2>(job, tensor);
}

inline bool IsInPlace(const Job& job, const Tensor& tensor) {
  return job.rank == 1 && tensor.data == job.out.data && job.shape[0] > 8;
}

inline bool IsRowsInPlace(const Job& job, const Tensor& tensor) {
  return job.rank == 2 && tensor.data == job.out.data;
}

// Returns whether there are two or more operands, whose strides all differ.
inline bool HasStridesOfItsOwn(const Job& job, const Tensor& tensor) {
  if (job.rank != 2 || job.num_inputs < 2) return false;
  const auto is_alike = [&](const Tensor& other) {
    return std::equal(other.strides, other.strides + 2, tensor.strides);
  };
  return std::count_if(job.in, job.in + job.num_inputs, is_alike) == 1 &&
         &tensor != job.in && tensor.strides[0] > job.shape[1];
}

}  // namespace assay::broken::walk

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_WALK_LAYOUTS_H_
