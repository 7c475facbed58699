#include <type_traits>

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/launch.h"
#include "backends/cuda/movement/read_index.h"
#include "backends/cuda/reduction/updates.h"

namespace assay::cuda {
namespace {

// Where an update lies and what it changes, in bytes. `code` is the number of
// the element of the result, or that of none.
struct Target {
  int64_t update, result;
  uint64_t code;
};

ASSAY_DEVICE Target TargetOf(const UpdateJob& job, int64_t item) {
  Target target = {0, 0, 0};
  int64_t batch = item / job.window_count;
  int64_t window = item - batch * job.window_count;
  int64_t batch_index[kMaxWindowDims];
  int64_t place = 0;
  for (int b = job.num_batch - 1; b >= 0; --b) {
    const WindowsJob::BatchDim& dim = job.batch[b];
    const int64_t i = batch % dim.size;
    batch /= dim.size;
    batch_index[b] = i;
    place += i * dim.index_stride;
    target.update += i * dim.other_stride;
  }
  uint64_t elements = 1;
  for (int d = job.num_dims - 1; d >= 0; --d) {
    const WindowsJob::Dim& dim = job.dims[d];
    const int64_t i = window % dim.window_size;
    window /= dim.window_size;
    target.update += i * dim.other_stride;
    // A sum that wraps is out of bounds, as an index below zero is.
    auto index = static_cast<uint64_t>(i);
    if (dim.batch >= 0) index = static_cast<uint64_t>(batch_index[dim.batch]);
    if (dim.index >= 0)
      index += static_cast<uint64_t>(
          ReadIndex(job, place + dim.index * job.tuple_stride));
    if (index >= static_cast<uint64_t>(dim.size)) {
      target.code = job.nowhere;
      return target;
    }
    target.result += static_cast<int64_t>(index) * dim.stride;
    target.code += index * elements;
    elements *= static_cast<uint64_t>(dim.size);
  }
  return target;
}

template <class T>
ASSAY_DEVICE void UpdateAtomically(CombineOp op, T* to, T b) {
#ifdef __CUDACC__
  if (op == CombineOp::kSecond) {
    *to = b;
    return;
  }
  if constexpr (sizeof(T) == 8 && !std::is_integral_v<T>) {
    if (op == CombineOp::kAdd) {
      atomicAdd(to, b);
      return;
    }
  }
  // An atomic addition of f32 would flush subnormals.
  if constexpr (sizeof(T) >= 4) {
    using Bits =
        std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    auto* const bits = reinterpret_cast<Bits*>(to);
    if constexpr (std::is_integral_v<T>) {
      if (op == CombineOp::kAdd) {
        atomicAdd(bits, static_cast<Bits>(b));
        return;
      }
    }
    Bits before = *bits, seen;
    do {
      seen = before;
      const T after = Combined(op, BitCast<T>(seen), b);
      before = atomicCAS(bits, seen, BitCast<Bits>(after));
    } while (before != seen);
  }
#else
  *to = Combined(op, *to, b);
#endif
}

template <class Code>
struct Codes {
  using Job = UpdateJob;
  static ASSAY_DEVICE void Run(const UpdateJob& job, int64_t item) {
    static_cast<Code*>(job.codes)[item] =
        static_cast<Code>(TargetOf(job, item).code);
    job.places[item] = static_cast<uint32_t>(item);
  }
};

template <class T>
ASSAY_DEVICE T UpdateAt(const UpdateJob& job, int64_t offset) {
  return *reinterpret_cast<const T*>(job.updates + offset);
}

template <class Code, class T>
ASSAY_DEVICE void ApplyInOrder(const UpdateJob& job, int64_t item) {
  const auto* const codes = static_cast<const Code*>(job.codes);
  const Code code = codes[item];
  if (uint64_t{code} == job.nowhere || (item > 0 && codes[item - 1] == code))
    return;
  Target target = TargetOf(job, int64_t{job.places[item]});
  T* const to = reinterpret_cast<T*>(job.result + target.result);
  T value = Combined(job.op, *to, UpdateAt<T>(job, target.update));
  for (int64_t next = item + 1; next < job.count && codes[next] == code;
       ++next) {
    target = TargetOf(job, int64_t{job.places[next]});
    value = Combined(job.op, value, UpdateAt<T>(job, target.update));
  }
  *to = value;
}

template <class T>
struct InOrder {
  using Job = UpdateJob;
  static ASSAY_DEVICE void Run(const UpdateJob& job, int64_t item) {
    if (job.code_bytes == 4) {
      ApplyInOrder<uint32_t, T>(job, item);
    } else {
      ApplyInOrder<uint64_t, T>(job, item);
    }
  }
};

// From here on an element has the number of its last update, plus one: 0 stands
// for none.
struct ClearLast {
  using Job = UpdateJob;
  static ASSAY_DEVICE void Run(const UpdateJob& job, int64_t item) {
    job.places[item] = 0;
  }
};

struct FindLast {
  using Job = UpdateJob;
  static ASSAY_DEVICE void Run(const UpdateJob& job, int64_t item) {
    const Target target = TargetOf(job, item);
    if (target.code == job.nowhere) return;
    const auto number = static_cast<uint32_t>(item + 1);
#ifdef __CUDACC__
    atomicMax(job.places + target.code, number);
#else
    if (job.places[target.code] < number) job.places[target.code] = number;
#endif
  }
};

template <class T>
struct Last {
  using Job = UpdateJob;
  static ASSAY_DEVICE void Run(const UpdateJob& job, int64_t item) {
    const Target target = TargetOf(job, item);
    if (target.code == job.nowhere ||
        job.places[target.code] != static_cast<uint32_t>(item + 1))
      return;
    *reinterpret_cast<T*>(job.result + target.result) =
        UpdateAt<T>(job, target.update);
  }
};

template <class T>
struct Atomic {
  using Job = UpdateJob;
  static ASSAY_DEVICE void Run(const UpdateJob& job, int64_t item) {
    const Target target = TargetOf(job, item);
    if (target.code == job.nowhere) return;
    UpdateAtomically(job.op, reinterpret_cast<T*>(job.result + target.result),
                     UpdateAt<T>(job, target.update));
  }
};

// Only an order of integers has need of their sign.
bool IsSigned(const UpdateJob& job) {
  return job.kind == UpdateKind::kSigned &&
         (job.op == CombineOp::kMaximum || job.op == CombineOp::kMinimum);
}

template <template <class> class Body>
void LaunchWide(const UpdateJob& job) {
  if (job.kind == UpdateKind::kFloat)
    return job.bytes == 4 ? LaunchItems<Body<float>>(job, job.count)
                          : LaunchItems<Body<double>>(job, job.count);
  if (IsSigned(job))
    return job.bytes == 4 ? LaunchItems<Body<int32_t>>(job, job.count)
                          : LaunchItems<Body<int64_t>>(job, job.count);
  return job.bytes == 4 ? LaunchItems<Body<uint32_t>>(job, job.count)
                        : LaunchItems<Body<uint64_t>>(job, job.count);
}

template <template <class> class Body>
void LaunchUpdates(const UpdateJob& job) {
  if (job.bytes >= 4) return LaunchWide<Body>(job);
  if (IsSigned(job))
    return job.bytes == 1 ? LaunchItems<Body<int8_t>>(job, job.count)
                          : LaunchItems<Body<int16_t>>(job, job.count);
  return job.bytes == 1 ? LaunchItems<Body<uint8_t>>(job, job.count)
                        : LaunchItems<Body<uint16_t>>(job, job.count);
}

}  // namespace

bool HasAtomic(const UpdateJob& job) {
  return job.bytes >= 4 || job.op == CombineOp::kSecond;
}

void LaunchCodes(const UpdateJob& job) {
  if (job.code_bytes == 4) {
    LaunchItems<Codes<uint32_t>>(job, job.count);
  } else {
    LaunchItems<Codes<uint64_t>>(job, job.count);
  }
}

void LaunchInOrder(const UpdateJob& job) { LaunchUpdates<InOrder>(job); }

void LaunchLast(const UpdateJob& job) {
  LaunchItems<ClearLast>(job, static_cast<int64_t>(job.nowhere));
  LaunchItems<FindLast>(job, job.count);
  LaunchUpdates<Last>(job);
}

void LaunchAtomic(const UpdateJob& job) { LaunchUpdates<Atomic>(job); }

}  // namespace assay::cuda
