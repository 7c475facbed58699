// A call may have no more of these, because they are kept in arrays of a fixed
// size.
#ifndef ASSAY_BACKENDS_CALLS_LIMITS_H_
#define ASSAY_BACKENDS_CALLS_LIMITS_H_

namespace assay::calls {

inline constexpr int kMaxInputs = 3;
inline constexpr int kMaxOutputs = 2;

// The product of 63 extents of 2 and more is the largest that an index holds.
inline constexpr int kMaxDims = 64;

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_LIMITS_H_
