// CUB's reductions of a device promise no order of operands, so that these
// kernels are ours.
#include <type_traits>

#include "backends/cuda/core/launch.h"
#include "backends/cuda/elementwise/float_storage.h"
#include "backends/cuda/reduction/folds.h"

namespace assay::cuda {
namespace {

constexpr int kTermsOfThread = 16;
constexpr int64_t kTermsOfBlock = kTermsOfThread * kTuning.threads;
constexpr int64_t kTermsOfColumn = 64;
// A row of fewer terms would leave most threads of a block without work.
constexpr int64_t kLeastOfBlock = kTermsOfBlock / 8;

// Combines up to kTermsOfThread elements that lie one behind the other.
template <CombineOp kOp, class T>
ASSAY_DEVICE T CombinedRow(const T* terms, int count) {
  T result = terms[0];
  for (int i = 1; i < count; ++i) result = Combined(kOp, result, terms[i]);
  return result;
}

template <CombineOp kOp, class T>
ASSAY_DEVICE void Store(const FoldJob& job, T result, int64_t place) {
  if (job.initial != nullptr)
    result = Combined(kOp, *reinterpret_cast<const T*>(job.initial), result);
  if constexpr (std::is_floating_point_v<T>) result = WithOneNan(result);
  reinterpret_cast<T*>(job.to)[place] = result;
}

// Each block has a part of a row: its threads combine some terms each, then a
// few of them the results of others, then one of them what is left.
template <CombineOp kOp, class T>
struct FoldBlock {
  using Job = FoldJob;
  static constexpr int kSteps = 3;
  static constexpr int kThreads = kTuning.threads;
  struct Shared {
    alignas(16) T first[kThreads];
    T second[(kThreads + kTermsOfThread - 1) / kTermsOfThread];
  };
  static_assert(kThreads <= kTermsOfThread * kTermsOfThread);

  static ASSAY_DEVICE int CountOf(int64_t left) {
    return static_cast<int>(left < kTermsOfThread ? left : kTermsOfThread);
  }

  static ASSAY_DEVICE void Run(const FoldJob& job, int step,
                               const Thread& thread, Shared* shared) {
    const int64_t row = thread.block / job.parts,
                  part = thread.block % job.parts, begin = part * kTermsOfBlock;
    const int64_t rest = job.terms - begin,
                  terms = rest < kTermsOfBlock ? rest : kTermsOfBlock,
                  firsts = (terms + kTermsOfThread - 1) / kTermsOfThread,
                  seconds = (firsts + kTermsOfThread - 1) / kTermsOfThread;
    const int64_t at = int64_t{thread.thread} * kTermsOfThread;
    if (step == 0) {
      if (at >= terms) return;
      const T* const from =
          reinterpret_cast<const T*>(job.from) + row * job.terms + begin + at;
      shared->first[thread.thread] = OfThread(from, CountOf(terms - at));
    } else if (step == 1) {
      if (at >= firsts) return;
      shared->second[thread.thread] =
          CombinedRow<kOp>(shared->first + at, CountOf(firsts - at));
    } else if (thread.thread == 0) {
      Store<kOp>(job,
                 CombinedRow<kOp>(shared->second, static_cast<int>(seconds)),
                 int64_t{thread.block});
    }
  }

