#include "backends/cuda/contraction/packed.h"

#include <algorithm>
#include <vector>

#include "backends/cuda/contraction/matrices.h"
#include "backends/cuda/contraction/packing.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

using calls::Contraction;
using calls::ContractionDim;
using calls::ContractionWindow;
using calls::Kind;
using calls::SumKind;
using calls::Type;

constexpr int64_t kMostElements = INT32_MAX;
constexpr int64_t kWord = 16;  // in bytes

enum : int { kLhsMemory = 3, kRhsMemory, kProductMemory };

// Returns false for sums that no library has.
bool SetTypes(const Contraction& contraction, MatrixType* operand,
              MatrixType* sums) {
  const SumKind kind = SumKindOf(contraction);
  if (kind == SumKind::kF32 || kind == SumKind::kF64) {
    *operand = *sums =
        kind == SumKind::kF32 ? MatrixType::kF32 : MatrixType::kF64;
    return true;
  }
  const Type& type = contraction.operand;
  *operand = MatrixType::kI8;
  *sums = MatrixType::kI32;
  return kind == SumKind::kInteger && contraction.result.bits <= 32 &&
         (type.bits < 8 || (type.bits == 8 && type.kind == Kind::kSigned));
}

int64_t BytesOf(MatrixType type) {
  switch (type) {
    case MatrixType::kI8:
      return 1;
    case MatrixType::kF64:
      return 8;
    default:
      return 4;
  }
}

// The dimensions of a tensor, those joined that lie in memory as one.
class Dims {
 public:
  void Add(const Contraction::Dims& dims, int64_t ContractionDim::*stride_of,
           int64_t bytes) {
    for (const ContractionDim& dim : dims) {
      const int64_t stride = dim.*stride_of * bytes;
      if (dim.size == 1) continue;
      if (!dims_.empty() && dims_.back().stride == stride * dim.size) {
        dims_.back() = {dims_.back().size * dim.size, stride};
      } else {
        dims_.push_back({dim.size, stride});
      }
    }
  }
  // Returns whether the elements lie one behind the other.
  bool IsPacked(int64_t bytes) const {
    return dims_.empty() || (dims_.size() == 1 && dims_[0].stride == bytes);
  }
  // Returns whether elements come in words of 16 bytes, which are aligned as
  // the first one is.
  bool AreWords(int64_t bytes) const {
    if (dims_.empty() || dims_.back().stride != bytes ||
        dims_.back().size * bytes % kWord != 0)
      return false;
    return std::all_of(dims_.begin(), dims_.end() - 1,
                       [](const Dim& dim) { return dim.stride % kWord == 0; });
  }
  void Set(PackDims* job) const {
    for (const auto& [size, stride] : dims_)
      job->dims[job->num_dims++] = {Divisor::Of(static_cast<uint32_t>(size)),
                                    stride};
  }

 private:
  struct Dim {
    int64_t size, stride;
  };
  std::vector<Dim> dims_;
};

// Returns the dimension of which elements in `inside` dimensions follow.
PackJob::Window::Dim WindowDim(const Contraction::Dims& dims, size_t number,
                               int64_t inside, int64_t step) {
  for (size_t d = number + 1; d < dims.size(); ++d) inside *= dims[d].size;
  return {Divisor::Of(static_cast<uint32_t>(inside)),
          Divisor::Of(static_cast<uint32_t>(dims[number].size)), step};
}

void SetWindows(const Contraction& contraction, int64_t bytes, PackJob* job) {
  const int64_t terms = Contraction::CountOf(contraction.terms);
  for (const ContractionWindow& window : contraction.windows) {
    job->windows[job->num_windows++] = {
        WindowDim(contraction.rows, window.row, terms, window.row_step),
        WindowDim(contraction.terms, window.term, 1, window.term_step),
        window.size,
        window.stride * bytes,
        window.begin,
        window.dilation};
  }
}

bool IsAligned(const unsigned char* data) {
  return reinterpret_cast<uintptr_t>(data) % kWord == 0;
}

// A matrix that a library reads: an operand as it is, or a copy.
struct Source {
  const calls::Type& type;
  const calls::RoundingTo& rounding;
  const unsigned char* first;
  MatrixType matrix;
  int64_t rows, row, padded;

  bool IsOfMatrix() const {
    if (rounding.kind != calls::RoundingTo::kNothing) return false;
    if (matrix == MatrixType::kI8)
      return type.bits == 8 && type.kind == Kind::kSigned;
    return type.kind == Kind::kFloat &&
           static_cast<int64_t>(type.bytes()) == BytesOf(matrix);
  }

  // Returns false if there is no memory. A job without memory is of an operand
  // that is a matrix already.
  bool Prepare(const Dims& dims, const Contraction* with_windows, int place,
               PackJob* job, const void** to) const {
    const auto bytes = static_cast<int64_t>(type.bytes());
    if (IsOfMatrix() && with_windows == nullptr && padded == row &&
        dims.IsPacked(bytes) && IsAligned(first)) {
      *to = first;
      return true;
    }
    if (!Reserve(place, rows * padded * BytesOf(matrix), &job->to))
      return false;
    *to = job->to;
    job->from = first;
    job->element = ElementOf(type);
    job->rounding = RoundingOf(rounding);
    job->row = static_cast<uint32_t>(row);
    job->padded = Divisor::Of(static_cast<uint32_t>(padded));
    dims.Set(job);
    if (with_windows != nullptr) SetWindows(*with_windows, bytes, job);
    return true;
  }

