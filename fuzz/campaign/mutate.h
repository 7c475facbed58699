// Engine 2 changes recordings where other users of libFuzzer change bytes.
//
// A change is small in the terms of the generator (another choice, one choice
// less, another shape under the same values), so most of what made the parent
// worth keeping stays. The changed recording is played once, which brings every
// choice below the number of its alternatives and drops those that nobody
// makes: the encoding stays small, and libFuzzer prefers small ones.
#ifndef ASSAY_FUZZ_CAMPAIGN_MUTATE_H_
#define ASSAY_FUZZ_CAMPAIGN_MUTATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases/search/choices.h"
#include "fuzz/draw/draw.h"

namespace assay {

// Returns the choices that are made when `recording` is played, which give the
// same case.
Recording Played(const Recording& recording, Generator* generator);

// Makes one to three changes, and one time in twenty another case altogether.
// `chance` decides, so the same chance and recording give the same result.
Recording Mutated(const Recording& recording, Generator* generator,
                  Choices* chance);

// Takes each topic as a whole from either recording.
Recording Crossed(const Recording& a, const Recording& b, Generator* generator,
                  Choices* chance);

// Returns the encoding, in at most `most` bytes: a recording that is too long
// loses values first, from its end.
std::vector<uint8_t> EncodeWithin(Recording recording, size_t most);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_MUTATE_H_
