// This is the loop of the steps: whole vectors are converted in place, the rest
// through a buffer. The file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_CORE_STEP_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_CORE_STEP_LOOP_INL_H_
#undef ASSAY_BACKENDS_SIMD_CORE_STEP_LOOP_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_CORE_STEP_LOOP_INL_H_
#endif

#include <stddef.h>
#include <string.h>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Runs one_vector(from, to) for every `lanes` elements. It must make no access
// but by vectors, since the pointers may be aligned to bytes only.
template <class From, class To, class OneVector>
HWY_INLINE void ForVectors(const void* from, void* to, size_t count,
                           size_t lanes, const OneVector& one_vector) {
  const auto* source = static_cast<const unsigned char*>(from);
  auto* target = static_cast<unsigned char*>(to);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    one_vector(reinterpret_cast<const From*>(source + i * sizeof(From)),
               reinterpret_cast<To*>(target + i * sizeof(To)));
  }
  if (i == count) return;
  constexpr size_t kMaxLanes = 64;
  From in[kMaxLanes] = {};
  To out[kMaxLanes];
  memcpy(in, source + i * sizeof(From), (count - i) * sizeof(From));
  one_vector(in, out);
  memcpy(target + i * sizeof(To), out, (count - i) * sizeof(To));
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_CORE_STEP_LOOP_INL_H_
