// The planted bugs: each replaces exactly one hook of the sound kernel.
//
// bugs.json says of each what it does, to which ops, and where it was found in
// the wild; README.md how the catalogue's descriptions were adapted.
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

// Replaces the hook `kHook` by `kFunction`: what a row of the tables does.
template <auto kHook, auto kFunction>
void Replace(Hooks* hooks) {
  hooks->*kHook = kFunction;
}

// The op hook that computes kBroken where the call asks for kSound. Both are
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

// Of body, tail, load and store, and of dispatch and walk,
std::span<const Bug> MovementBugs();
// of the layout of operands,
std::span<const Bug> LayoutBugs();
// of broadcasting,
std::span<const Bug> BroadcastBugs();
// of the types of pointwise calls,
std::span<const Bug> PromotionBugs();
// and of addresses, ends of rows, and what one part of a row has and another
// has not.
std::span<const Bug> AccessBugs();
// Of op, and of the choice of the op's function by dispatch: on integers,
std::span<const Bug> ComputationBugs();
// on floats and complex numbers,
std::span<const Bug> FloatBugs();
// of the transcendental functions on floats,
std::span<const Bug> RealBugs();
// of the functions on complex numbers,
std::span<const Bug> ComplexBugs();
// and in convert, bitcast_convert and reduce_precision.
std::span<const Bug> ConversionBugs();
// Bugs of the ways through operands: one for every kind of walks.json in
// cases/walks/.
std::span<const Bug> WalkBugs();

inline std::array<std::span<const Bug>, 11> AllBugs() {
  return {MovementBugs(),  LayoutBugs(),      BroadcastBugs(), AccessBugs(),
          PromotionBugs(), ComputationBugs(), FloatBugs(),     RealBugs(),
          ComplexBugs(),   ConversionBugs(),  WalkBugs()};
}

// Makes the active hooks those of the bug; false if there is no such bug.
bool Plant(std::string_view id);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_BUGS_H_
