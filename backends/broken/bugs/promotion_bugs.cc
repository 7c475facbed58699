// These bugs are in the types of pointwise calls: in the choice of the type
// that is computed in, and in the conversions to it and back. Where nothing is
// converted they are all sound.
#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/pointwise.h"
#include "backends/broken/kernel/types.h"

namespace assay::broken {
namespace {

// PM01.
const char* NarrowFloatsComputeAsTheyAre(const AssayCall& call, Job* job) {
  const char* missing = Dispatch(call, job);
  const Type narrow = job->out.type;
  const bool is_narrow =
      narrow.format != nullptr && !narrow.is_complex && narrow.bits < 32;
  if (missing != nullptr || !IsPointwise(call) || !is_narrow ||
      !IsSameType(job->gives, job->type)) {
    return missing;
  }
  for (Type& taken : job->takes) {
    if (!taken.is_bool) taken = narrow;
  }
  job->type = job->gives = narrow;
  return nullptr;
}

// PM02.
Lanes TruthIsTheLowestBit(const Type& from, const Type& to,
                          const Lanes& lanes) {
  if (!to.is_bool || !IsInteger(from)) return ConvertLanes(from, to, lanes);
  Lanes converted;
  for (int i = 0; i < kLanes; ++i) converted[i].bits = lanes[i].bits & 1;
  return converted;
}

// PM03.
Lanes IntegersGoThroughFloat32(const Type& from, const Type& to,
                               const Lanes& lanes) {
  const bool is_wider = to.format != nullptr && to.bits == 64;
  if (!IsInteger(from) || !is_wider) return ConvertLanes(from, to, lanes);
  return ConvertLanes(FloatType(32), to,
                      ConvertLanes(from, FloatType(32), lanes));
}

constexpr Bug kBugs[] = {
    {"PM01", Replace<&Hooks::dispatch, NarrowFloatsComputeAsTheyAre>},
    {"PM02", Replace<&Hooks::convert, TruthIsTheLowestBit>},
    {"PM03", Replace<&Hooks::convert, IntegersGoThroughFloat32>},
};

}  // namespace

std::span<const Bug> PromotionBugs() { return kBugs; }

}  // namespace assay::broken
