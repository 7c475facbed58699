// A branch stands for the code of a kernel for calls of one kind: the sound
// walk goes from row to row, and a row is cut in two where the branch takes
// another path. Only the bugs of walks use this header.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_WALK_BRANCH_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_WALK_BRANCH_H_

#include <algorithm>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/nest.h"

namespace assay::broken::walk {

// A Piece is a part of a row.
struct Piece {
  const Job& job;
  const int64_t* index;  // of the row, of all dimensions but the last
  int64_t begin;         // in the row
  Row row;

  int64_t RowSize() const {
    return job.rank == 0 ? 1 : job.shape[job.rank - 1];
  }
  bool IsLastRow() const {
    return job.rank > 1 && index[job.rank - 2] == job.shape[job.rank - 2] - 1;
  }
};

inline void Shift(Strip* strip, int64_t elements) {
  strip->data += elements * strip->type.bytes;
}

inline int64_t Inner(const Job& job, const Tensor& tensor) {
  return job.rank == 0 ? 1 : tensor.strides[job.rank - 1];
}

inline int64_t Outer(const Job& job, const Tensor& tensor) {
  return tensor.strides[job.rank - 2];
}

inline bool IsEmptyJob(const Job& job) {
  return std::find(job.shape, job.shape + job.rank, 0) != job.shape + job.rank;
}

// A Branch says what a kind of walk is to the kernel. The dimensions of jobs
// are merged.
struct Branch {
  // Returns whether a tensor, an input or the output, lies as the branch needs.
  bool (*takes)(const Job& job, const Tensor& tensor);
  // Returns the position at which rows are cut, or 0.
  int64_t (*cut)(const Job& job);
  // Changes the strip of that tensor as the bug does in this part of a row.
  // Returns false if the part is left out.
  bool (*breaks)(const Piece& piece, const Tensor& tensor, Strip* strip);
  bool of_output;
};

template <const Branch& kBranch>
void WalkBranch(const Job& job) {
  bool takes[kMaxInputs + 1] = {};
  bool any = false;
  if (!IsEmptyJob(job) && !job.splits_or_joins) {
    for (int k = 0; k < job.num_inputs && !kBranch.of_output; ++k)
      any |= takes[k] = kBranch.takes(job, job.in[k]);
    if (kBranch.of_output)
      any = takes[kMaxInputs] = kBranch.takes(job, job.out);
  }
  if (!any) {
    Walk(job);
    return;
  }
  int64_t index[kMaxRank] = {};
  const int64_t size = job.rank == 0 ? 1 : job.shape[job.rank - 1];
  const int64_t cut = std::clamp<int64_t>(kBranch.cut(job), 0, size);
  do {
    for (const int64_t begin : {int64_t{0}, cut}) {
      const int64_t end = begin == 0 && cut > 0 ? cut : size;
      if (begin == end) continue;
      Piece piece = {job, index, begin, {job, {}, {}, end - begin}};
      const auto strip = [&](const Tensor& tensor) {
        const int64_t step = Inner(job, tensor);
        Strip at = {AddressOf(tensor, std::max(job.rank - 1, 0), index), step,
                    tensor.type};
        Shift(&at, begin * step);
        return at;
      };
      bool is_kept = true;
      for (int k = 0; k < job.num_inputs; ++k) {
        piece.row.in[k] = strip(job.in[k]);
        if (takes[k])
          is_kept &= kBranch.breaks(piece, job.in[k], &piece.row.in[k]);
      }
      piece.row.out = strip(job.out);
      if (takes[kMaxInputs])
        is_kept &= kBranch.breaks(piece, job.out, &piece.row.out);
      if (is_kept) RunRow(piece.row);
      if (cut == 0) break;
    }
  } while (Advance(job, job.rank - 1, index));
}

}  // namespace assay::broken::walk

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_WALK_BRANCH_H_
