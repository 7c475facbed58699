// The planted bugs: each replaces exactly one hook of the sound kernel.
//
// bugs.json says of each what it does, to which ops, and where it was found in
// the wild; README.md how the catalogue's descriptions were adapted.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_H_

#include <span>
#include <string_view>

#include "backends/broken/kernel.h"

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

// Of dispatch, walk, body, tail, load and store.
std::span<const Bug> MovementBugs();
// Of op, and of the choice of the op's function by dispatch.
std::span<const Bug> ComputationBugs();

// Makes the active hooks those of the bug; false if there is no such bug.
bool Plant(std::string_view id);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_H_
