// These are the steps of merge and order, for the bugs that change one.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_NEST_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_NEST_H_

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

// Returns whether two neighboring dimensions of a tensor can be one.
using AllowsMerging = bool (*)(const Job& job, const Tensor& tensor, int outer,
                               int inner);
inline bool ContinuesAcross(const Job& job, const Tensor& tensor, int outer,
                            int inner) {
  return tensor.strides[outer] == tensor.strides[inner] * job.shape[inner];
}
// Returns whether they can be one in every tensor of the job.
bool AllAllow(const Job& job, AllowsMerging allows, int outer, int inner);

// Drops dimensions of size 1, and merges where that is allowed.
void MergeWhere(AllowsMerging allows, Job* job);
// Makes `kept[0]`, `kept[1]`, .. the dimensions of the job, and no others.
void KeepDimensions(const int* kept, int rank, Job* job);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_NEST_H_
