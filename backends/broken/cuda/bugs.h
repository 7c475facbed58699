// These are the planted bugs of the CUDA backend, each with the hook that it is
// in.
//
// bugs.json says what each bug does, to which ops, on which devices it shows,
// and where it was found in the wild; README.md beside the other planted bugs
// describes the hooks and the choices.
#ifndef ASSAY_BACKENDS_BROKEN_CUDA_BUGS_H_
#define ASSAY_BACKENDS_BROKEN_CUDA_BUGS_H_

#include <stdint.h>

#include <span>
#include <string_view>

#define ASSAY_CUDA_BUGS(BUG) \
  BUG(LA01, grid)            \
  BUG(LA03, stride)          \
  BUG(LA04, grid)            \
  BUG(LA06, offset)          \
  BUG(LA07, stored_place)    \
  BUG(LA09, grid)            \
  BUG(LA10, stream)          \
  BUG(GD01, is_in)           \
  BUG(GD02, count)           \
  BUG(LP01, count)           \
  BUG(LP07, count)           \
  BUG(LP09, count)           \
  BUG(ME02, is_aligned)      \
  BUG(ME04, is_aligned)      \
  BUG(BC15, is_contiguous)   \
  BUG(BC16, stride_of)       \
  BUG(DG02, run_empty)       \
  BUG(ST11, offset)          \
  BUG(ST12, prepare)         \
  BUG(ST14, prepare)         \
  BUG(AL02, load_word)       \
  BUG(RD14, barrier)         \
  BUG(RD14B, barrier_of_job) \
  BUG(RD17, pitch)           \
  BUG(RD22, tile_of)         \
  BUG(TL01, is_in_tile)      \
  BUG(TL02, in_tile)         \
  BUG(WM01, load_one)        \
  BUG(FL07, quotient)        \
  BUG(BT01, prepare_batch)   \
  BUG(BT02, flushes_first)   \
  BUG(HANG01, next)          \
  BUG(CRASH01, prepare)

namespace assay::cuda {

enum class Bug : uint32_t {
  kNone,
#define ASSAY_ENUMERATOR(id, hook) k##id,
  ASSAY_CUDA_BUGS(ASSAY_ENUMERATOR)
#undef ASSAY_ENUMERATOR
};

struct PlantedBug {
  const char* id;
  const char* hook;
  Bug bug;
};

std::span<const PlantedBug> PlantedBugs();

// Returns the bug that calls have.
Bug& ActiveBug();
inline bool IsActive(Bug bug) { return ActiveBug() == bug; }

// Returns false if there is no such bug.
bool Plant(std::string_view id);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_BROKEN_CUDA_BUGS_H_
