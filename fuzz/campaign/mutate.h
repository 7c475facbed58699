// Engine 2's changes to a recording: what libFuzzer's bytes are for others.
//
// A change is small in the terms of the generator (another choice, one choice
// less, another shape under the same values), so most of what made the parent
// worth keeping is still there. What comes of it is played once, which brings
// every choice below the number of its alternatives and drops those that
// nobody makes: the encoding stays small, and libFuzzer prefers small ones.
#ifndef ASSAY_FUZZ_CAMPAIGN_MUTATE_H_
#define ASSAY_FUZZ_CAMPAIGN_MUTATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz/draw/choices.h"
#include "fuzz/draw/draw.h"

namespace assay {

// The choices that are made when `recording` is played: the same case.
Recording Played(const Recording& recording, Generator* generator);

// One to three changes; one time in twenty another case altogether. `chance`
// decides, so the same chance makes the same of the same.
Recording Mutated(const Recording& recording, Generator* generator,
                  Choices* chance);

// Whole topics of either.
Recording Crossed(const Recording& a, const Recording& b, Generator* generator,
                  Choices* chance);

// The encoding, in at most `most` bytes: what is too long loses values first,
// from its end.
std::vector<uint8_t> EncodeWithin(Recording recording, size_t most);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_MUTATE_H_
