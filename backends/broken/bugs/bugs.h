// Each planted bug replaces exactly one hook of the sound kernel.
//
// bugs.json says what each bug does, to which ops, and where it was found in
// the wild; README.md says how the catalog's descriptions were adapted.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_BUGS_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_BUGS_H_

#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

struct Bug {
  const char* id;
  void (*plant)(Hooks* hooks);
};

// Replaces the hook `kHook` by `kFunction`, as a row of the tables says.
template <auto kHook, auto kFunction>
void Replace(Hooks* hooks) {
  hooks->*kHook = kFunction;
}

// This op hook computes kBroken where the call asks for kSound. Both are
// Functions, or FloatFunctions.
template <auto kSound, auto kBroken>
Lanes Instead(const Job& job, const Inputs& in) {
  Job changed = job;
  if constexpr (std::is_same_v<decltype(kSound), Function>) {
    if (job.function == kSound) changed.function = kBroken;
  } else {
    if (job.float_function == kSound) changed.float_function = kBroken;
  }
  return ApplyFunction(changed, in);
}

// These bugs are in body, tail, load and store, and in dispatch and walk.
std::span<const Bug> MovementBugs();
// These bugs are in the layout of operands.
std::span<const Bug> LayoutBugs();
// These bugs are in broadcasting.
std::span<const Bug> BroadcastBugs();
// These bugs are in the ops that only move elements, and in iota.
std::span<const Bug> CopyBugs();
// These bugs are in the types of pointwise calls.
std::span<const Bug> PromotionBugs();
// These bugs are in addresses, at the ends of rows, and in differences between
// one part of a row and another.
std::span<const Bug> AccessBugs();
// These bugs are in op and in the choice of the op's function by dispatch, on
// integers.
std::span<const Bug> ComputationBugs();
// These bugs are in ops on floats and complex numbers.
std::span<const Bug> FloatBugs();
// These bugs are in the transcendental functions on floats.
std::span<const Bug> RealBugs();
// These bugs are in the functions on complex numbers.
std::span<const Bug> ComplexBugs();
// These bugs are in convert, bitcast_convert and reduce_precision.
std::span<const Bug> ConversionBugs();
// These bugs are in map, reduce and sort, which are given functions.
std::span<const Bug> RegionBugs();
// These bugs are in the batch_norm ops.
std::span<const Bug> BatchNormBugs();
// These bugs are in the ops that move elements by indices that are operands.
std::span<const Bug> WindowBugs();
// These bugs are in reduce_window and select_and_scatter.
std::span<const Bug> SlidingBugs();
// These bugs are in dot_general and convolution: in the sums, and in which
// elements meet.
std::span<const Bug> SumBugs();
std::span<const Bug> ContractionBugs();
// These bugs are in slices at indices that are operands, and in sizes.
std::span<const Bug> SliceBugs();
// These bugs are in the simplification of programs: of ops that follow each
// other, and of control flow.
std::span<const Bug> FoldBugs();
std::span<const Bug> ControlBugs();
// These bugs are in the walks over operands: there is one for every kind of
// walks.json in cases/walks/.
std::span<const Bug> WalkBugs();

// The low `bits` bits, from 1 to 64, as a signed integer.
inline int64_t SignExtendedFrom(int bits, int64_t integer) {
  const auto shift = static_cast<unsigned>(64 - bits);
  return static_cast<int64_t>(static_cast<uint64_t>(integer) << shift) >> shift;
}

inline std::array<std::span<const Bug>, 21> AllBugs() {
  return {MovementBugs(),    LayoutBugs(),    BroadcastBugs(),   CopyBugs(),
          AccessBugs(),      PromotionBugs(), ComputationBugs(), FloatBugs(),
          RealBugs(),        ComplexBugs(),   ConversionBugs(),  RegionBugs(),
          WindowBugs(),      SlidingBugs(),   SliceBugs(),       SumBugs(),
          ContractionBugs(), BatchNormBugs(), WalkBugs(),        FoldBugs(),
          ControlBugs()};
}

// Makes the active hooks those of the bug. Returns false if there is no such
// bug.
bool Plant(std::string_view id);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_BUGS_H_
