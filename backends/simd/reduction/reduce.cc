// A reduction to one element is cut into parts of the same size, whose results
// are combined in order. Rows and columns are dealt out to threads whole.
#include "backends/simd/reduction/reduce.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/calls/plain_reduce.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/core/parts.h"
#include "backends/simd/core/run_nest.h"
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
             unsigned char* to) {
  const auto bytes = static_cast<int64_t>(reduce.type.bytes());
  const int64_t parts = (reduce.terms + kTermsOfPart - 1) / kTermsOfPart;
  std::vector<unsigned char> results(static_cast<size_t>(parts * bytes));
  Share(reduce, parts, threads, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      const int64_t first = part * kTermsOfPart;
      folds.row(reduce.operand + first * bytes,
                std::min(kTermsOfPart, reduce.terms - first),
                results.data() + part * bytes);
    }
  });
  folds.row(results.data(), parts, to);
}

void FoldRows(const PlainReduce& reduce, const Folds& folds, int threads,
              unsigned char* to) {
  const auto bytes = static_cast<int64_t>(reduce.type.bytes());
  Share(reduce, reduce.outer, threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      folds.row(reduce.operand + row * reduce.terms * bytes, reduce.terms,
                to + row * bytes);
  });
}

void FoldColumns(const PlainReduce& reduce, const Folds& folds, int threads,
                 unsigned char* to) {
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
            folds.columns(
                reduce.operand + (o * reduce.terms * inner + column) * bytes,
                reduce.terms, inner, count, to + (o * inner + column) * bytes);
        });
}

}  // namespace

bool RunPlainReduce(const AssayCall& call, const Options& options) {
  PlainReduce reduce;
  if (options.subnormals != Subnormals::kKeep ||
      !calls::ReadPlainReduce(call, &reduce))
    return false;
  const Folds* const folds =
      FoldsOf(reduce.monoid, reduce.type, options.target);
  if (folds == nullptr) return false;
  // Memory of the call may be aligned to less than its elements.
  const uintptr_t places = reinterpret_cast<uintptr_t>(reduce.operand) |
                           reinterpret_cast<uintptr_t>(reduce.init) |
                           reinterpret_cast<uintptr_t>(reduce.result);
  if (places % reduce.type.bytes() != 0) return false;
  const int64_t results = reduce.outer * reduce.inner;
  const size_t bytes = reduce.type.bytes();
  std::vector<unsigned char> totals(static_cast<size_t>(results) * bytes);
  if (reduce.inner > 1) {
    FoldColumns(reduce, *folds, options.threads, totals.data());
  } else if (reduce.outer > 1) {
    FoldRows(reduce, *folds, options.threads, totals.data());
  } else {
    FoldAll(reduce, *folds, options.threads, totals.data());
  }
  const Environment environment(Subnormals::kKeep);
  for (int64_t i = 0; i < results; ++i)
    memcpy(reduce.result + static_cast<size_t>(i) * bytes, reduce.init, bytes);
  folds->combine(reduce.result, totals.data(), results);
  return true;
}

}  // namespace assay::simd
