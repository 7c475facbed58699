// A reduction to one element is cut into parts of the same size, whose results
// are combined in order. Rows and columns are dealt out to threads whole.
#include "backends/simd/reduction/reduce.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/calls/dims_view.h"
#include "backends/calls/plain_reduce.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/core/parts.h"
#include "backends/simd/core/run_nest.h"
#include "backends/simd/movement/moves.h"
#include "backends/simd/reduction/folds.h"

namespace assay::simd {
namespace {

using calls::PlainReduce;

constexpr int64_t kTermsOfPart = int64_t{1} << 20;

// Calls run(begin, end) for parts of [0, count), each in a thread if the call
// is large.
template <class Run>
void Share(const PlainReduce& reduce, int64_t count, int threads,
           const Run& run) {
  const int64_t elements = reduce.outer * reduce.terms * reduce.inner;
  const int64_t parts =
      elements >= kThreadedElements ? std::min<int64_t>(threads, count) : 1;
  RunInThreads(parts, [&](int64_t part) {
    const Environment environment(Subnormals::kKeep);
    run(count * part / parts, count * (part + 1) / parts);
  });
}

void FoldAll(const PlainReduce& reduce, const Folds& folds, int threads,
             const unsigned char* from, unsigned char* to) {
  const auto bytes = static_cast<int64_t>(reduce.type.bytes());
  const int64_t parts = (reduce.terms + kTermsOfPart - 1) / kTermsOfPart;
  std::vector<unsigned char> results(static_cast<size_t>(parts * bytes));
  Share(reduce, parts, threads, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      const int64_t first = part * kTermsOfPart;
      folds.row(from + first * bytes,
                std::min(kTermsOfPart, reduce.terms - first),
                results.data() + part * bytes);
    }
  });
  folds.row(results.data(), parts, to);
}

void FoldRows(const PlainReduce& reduce, const Folds& folds, int threads,
              const unsigned char* from, unsigned char* to) {
  const auto bytes = static_cast<int64_t>(reduce.type.bytes());
  Share(reduce, reduce.outer, threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      folds.row(from + row * reduce.terms * bytes, reduce.terms,
                to + row * bytes);
  });
}

void FoldColumns(const PlainReduce& reduce, const Folds& folds, int threads,
                 const unsigned char* from, unsigned char* to) {
  const auto bytes = static_cast<int64_t>(reduce.type.bytes());
  const int64_t inner = reduce.inner;
  const bool by_outer = reduce.outer >= threads;
  Share(reduce, by_outer ? reduce.outer : inner, threads,
        [&](int64_t begin, int64_t end) {
          const int64_t first = by_outer ? begin : 0,
                        last = by_outer ? end : reduce.outer,
                        column = by_outer ? 0 : begin,
                        count = by_outer ? inner : end - begin;
          for (int64_t o = first; o < last; ++o)
            folds.columns(from + (o * reduce.terms * inner + column) * bytes,
                          reduce.terms, inner, count,
                          to + (o * inner + column) * bytes);
        });
}

// A tensor in row-major order, in memory that is aligned to its elements: its
// own, or some that it is copied from or to.
class Packed {
 public:
  Packed(const AssayTensor& tensor, const calls::Type& type)
      : Packed(tensor, calls::FirstElement(tensor.tensor)) {
    const bool is_aligned =
        reinterpret_cast<uintptr_t>(data()) % type.bytes() == 0;
    if (is_aligned && calls::DimsView::Of(tensor.tensor).IsRowMajor()) return;
    memory_.resize(calls::CountElements(tensor.tensor) * type.bytes());
    packed_.tensor.data = memory_.data();
  }
  Packed(const AssayTensor& tensor, unsigned char* data)
      : shape_(tensor.tensor.shape, tensor.tensor.shape + tensor.tensor.ndim),
        strides_(calls::RowMajor(shape_)),
        packed_(tensor) {
    packed_.tensor.data = data;
    packed_.tensor.byte_offset = 0;
    packed_.tensor.strides = strides_.data();
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  const unsigned char* data() const {
    return static_cast<const unsigned char*>(packed_.tensor.data);
  }
  // Each returns what is not implemented, or nullptr.
  const char* Read(const AssayTensor& from, const Options& options) const {
    if (memory_.empty()) return nullptr;
    return RunMoves(calls::MakeCall("reshape", {&from, 1}, packed_), options);
  }
  const char* Write(const AssayTensor& to, const Options& options) const {
    return RunMoves(calls::MakeCall("reshape", {&packed_, 1}, to), options);
  }

 private:
  std::vector<int64_t> shape_, strides_;
  AssayTensor packed_;
  std::vector<unsigned char> memory_;
};

}  // namespace

bool RunPlainReduce(const AssayCall& call, const Options& options,
                    const char** failure) {
  PlainReduce reduce;
  if (options.subnormals != Subnormals::kKeep ||
      !calls::ReadPlainReduce(call, &reduce))
    return false;
  const Folds* const folds =
      FoldsOf(reduce.monoid, reduce.type, options.target);
  if (folds == nullptr) return false;
  const Packed operand(*reduce.operand, reduce.type);
  *failure = operand.Read(*reduce.operand, options);
  if (*failure != nullptr) return true;
  // The result may lie in the memory of an operand.
  const int64_t results = reduce.outer * reduce.inner;
  const size_t bytes = reduce.type.bytes();
  std::vector<unsigned char> folded(static_cast<size_t>(results) * bytes);
  if (reduce.inner > 1) {
    FoldColumns(reduce, *folds, options.threads, operand.data(), folded.data());
  } else if (reduce.outer > 1) {
    FoldRows(reduce, *folds, options.threads, operand.data(), folded.data());
  } else {
    FoldAll(reduce, *folds, options.threads, operand.data(), folded.data());
  }
  const Environment environment(Subnormals::kKeep);
  std::vector<unsigned char> totals(folded.size());
  const unsigned char* const init = calls::FirstElement(reduce.init->tensor);
  for (size_t i = 0; i < totals.size(); i += bytes)
    memcpy(totals.data() + i, init, bytes);
  folds->combine(totals.data(), folded.data(), results);
  *failure =
      Packed(*reduce.result, totals.data()).Write(*reduce.result, options);
  return true;
}

}  // namespace assay::simd