 private:
  static ASSAY_DEVICE T OfThread(const T* from, int count) {
    if (count < kTermsOfThread || reinterpret_cast<uintptr_t>(from) % 16 != 0)
      return CombinedRow<kOp>(from, count);
    alignas(16) T terms[kTermsOfThread];
    constexpr int kInWord = 16 / sizeof(T);
    ASSAY_UNROLL
    for (int i = 0; i < kTermsOfThread; i += kInWord)
      LoadWord<16>(from + i, terms + i);
    T result = terms[0];
    ASSAY_UNROLL
    for (int i = 1; i < kTermsOfThread; ++i)
      result = Combined(kOp, result, terms[i]);
    return result;
  }
};

// Each thread has a part of a column.
template <CombineOp kOp, class T>
struct FoldColumn {
  using Job = FoldJob;
  static ASSAY_DEVICE void Run(const FoldJob& job, int64_t item) {
    const int64_t column = item % job.inner, row = item / job.inner,
                  outer = row / job.parts, part = row % job.parts,
                  begin = part * job.part_terms, rest = job.terms - begin;
    const T* from = reinterpret_cast<const T*>(job.from) +
                    (outer * job.terms + begin) * job.inner + column;
    const int64_t terms = rest < job.part_terms ? rest : job.part_terms;
    T result = *from;
    for (int64_t t = 1; t < terms; ++t)
      result = Combined(kOp, result, from[t * job.inner]);
    Store<kOp>(job, result, item);
  }
};

template <CombineOp kOp, class T>
void LaunchOne(const FoldJob& job) {
  const int64_t results = job.outer * job.parts * job.inner;
  if (job.part_terms == kTermsOfBlock) {
    LaunchSteps<FoldBlock<kOp, T>>(job, static_cast<uint32_t>(results));
  } else {
    LaunchItems<FoldColumn<kOp, T>>(job, results);
  }
}

template <class T>
void LaunchNumbers(const FoldJob& job, CombineOp op) {
  switch (op) {
    case CombineOp::kAdd:
      return LaunchOne<CombineOp::kAdd, T>(job);
    case CombineOp::kMultiply:
      return LaunchOne<CombineOp::kMultiply, T>(job);
    case CombineOp::kMaximum:
      return LaunchOne<CombineOp::kMaximum, T>(job);
    case CombineOp::kMinimum:
      return LaunchOne<CombineOp::kMinimum, T>(job);
    default:
      break;
  }
  if constexpr (std::is_unsigned_v<T>) {
    if (op == CombineOp::kAnd) return LaunchOne<CombineOp::kAnd, T>(job);
    if (op == CombineOp::kOr) return LaunchOne<CombineOp::kOr, T>(job);
    if (op == CombineOp::kXor) return LaunchOne<CombineOp::kXor, T>(job);
  }
}

template <class Storage>
void LaunchShortFloats(const FoldJob& job, CombineOp op) {
  using T = ShortFloat<Storage>;
  switch (op) {
    case CombineOp::kMaximum:
      return LaunchOne<CombineOp::kMaximum, T>(job);
    case CombineOp::kMinimum:
      return LaunchOne<CombineOp::kMinimum, T>(job);
    default:
      return LaunchOne<CombineOp::kAdd, T>(job);
  }
}

template <class Signed>
void LaunchIntegers(const FoldJob& job, CombineOp op, FoldKind kind) {
  const bool is_by_order =
      op == CombineOp::kMaximum || op == CombineOp::kMinimum;
  if (!is_by_order || kind == FoldKind::kUnsigned)
    return LaunchNumbers<std::make_unsigned_t<Signed>>(job, op);
  if (op == CombineOp::kMaximum)
    return LaunchOne<CombineOp::kMaximum, Signed>(job);
  LaunchOne<CombineOp::kMinimum, Signed>(job);
}

}  // namespace

int64_t PartTerms(int64_t terms, int64_t inner) {
  if (inner > 1) return kTermsOfColumn;
  return terms < kLeastOfBlock ? kTermsOfThread : kTermsOfBlock;
}

void LaunchFolds(const FoldJob& job, CombineOp op, FoldKind kind, int bytes) {
  if (kind == FoldKind::kFloat)
    return bytes == 4 ? LaunchNumbers<float>(job, op)
                      : LaunchNumbers<double>(job, op);
  if (kind == FoldKind::kF16) return LaunchShortFloats<F16>(job, op);
  if (kind == FoldKind::kBF16) return LaunchShortFloats<BF16>(job, op);
  switch (bytes) {
    case 1:
      return LaunchIntegers<int8_t>(job, op, kind);
    case 2:
      return LaunchIntegers<int16_t>(job, op, kind);
    case 4:
      return LaunchIntegers<int32_t>(job, op, kind);
    default:
      return LaunchIntegers<int64_t>(job, op, kind);
  }
}

}  // namespace assay::cuda
