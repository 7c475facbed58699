// These are the sound hooks that make a loop nest of a job: fewer dimensions,
// longer rows.
//
// Neither may look at the stride of a dimension of size 1, which may be
// anything: merge comes first and drops these dimensions.
#include "backends/broken/kernel/nest.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace assay::broken {

bool AllAllow(const Job& job, AllowsMerging allows, int outer, int inner) {
  for (int k = 0; k < job.num_inputs; ++k) {
    if (!allows(job, job.in[k], outer, inner)) return false;
  }
  return allows(job, job.out, outer, inner);
}

void KeepDimensions(const int* kept, int rank, Job* job) {
  const auto keep = [&](int64_t* values) {
    int64_t old[kMaxRank];
    std::copy_n(values, job->rank, old);
    for (int d = 0; d < rank; ++d) values[d] = old[kept[d]];
  };
  for (int k = 0; k < job->num_inputs; ++k) keep(job->in[k].strides);
  keep(job->out.strides);
  keep(job->shape);
  job->rank = rank;
}

void MergeWhere(AllowsMerging allows, Job* job) {
  int kept[kMaxRank];
  int rank = 0;
  for (int d = 0; d < job->rank; ++d) {
    if (job->shape[d] == 1) continue;
    const int outer = rank - 1;
    if (rank > 0 && AllAllow(*job, allows, kept[outer], d)) {
      job->shape[d] *= job->shape[kept[outer]];
      kept[outer] = d;
    } else {
      kept[rank++] = d;
    }
  }
  KeepDimensions(kept, rank, job);
}

void Merge(Job* job) { MergeWhere(ContinuesAcross, job); }

void Order(Job* job) {
  int dimensions[kMaxRank];
  std::iota(dimensions, dimensions + job->rank, 0);
  std::stable_sort(dimensions, dimensions + job->rank, [&](int a, int b) {
    return std::abs(job->out.strides[a]) > std::abs(job->out.strides[b]);
  });
  KeepDimensions(dimensions, job->rank, job);
}

}  // namespace assay::broken
