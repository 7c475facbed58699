// These bugs are on the way from strides to rows: in what is merged, sorted,
// dropped, and taken for contiguous. On contiguous vectors they are all sound.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/nest.h"

namespace assay::broken {
namespace {

// ------------------------------------------------------------------------ View

void SetRowMajor(const int64_t* shape, int rank, int64_t* strides) {
  int64_t stride = 1;
  for (int d = rank; d-- > 0; stride *= shape[d]) strides[d] = stride;
}

Tensor ViewAsRowMajor(const DLTensor& operand, const int* dimensions,
                      const Job& job, bool is_output) {
  int64_t strides[kMaxRank + 1];
  SetRowMajor(operand.shape, operand.ndim, strides);
  DLTensor contiguous = operand;
  contiguous.strides = strides;
  return View(contiguous, dimensions, job, is_output);
}

// ME07.
Tensor OutputIsRowMajor(const DLTensor& operand, const int* dimensions,
                        const Job& job, bool is_output) {
  return (is_output ? ViewAsRowMajor : View)(operand, dimensions, job,
                                             is_output);
}

// LY01.
Tensor InputsAreRowMajor(const DLTensor& operand, const int* dimensions,
                         const Job& job, bool is_output) {
  return (is_output ? View : ViewAsRowMajor)(operand, dimensions, job,
                                             is_output);
}

// ST05. The walk goes from the lowest address upward, whatever the sign.
Tensor StepsAreUpwards(const DLTensor& operand, const int* dimensions,
                       const Job& job, bool is_output) {
  Tensor tensor = View(operand, dimensions, job, is_output);
  const int bytes = (operand.dtype.bits + 7) / 8;
  for (int d = 0; d < job.rank; ++d) {
    int64_t& stride = tensor.strides[d];
    if (job.shape[d] <= 1 || stride >= 0) continue;
    tensor.data += (job.shape[d] - 1) * stride * bytes;
    stride = -stride;
  }
  return tensor;
}

// ----------------------------------------------------------------------- Merge

// ST02.
bool ContinuesByTheOuterSize(const Job& job, const Tensor& tensor, int outer,
                             int inner) {
  return tensor.strides[outer] == tensor.strides[inner] * job.shape[outer];
}
void MergeByTheOuterSize(Job* job) { MergeWhere(ContinuesByTheOuterSize, job); }

// ST03. A dimension of size 1 may be merged with any other; the bug keeps the
// stride of the inner one of the two.
void MergeAcrossOnes(Job* job) {
  int kept[kMaxRank];
  int rank = 0;
  for (int d = 0; d < job->rank; ++d) {
    const int outer = rank > 0 ? kept[rank - 1] : d;
    const bool is_merged =
        rank > 0 && (job->shape[outer] == 1 || job->shape[d] == 1 ||
                     AllAllow(*job, ContinuesAcross, outer, d));
    if (is_merged)
      job->shape[d] *= job->shape[outer];
    else
      ++rank;
    kept[rank - 1] = d;
  }
  KeepDimensions(kept, rank, job);
}

// ST06. The check for contiguous tensors ends at the first dimension if that is
// of size 1.
void LeadingOneIsContiguous(Job* job) {
  const auto take = [&](Tensor* tensor) {
    const bool is_broadcast =
        std::any_of(tensor->strides + 1, tensor->strides + job->rank,
                    [](int64_t stride) { return stride == 0; });
    if (!is_broadcast) SetRowMajor(job->shape, job->rank, tensor->strides);
  };
  if (job->rank > 1 && job->shape[0] == 1) {
    for (int k = 0; k < job->num_inputs; ++k) take(&job->in[k]);
    take(&job->out);
  }
  Merge(job);
}

// DG03.
void RankZeroIsEmpty(Job* job) {
  if (job->rank > 0) {
    Merge(job);
    return;
  }
  job->rank = 1;
  job->shape[0] = 0;
}

// DP02.
void RepeatsOneOfFive(Job* job) {
  const int64_t special[] = {13, 29, 5};
  if (job->rank == 3 && std::equal(special, special + 3, job->shape))
    job->in[0].strides[2] = 0;
  Merge(job);
}

// ----------------------------------------------------------------------- Order

// ST08. The dimensions are sorted by the strides of the first operand; the
// second operand is assumed to have the same layout.
void OrderOfTheFirst(Job* job) {
  const int64_t *a = job->in[0].strides, *b = job->in[1].strides;
  const auto has_zero = [&](const int64_t* strides) {
    return std::find(strides, strides + job->rank, 0) != strides + job->rank;
  };
  if (job->num_inputs < 2 || has_zero(a) || has_zero(b)) {
    Order(job);
    return;
  }
  int dimensions[kMaxRank];
  std::iota(dimensions, dimensions + job->rank, 0);
  std::stable_sort(dimensions, dimensions + job->rank, [&](int x, int y) {
    return std::abs(a[x]) > std::abs(a[y]);
  });
  if (std::is_sorted(dimensions, dimensions + job->rank)) return;
  KeepDimensions(dimensions, job->rank, job);
  std::copy_n(job->in[0].strides, job->rank, job->in[1].strides);
}

// ------------------------------------------------------------------------ Walk

// ST09.
void WalksFourDimensions(const Job& job) {
  Job inner = job;
  if (job.rank > 4) {
    int last[4];
    std::iota(last, last + 4, job.rank - 4);
    KeepDimensions(last, 4, &inner);
  }
  Walk(inner);
}

// DP01. The first element is wrong in its lowest bit.
void SpecialisedForSeventeen(const Job& job) {
  Walk(job);
  const bool is_special = job.rank == 4 && job.shape[3] == 17 &&
                          job.num_inputs > 1 && job.in[1].strides[3] == 0;
  if (is_special && job.shape[0] * job.shape[1] * job.shape[2] != 0)
    job.out.data[0] ^= 1;
}

// ----------------------------------------------------------------------- Store

// ME08. The bytes between two elements are stored with them.
void StoresWholeVectors(const Strip& strip, int64_t first, int count,
                        const Lanes& lanes) {
  Store(strip, first, count, lanes);
  if (count < kLanes || strip.stride != 2) return;
  const Strip gaps = {strip.data + strip.type.bytes, 2, strip.type};
  Store(gaps, first, count - 1, lanes);
}

constexpr Bug kBugs[] = {
    {"ME07", Replace<&Hooks::view, OutputIsRowMajor>},
    {"ME08", Replace<&Hooks::store, StoresWholeVectors>},
    {"ST02", Replace<&Hooks::merge, MergeByTheOuterSize>},
    {"ST03", Replace<&Hooks::merge, MergeAcrossOnes>},
    {"ST05", Replace<&Hooks::view, StepsAreUpwards>},
    {"ST06", Replace<&Hooks::merge, LeadingOneIsContiguous>},
    {"ST08", Replace<&Hooks::order, OrderOfTheFirst>},
    {"ST09", Replace<&Hooks::walk, WalksFourDimensions>},
    {"DG03", Replace<&Hooks::merge, RankZeroIsEmpty>},
    {"DP01", Replace<&Hooks::walk, SpecialisedForSeventeen>},
    {"DP02", Replace<&Hooks::merge, RepeatsOneOfFive>},
    {"LY01", Replace<&Hooks::view, InputsAreRowMajor>},
};

}  // namespace

std::span<const Bug> LayoutBugs() { return kBugs; }

}  // namespace assay::broken
