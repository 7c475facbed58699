#include <type_traits>

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/launch.h"
#include "backends/cuda/order/keys.h"

namespace assay::cuda {
namespace {

// Bytes from the first element of a tensor to the first one of a slice.
struct SliceOffsets {
  int64_t from = 0, to = 0;
};

ASSAY_DEVICE SliceOffsets OffsetsOf(const SliceViews& views, int64_t slice) {
  SliceOffsets offsets;
  for (int d = views.num_dims - 1; d >= 0; --d) {
    const SliceViews::Dim& dim = views.dims[d];
    const int64_t i = slice % dim.size;
    slice /= dim.size;
    offsets.from += i * dim.from_stride;
    offsets.to += i * dim.to_stride;
  }
  return offsets;
}

template <class Stored>
using CodeOf = std::conditional_t<sizeof(Stored) == 8, uint64_t, uint32_t>;

template <class Stored>
ASSAY_DEVICE Stored Encoded(const KeyJob& job, Stored bits) {
  constexpr auto kSign =
      static_cast<Stored>(Stored{1} << (8 * sizeof(Stored) - 1));
  if (job.is_float && (bits & kSign) != 0) bits ^= static_cast<Stored>(~kSign);
  return static_cast<Stored>(bits ^ static_cast<Stored>(job.sign) ^
                             static_cast<Stored>(job.flip));
}

template <class Stored>
ASSAY_DEVICE Stored Decoded(const KeyJob& job, Stored code) {
  constexpr auto kSign =
      static_cast<Stored>(Stored{1} << (8 * sizeof(Stored) - 1));
  auto bits = static_cast<Stored>(code ^ static_cast<Stored>(job.sign) ^
                                  static_cast<Stored>(job.flip));
  if (job.is_float && (bits & kSign) != 0) bits ^= static_cast<Stored>(~kSign);
  return bits;
}

template <class Stored>
struct Encode {
  using Job = KeyJob;
  static ASSAY_DEVICE void Run(const KeyJob& job, int64_t item) {
    const int64_t slice = item / job.views.length;
    const int64_t i = item - slice * job.views.length;
    const unsigned char* const key = job.views.from +
                                     OffsetsOf(job.views, slice).from +
                                     i * job.views.from_step;
    Stored bits = *reinterpret_cast<const Stored*>(key);
    if (job.has_equal_zeros && static_cast<Stored>(bits << 1) == 0) {
      // All who write a word write the same.
      if (job.zeros != nullptr) job.zeros[bits == 0 ? 0 : 1] = 1;
      if (job.merges_zeros) bits = 0;
    }
    using Code = CodeOf<Stored>;
    static_cast<Code*>(job.codes)[item] = Encoded(job, bits);
    if (job.places != nullptr) job.places[item] = static_cast<uint32_t>(i);
  }
};

template <class Stored>
struct Decode {
  using Job = KeyJob;
  static ASSAY_DEVICE void Run(const KeyJob& job, int64_t item) {
    const int64_t slice = item / job.views.length;
    const int64_t i = item - slice * job.views.length;
    const SliceOffsets offsets = OffsetsOf(job.views, slice);
    using Code = CodeOf<Stored>;
    auto bits = Decoded(
        job, static_cast<Stored>(static_cast<const Code*>(job.codes)[item]));
    if (job.equal != nullptr && job.equal[slice] != 0)
      bits = *reinterpret_cast<const Stored*>(job.views.from + offsets.from +
                                              i * job.views.from_step);
    *reinterpret_cast<Stored*>(job.views.to + offsets.to +
                               i * job.views.to_step) = bits;
  }
};

// Returns how many of the sorted codes are below `bound`.
template <class Code>
ASSAY_DEVICE int64_t CountBelow(const Code* codes, int64_t count,
                                uint64_t bound) {
  int64_t low = 0, high = count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (codes[middle] < bound) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The codes of all numbers lie between those of the infinities, and NaNs have
// the codes below and above these.
template <class Stored>
struct FindEqual {
  using Job = KeyJob;
  static ASSAY_DEVICE void Run(const KeyJob& job, int64_t slice) {
    using Code = CodeOf<Stored>;
    constexpr auto kSign =
        static_cast<Stored>(Stored{1} << (8 * sizeof(Stored) - 1));
    const auto infinity = static_cast<Stored>(job.infinity);
    const Stored one = Encoded(job, infinity);
    const Stored other = Encoded(job, static_cast<Stored>(infinity | kSign));
    const int64_t length = job.views.length;
    const Code* const codes =
        static_cast<const Code*>(job.codes) + slice * length;
    const int64_t first = CountBelow(codes, length, one < other ? one : other);
    const auto last_code = static_cast<uint64_t>(one < other ? other : one);
    const int64_t end = CountBelow(codes, length, last_code + 1);
    const bool has_nan = first > 0 || end < length;
    job.equal[slice] =
        has_nan && (first == end || codes[first] == codes[end - 1]) ? 1 : 0;
  }
};

template <int kBytes>
struct Place {
  using Job = PlaceJob;
  static ASSAY_DEVICE void Run(const PlaceJob& job, int64_t item) {
    using T = typename Word<kBytes>::Type;
    const int64_t slice = item / job.views.length;
    const int64_t i = item - slice * job.views.length;
    const SliceOffsets offsets = OffsetsOf(job.views, slice);
    const bool stays = job.equal != nullptr && job.equal[slice] != 0;
    const int64_t place = stays ? i : int64_t{job.places[item]};
    const auto* const from = reinterpret_cast<const T*>(
        job.views.from + offsets.from + place * job.views.from_step);
    auto* const to =
        reinterpret_cast<T*>(job.views.to + offsets.to + i * job.views.to_step);
    CheckAligned<kBytes>(from);
    CheckAligned<kBytes>(to);
    for (int unit = 0; unit < job.units; ++unit) to[unit] = from[unit];
  }
};

template <template <class> class Body>
void LaunchKeys(const KeyJob& job, int64_t count) {
  switch (job.key_bytes) {
    case 1:
      return LaunchItems<Body<uint8_t>>(job, count);
    case 2:
      return LaunchItems<Body<uint16_t>>(job, count);
    case 4:
      return LaunchItems<Body<uint32_t>>(job, count);
    default:
      return LaunchItems<Body<uint64_t>>(job, count);
  }
}

int64_t CountOf(const SliceViews& views) { return views.slices * views.length; }

}  // namespace

void LaunchEncode(const KeyJob& job) {
  LaunchKeys<Encode>(job, CountOf(job.views));
}

void LaunchFindEqual(const KeyJob& job) {
  LaunchKeys<FindEqual>(job, job.views.slices);
}

void LaunchDecode(const KeyJob& job) {
  LaunchKeys<Decode>(job, CountOf(job.views));
}

void LaunchPlace(const PlaceJob& job, int unit_bytes) {
  const int64_t count = CountOf(job.views);
  switch (unit_bytes) {
    case 1:
      return LaunchItems<Place<1>>(job, count);
    case 2:
      return LaunchItems<Place<2>>(job, count);
    case 4:
      return LaunchItems<Place<4>>(job, count);
    default:
      return LaunchItems<Place<8>>(job, count);
  }
}

}  // namespace assay::cuda
