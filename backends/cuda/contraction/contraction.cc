#include "backends/cuda/contraction/contraction.h"

#include "backends/calls/contraction.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/overlap.h"
#include "backends/calls/tensors.h"
#include "backends/cuda/contraction/packed.h"
#include "backends/cuda/contraction/sums.h"
#include "backends/cuda/core/formats.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/movement/gather.h"

namespace assay::cuda {
namespace {

using calls::Contraction;
using calls::ContractionDim;
using calls::ContractionWindow;
using calls::Kind;
using calls::Type;

SumsOf KindOf(const Contraction& contraction) {
  switch (SumKindOf(contraction)) {
    case calls::SumKind::kBool:
      return SumsOf::kBool;
    case calls::SumKind::kInteger:
      return SumsOf::kInteger;
    case calls::SumKind::kF32:
      return SumsOf::kF32;
    case calls::SumKind::kF64:
      return SumsOf::kF64;
    case calls::SumKind::kComplexF32:
      return SumsOf::kComplexF32;
    case calls::SumKind::kComplexF64:
      break;
  }
  return SumsOf::kComplexF64;
}

// Returns what is not implemented, or nullptr.
const char* MakeJob(const Contraction& contraction, SumsJob* job) {
  const auto bytes = static_cast<int64_t>(contraction.operand.bytes()),
             result_bytes = static_cast<int64_t>(contraction.result.bytes());
  Contraction::Dims terms = contraction.terms;
  // The kernel goes along the last dimension of terms.
  if (terms.empty()) terms.push_back({1, 0, 0, 0});
  if (contraction.batch.size() + contraction.rows.size() +
              contraction.columns.size() + terms.size() >
          kMaxSumDims ||
      contraction.windows.size() > kMaxSumWindows)
    return "rank";
  job->lhs = contraction.lhs_first;
  job->rhs = contraction.rhs_first;
  job->result = contraction.result_first;
  job->results = 1;
  const auto add = [&](const Contraction::Dims& dims) {
    for (const ContractionDim& dim : dims)
      job->dims[job->num_dims++] = {dim.size, dim.lhs_stride * bytes,
                                    dim.rhs_stride * bytes,
                                    dim.result_stride * result_bytes};
  };
  add(contraction.batch);
  const int first_row = job->num_dims;
  add(contraction.rows);
  add(contraction.columns);
  job->num_result_dims = job->num_dims;
  for (int d = 0; d < job->num_dims; ++d) {
    if (__builtin_mul_overflow(job->results, job->dims[d].size, &job->results))
      return "so many results";
  }
  add(terms);
  job->has_terms = Contraction::CountOf(terms) > 0;
  for (const ContractionWindow& window : contraction.windows) {
    job->windows[job->num_windows++] = {
        first_row + static_cast<int>(window.row),
        job->num_result_dims + static_cast<int>(window.term),
        window.size,
        window.stride * bytes,
        window.begin,
        window.row_step,
        window.term_step,
        window.dilation};
  }
  job->operand = ElementOf(contraction.operand);
  job->to = ElementOf(contraction.result);
  job->lhs_rounding = RoundingOf(contraction.lhs_rounding);
  job->rhs_rounding = RoundingOf(contraction.rhs_rounding);
  return nullptr;
}

bool IsInPlace(const AssayCall& call, const Contraction& contraction) {
  for (const int i : {0, 1}) {
    const DLTensor& input = call.inputs[i].tensor;
    if (calls::CountElements(input) > 0 &&
        calls::Overlap(input, contraction.operand.bytes(),
                       call.outputs[0].tensor, contraction.result.bytes()))
      return true;
  }
  return false;
}

// Computes in memory of its own, and copies from there: the result lies in that
// of an operand.
Failure RunApart(const AssayCall& call, const Type& type, Products products) {
  const DLTensor& output = call.outputs[0].tensor;
  calls::DimsView view = calls::DimsView::Of(output);
  view.strides = calls::RowMajor(view.shape);
  view.first = static_cast<unsigned char*>(
      Workspace(2, calls::CountElements(output) * type.bytes()));
  if (view.first == nullptr)
    return {ASSAY_ERROR, "no memory on the device for a result"};
  AssayTensor apart = call.outputs[0];
  apart.tensor = view.Tensor(output);
  AssayCall elsewhere = call;
  elsewhere.outputs = &apart;
  const Failure failure = RunContraction(elsewhere, products);
  return failure.is() ? failure : CopyElements(type, apart.tensor, output);
}

}  // namespace

SumElement ElementOf(const Type& type) {
  const bool is_complex = type.kind == Kind::kComplex;
  const int bits = is_complex ? type.bits / 2 : type.bits;
  SumElement element = {SumElement::kInteger,
                        static_cast<int>(type.bytes()) / (is_complex ? 2 : 1),
                        type.kind == Kind::kBool ? 1 : bits,
                        type.kind == Kind::kSigned,
                        {}};
  if (type.kind == Kind::kFormat) {
    element.kind = SumElement::kFormat;
    element.format = FormatOf(type);
  } else if (type.kind == Kind::kFloat || is_complex) {
    element.kind = bits == 32 ? SumElement::kF32 : SumElement::kF64;
  }
  return element;
}

SumRounding RoundingOf(const calls::RoundingTo& rounding) {
  using calls::RoundingTo;
  switch (rounding.kind) {
    case RoundingTo::kNothing:
      return {SumRounding::kNothing, {}};
    case RoundingTo::kF32:
      return {SumRounding::kF32, {}};
    case RoundingTo::kTf32:
      return {
          SumRounding::kFormat,
          {19, 8, 10, 127, static_cast<int>(calls::Special::kIeee), 0x3FBFF}};
    case RoundingTo::kFormat:
      break;
  }
  const calls::FormatSpec spec = calls::SpecOf(rounding.format);
  return {SumRounding::kFormat,
          {spec.bits(), spec.exponent_bits, spec.mantissa_bits, spec.bias,
           static_cast<int>(spec.special), spec.max}};
}

Failure RunContraction(const AssayCall& call, Products products) {
  Contraction contraction;
  if (const char* what =
          calls::ReadContraction(call, ReadDeviceIntegers, &contraction))
    return {ASSAY_UNSUPPORTED, what};
  if (contraction.IsEmpty()) return {};
  if (IsInPlace(call, contraction))
    return RunApart(call, contraction.result, products);
  Failure packed;
  if (products == Products::kPacked && RunPacked(contraction, &packed))
    return packed;
  SumsJob job = {};
  if (const char* what = MakeJob(contraction, &job))
    return {ASSAY_UNSUPPORTED, what};
  if (const Failure failure = FlushBatch(); failure.is()) return failure;
  LaunchSums(job, KindOf(contraction));
  return Launched();
}

}  // namespace assay::cuda
