#include "backends/cuda/reduction/scatter.h"

#include <bit>
#include <optional>

#include "backends/calls/overlap.h"
#include "backends/calls/plain_scatter.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/movement/gather.h"
#include "backends/cuda/order/radix_sort.h"
#include "backends/cuda/reduction/updates.h"

namespace assay::cuda {
namespace {

using calls::Kind;
using calls::PlainScatter;

constexpr Failure kNoMemory = {ASSAY_ERROR,
                               "no memory on the device for a scatter"};
// Numbers of updates have 32 bits where they are sorted. Complex numbers have
// two updates each.
constexpr size_t kMostSorted = size_t{1} << 32;

// Sets what is updated, and how. Returns false for types and ops that kernels
// do not have.
bool SetOp(const PlainScatter& scatter, const calls::Type& type,
           UpdateJob* job) {
  const std::optional<CombineOp> op = scatter.monoid.empty()
                                          ? CombineOp::kSecond
                                          : CombineOpNamed(scatter.monoid);
  if (!op) return false;
  job->op = *op;
  job->bytes = UnitOf(type);
  if (*op == CombineOp::kSecond) return true;
  const bool is_native = type.bits == static_cast<int>(8 * type.bytes());
  if (type.kind == Kind::kFloat) {
    job->kind = UpdateKind::kFloat;
    return *op == CombineOp::kAdd || *op == CombineOp::kMultiply;
  }
  if (type.kind == Kind::kSigned) job->kind = UpdateKind::kSigned;
  return is_native &&
         (type.kind == Kind::kSigned || type.kind == Kind::kUnsigned);
}

// Sorts the updates by the element that each changes.
Failure SortUpdates(UpdateJob* job) {
  unsigned char *codes, *sorted;
  uint32_t *places, *sorted_places;
  if (!Reserve(kCodesMemory, job->count * job->code_bytes, &codes) ||
      !Reserve(kSortedMemory, job->count * job->code_bytes, &sorted) ||
      !Reserve(kPlacesMemory, job->count, &places) ||
      !Reserve(kSortedPlacesMemory, job->count, &sorted_places))
    return kNoMemory;
  job->codes = codes;
  job->places = places;
  LaunchCodes(*job);
  const char* const error = SortCodes(
      {job->code_bytes, static_cast<int>(std::bit_width(job->nowhere)), 1,
       job->count, codes, sorted, places, sorted_places});
  if (error != nullptr) return {ASSAY_ERROR, error};
  job->codes = sorted;
  job->places = sorted_places;
  return {};
}

bool IsTheSameInEveryOrder(const UpdateJob& job) {
  return job.op != CombineOp::kSecond && job.kind != UpdateKind::kFloat;
}

// Whether memory for each element of the result is not much beside that of the
// updates.
bool MayHaveLast(const UpdateJob& job) {
  return job.nowhere <= 4 * static_cast<uint64_t>(job.count);
}

Failure Scatter(const PlainScatter::Operand& operand, bool in_order,
                UpdateJob job) {
  if (const char* what = MakeWindowsJob(operand.windows, operand.type, &job))
    return {ASSAY_UNSUPPORTED, what};
  const int parts = operand.type.kind == Kind::kComplex ? 2 : 1;
  job.window_count = operand.windows.WindowCount() * parts;
  job.updates = calls::FirstElement(operand.updates->tensor);
  job.result = calls::FirstElement(operand.result->tensor);
  job.nowhere =
      calls::CountElements(operand.result->tensor) * static_cast<size_t>(parts);
  job.code_bytes = job.nowhere <= UINT32_MAX ? 4 : 8;
  if (HasAtomic(job) && (!in_order || IsTheSameInEveryOrder(job))) {
    LaunchAtomic(job);
    return Launched();
  }
  if (job.op == CombineOp::kSecond && MayHaveLast(job)) {
    if (!Reserve(kPlacesMemory, static_cast<int64_t>(job.nowhere), &job.places))
      return kNoMemory;
    LaunchLast(job);
    return Launched();
  }
  if (const Failure failure = SortUpdates(&job); failure.is()) return failure;
  LaunchInOrder(job);
  return Launched();
}

}  // namespace

bool RunPlainScatter(const AssayCall& call, Updates updates, Failure* failure) {
  PlainScatter scatter;
  if (!calls::ReadPlainScatter(call, &scatter)) return false;
  std::vector<UpdateJob> jobs(scatter.operands.size());
  // Results of several operands are of one and the same update, as both parts
  // of a complex number are.
  bool in_order = updates == Updates::kInOrder || jobs.size() > 1;
  for (size_t k = 0; k < jobs.size(); ++k) {
    const PlainScatter::Operand& operand = scatter.operands[k];
    if (!SetOp(scatter, operand.type, &jobs[k]) ||
        2 * calls::CountElements(operand.updates->tensor) >= kMostSorted)
      return false;
    in_order |= operand.type.kind == Kind::kComplex;
  }
  if (const char* what = calls::ReadPlainWindows(call, &scatter)) {
    *failure = {ASSAY_UNSUPPORTED, what};
    return true;
  }
  for (size_t k = 0; k < jobs.size() && !failure->is(); ++k) {
    const PlainScatter::Operand& operand = scatter.operands[k];
    const DLTensor& result = operand.result->tensor;
    if (calls::CountElements(result) == 0) continue;
    if (!calls::IsSamePlace(operand.input->tensor, result))
      *failure = CopyElements(operand.type, operand.input->tensor, result);
    if (!failure->is()) *failure = FlushBatch();
    if (!failure->is() && calls::CountElements(operand.updates->tensor) > 0)
      *failure = Scatter(operand, in_order, jobs[k]);
  }
  return true;
}

}  // namespace assay::cuda