  void Launch(const Dims& dims, const PackJob& job) const {
    if (job.to == nullptr) return;
    const auto bytes = static_cast<int64_t>(type.bytes());
    const bool by_words =
        IsOfMatrix() && padded == row && IsAligned(first) &&
        dims.AreWords(bytes) &&
        std::all_of(job.windows, job.windows + job.num_windows,
                    [](const PackJob::Window& window) {
                      return window.stride % kWord == 0;
                    });
    if (by_words) {
      LaunchPackWords(job, rows * padded * bytes / kWord);
    } else {
      LaunchPack(job, matrix, rows * padded);
    }
  }
};

}  // namespace

bool RunPacked(const Contraction& contraction, Failure* failure) {
  Matrices m = {};
  MatrixType sums;
  if (!SetTypes(contraction, &m.operand, &sums)) return false;
  m.batch = Contraction::CountOf(contraction.batch);
  m.rows = Contraction::CountOf(contraction.rows);
  m.columns = Contraction::CountOf(contraction.columns);
  const int64_t terms = Contraction::CountOf(contraction.terms);
  const bool is_i8 = m.operand == MatrixType::kI8;
  m.terms = is_i8 ? (terms + kTermsOfI8 - 1) / kTermsOfI8 * kTermsOfI8 : terms;
  const int64_t lhs_rows = m.batch * m.rows;
  if (terms == 0 || lhs_rows > kMostElements / m.terms ||
      m.batch * m.columns > kMostElements / m.terms ||
      lhs_rows > kMostElements / m.columns ||
      contraction.batch.size() + contraction.rows.size() +
              contraction.columns.size() + contraction.terms.size() >
          kMaxSumDims ||
      contraction.windows.size() > kMaxSumWindows || !HasMatrixLibrary())
    return false;

  const auto bytes = static_cast<int64_t>(contraction.operand.bytes()),
             result_bytes = static_cast<int64_t>(contraction.result.bytes());
  Dims lhs, rhs, result;
  lhs.Add(contraction.batch, &ContractionDim::lhs_stride, bytes);
  lhs.Add(contraction.rows, &ContractionDim::lhs_stride, bytes);
  lhs.Add(contraction.terms, &ContractionDim::lhs_stride, bytes);
  rhs.Add(contraction.batch, &ContractionDim::rhs_stride, bytes);
  rhs.Add(is_i8 ? contraction.columns : contraction.terms,
          &ContractionDim::rhs_stride, bytes);
  rhs.Add(is_i8 ? contraction.terms : contraction.columns,
          &ContractionDim::rhs_stride, bytes);
  result.Add(contraction.batch, &ContractionDim::result_stride, result_bytes);
  result.Add(contraction.rows, &ContractionDim::result_stride, result_bytes);
  result.Add(contraction.columns, &ContractionDim::result_stride, result_bytes);

  PackJob of_lhs = {}, of_rhs = {};
  UnpackJob of_result = {};
  const Source lhs_source = {contraction.operand,
                             contraction.lhs_rounding,
                             contraction.lhs_first,
                             m.operand,
                             lhs_rows,
                             terms,
                             m.terms};
  const Source rhs_source = {contraction.operand,
                             contraction.rhs_rounding,
                             contraction.rhs_first,
                             m.operand,
                             is_i8 ? m.batch * m.columns : m.batch * terms,
                             is_i8 ? terms : m.columns,
                             is_i8 ? m.terms : m.columns};
  if (!lhs_source.Prepare(lhs,
                          contraction.windows.empty() ? nullptr : &contraction,
                          kLhsMemory, &of_lhs, &m.lhs) ||
      !rhs_source.Prepare(rhs, nullptr, kRhsMemory, &of_rhs, &m.rhs))
    return false;
  const Type& to = contraction.result;
  const bool is_direct =
      result.IsPacked(result_bytes) && IsAligned(contraction.result_first) &&
      result_bytes == BytesOf(sums) &&
      (sums == MatrixType::kI32 ? to.bits == 32 : to.kind == Kind::kFloat);
  unsigned char* product = contraction.result_first;
  if (!is_direct &&
      !Reserve(kProductMemory, lhs_rows * m.columns * BytesOf(sums), &product))
    return false;
  m.result = product;

  *failure = FlushBatch();
  if (failure->is()) return true;
  lhs_source.Launch(lhs, of_lhs);
  rhs_source.Launch(rhs, of_rhs);
  if (const char* error = Multiply(m)) {
    *failure = {ASSAY_ERROR, error};
    return true;
  }
  if (!is_direct) {
    of_result.from = product;
    of_result.to = contraction.result_first;
    of_result.element = ElementOf(to);
    result.Set(&of_result);
    LaunchUnpack(of_result, sums, lhs_rows * m.columns);
  }
  *failure = Launched();
  return true;
}

}  // namespace assay::cuda
