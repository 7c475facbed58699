// Each launch combines parts of the terms to one each, until one is left of
// each result.
#include "backends/cuda/reduction/reduce.h"

#include <optional>
#include <string_view>

#include "backends/calls/dims_view.h"
#include "backends/calls/overlap.h"
#include "backends/calls/plain_reduce.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/reduction/folds.h"

namespace assay::cuda {
namespace {

using calls::Kind;
using calls::PlainReduce;

constexpr Failure kNoMemory = {ASSAY_ERROR,
                               "no memory on the device for a reduction"};

enum : int { kOperandMemory = 2, kResultMemory, kPartsMemory };

// Returns false for types that kernels do not have.
bool SetKind(const calls::Type& type, CombineOp op, FoldKind* kind) {
  if (type.bits != static_cast<int>(8 * type.bytes())) return false;
  switch (type.kind) {
    case Kind::kUnsigned:
      *kind = FoldKind::kUnsigned;
      return true;
    case Kind::kSigned:
      *kind = FoldKind::kSigned;
      return true;
    case Kind::kFloat:
      *kind = FoldKind::kFloat;
      return !IsOfBits(op);
    case Kind::kFormat:
      *kind = type.format == calls::Format::kBF16 ? FoldKind::kBF16
                                                  : FoldKind::kF16;
      return type.bits == 16 && !IsOfBits(op) && op != CombineOp::kMultiply;
    default:
      return false;
  }
}

// A tensor in row-major order whose elements are aligned: itself, or a copy in
// a workspace.
struct Packed {
  calls::DimsView view;
  bool is_copy = false;

  // Returns false if there is no memory.
  bool Set(const AssayTensor& tensor, size_t bytes, int place,
           bool must_be_copy) {
    view = calls::DimsView::Of(tensor.tensor);
    is_copy = must_be_copy || !view.IsRowMajor() ||
              reinterpret_cast<uintptr_t>(view.first) % bytes != 0;
    if (!is_copy) return true;
    view.strides = calls::RowMajor(view.shape);
    return Reserve(place,
                   calls::CountOf(view.shape) * static_cast<int64_t>(bytes),
                   &view.first);
  }
};

Failure FoldAll(const PlainReduce& reduce, CombineOp op, FoldKind kind,
                const unsigned char* from, unsigned char* to) {
  const auto bytes = static_cast<int>(reduce.type.bytes());
  FoldJob job = {from,         nullptr,      nullptr, reduce.outer,
                 reduce.terms, reduce.inner, 0,       0};
  // Parts are read in one place while those of the next launch are written to
  // the other.
  for (int place = kPartsMemory;; place ^= 1) {
    job.part_terms = PartTerms(job.terms, job.inner);
    job.parts = (job.terms + job.part_terms - 1) / job.part_terms;
    job.to = to;
    if (job.parts == 1) {
      job.initial = calls::FirstElement(reduce.init->tensor);
    } else if (!Reserve(place, job.outer * job.parts * job.inner * bytes,
                        &job.to)) {
      return kNoMemory;
    }
    LaunchFolds(job, op, kind, bytes);
    if (job.parts == 1) return Launched();
    job.from = job.to;
    job.terms = job.parts;
  }
}

}  // namespace

bool RunPlainReduce(const AssayCall& call, Failure* failure) {
  PlainReduce reduce;
  if (!calls::ReadPlainReduce(call, &reduce)) return false;
  const std::optional<CombineOp> op = CombineOpNamed(reduce.monoid);
  FoldKind kind;
  if (!op || !SetKind(reduce.type, *op, &kind)) return false;
  const DLTensor &operand = reduce.operand->tensor, &init = reduce.init->tensor,
                 &result = reduce.result->tensor;
  const size_t bytes = reduce.type.bytes();
  const bool is_in_place = calls::Overlap(operand, bytes, result, bytes) ||
                           calls::Overlap(init, bytes, result, bytes);
  Packed from, to;
  if (!from.Set(*reduce.operand, bytes, kOperandMemory, false) ||
      !to.Set(*reduce.result, bytes, kResultMemory, is_in_place)) {
    *failure = kNoMemory;
    return true;
  }
  if (from.is_copy)
    *failure = CopyElements(reduce.type, operand, from.view.Tensor(operand));
  if (!failure->is()) *failure = FlushBatch();
  if (!failure->is())
    *failure = FoldAll(reduce, *op, kind, from.view.first, to.view.first);
  if (!failure->is() && to.is_copy)
    *failure = CopyElements(reduce.type, to.view.Tensor(result), result);
  return true;
}

}  // namespace assay::cuda
