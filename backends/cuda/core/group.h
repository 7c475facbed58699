// Groups of ops are lists of functors on elements of one type, with the kernel
// that runs the one that a job asks for.
//
// A functor has a name, a number of operands and a call on values; a storage
// says how values of a type lie in memory, and for which of its groups a kernel
// for transposed operands pays. To add an op is to write a functor and to put
// it into the list of its group.
#ifndef ASSAY_BACKENDS_CUDA_CORE_GROUP_H_
#define ASSAY_BACKENDS_CUDA_CORE_GROUP_H_

#include <string_view>
#include <tuple>
#include <type_traits>

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/elementwise/truths.h"

namespace assay::cuda {

template <class First, class... Rest>
struct OpList {
  static constexpr int kInputs = First::kInputs;  // The same for all ops.

  // Calls visit(Op()) for the op at this place in the list.
  template <class Visitor>
  ASSAY_DEVICE static void Visit(int op, const Visitor& visit) {
    VisitAmong<0, 1 + int{sizeof...(Rest)}>(op, visit);
  }

  // Returns its place in the list, or -1.
  static int Find(std::string_view name, int num_inputs) {
    constexpr std::string_view kNames[] = {First::kName, Rest::kName...};
    static_assert(((Rest::kInputs == kInputs) && ...));
    for (int i = 0; num_inputs == kInputs && i <= int{sizeof...(Rest)}; ++i) {
      if (kNames[i] == name) return i;
    }
    return -1;
  }

 private:
  // The search goes by halves, since a chain of comparisons takes longer than
  // most ops.
  template <int kBegin, int kEnd, class Visitor>
  ASSAY_DEVICE static void VisitAmong(int op, const Visitor& visit) {
    if constexpr (kEnd - kBegin == 1) {
      visit(std::tuple_element_t<kBegin, std::tuple<First, Rest...>>());
    } else {
      constexpr int kMiddle = (kBegin + kEnd) / 2;
      if (op < kMiddle) {
        VisitAmong<kBegin, kMiddle>(op, visit);
      } else {
        VisitAmong<kMiddle, kEnd>(op, visit);
      }
    }
  }
};

// HasPairs is true of a storage that converts values to what lies in memory two
// at a time.
template <class Storage>
concept HasPairs = requires(typename Storage::Value value,
                            typename Storage::Raw* raws) {
  Storage::ToRaws(value, value, raws);
};

// These are ops from values of `Storage` to such values or, if `Result` is
// another type, to that type; uint8_t stands for truth values.
template <class Storage, class Ops, bool kHeavy, class Result = void>
struct SameType {
  using Raw = typename Storage::Raw;
  using Value = typename Storage::Value;
  using In0 = Raw;
  using In1 = std::conditional_t<(Ops::kInputs > 1), Raw, void>;
  using In2 = std::conditional_t<(Ops::kInputs > 2), Raw, void>;
  using Out = std::conditional_t<std::is_void_v<Result>, Raw, Result>;
  using List = Ops;
  static constexpr bool kIsHeavy = kHeavy;
  static constexpr bool kIsTiled =
      kHeavy ? Storage::kTilesFunctions : Storage::kTilesArithmetic;

  template <int kCount>
  ASSAY_DEVICE static void Load(const Raw (&raw)[kCount], const Parameters& p,
                                Value (&values)[kCount]) {
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) values[i] = Storage::ToValue(raw[i], p);
  }

  // Values are decoded and encoded in one place for all ops: if a format is
  // decoded by arithmetic, that is most of the code.
  template <int kCount, class B, class C>
  ASSAY_DEVICE static void Compute(const Job& job, const Raw (&a)[kCount],
                                   const B& b, const C& c, Out (&out)[kCount]) {
    using Computed = std::conditional_t<std::is_void_v<Result>, Value, Result>;
    const Parameters& p = job.parameters;
    Value x[kCount], y[kCount], z[kCount];
    Load(a, p, x);
    if constexpr (Ops::kInputs > 1) Load(b, p, y);
    if constexpr (Ops::kInputs > 2) Load(c, p, z);
    const auto apply = [&](auto op, int i) {
      if constexpr (Ops::kInputs == 1) {
        return op(x[i], p);
      } else if constexpr (Ops::kInputs == 2) {
        return op(x[i], y[i], p);
      } else {
        return op(x[i], y[i], z[i], p);
      }
    };
    if constexpr (std::is_same_v<Result, uint8_t>) {
      Ops::Visit(job.op, [&](auto op) {
        StoreTruths([&](int i) { return apply(op, i); }, out);
      });
    } else {
      Computed result[kCount] = {};
      Ops::Visit(job.op, [&](auto op) {
        ASSAY_UNROLL
        for (int i = 0; i < kCount; ++i)
          result[i] = static_cast<Computed>(apply(op, i));
      });
      ASSAY_UNROLL
      for (int i = 0; i < kCount; ++i) {
        if constexpr (!std::is_void_v<Result>) {
          out[i] = result[i];
        } else if constexpr (HasPairs<Storage> && kCount % 2 == 0) {
          if (i % 2 == 0) Storage::ToRaws(result[i], result[i + 1], out + i);
        } else {
          out[i] = Storage::ToRaw(result[i], p);
        }
      }
    }
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_GROUP_H_
