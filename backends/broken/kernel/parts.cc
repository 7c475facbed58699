// This walk serves bitcast_convert to another number of elements. One element
// of the wider type corresponds to a row of the narrower one; they have the
// same bits, lowest first.
#include <algorithm>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {
namespace {

using Bits = unsigned __int128;

int BitsOf(const Type& type) {
  return type.is_complex ? 2 * type.bits : type.bits;
}

Bits BitsOf(const Type& type, const Lane& lane) {
  const Bits low = lane.bits & (~uint64_t{0} >> (64 - type.bits));
  return type.is_complex ? low | Bits{lane.imaginary} << type.bits : low;
}

Lane LaneOf(const Type& type, Bits bits) {
  const uint64_t mask = ~uint64_t{0} >> (64 - type.bits);
  return {
      static_cast<uint64_t>(bits) & mask,
      type.is_complex ? static_cast<uint64_t>(bits >> type.bits) & mask : 0};
}

}  // namespace

void WalkParts(const Job& job) {
  const Tensor &in = job.in[0], &out = job.out;
  const bool splits = BitsOf(in.type) > BitsOf(out.type);
  const Tensor &whole = splits ? in : out, &part = splits ? out : in;
  const int width = BitsOf(part.type);
  const int count = BitsOf(whole.type) / width;
  int64_t index[kMaxRank] = {};
  do {
    const Strip wide = {AddressOf(whole, job.rank, index), 0, whole.type};
    const Strip narrow = {AddressOf(part, job.rank, index),
                          part.strides[job.rank], part.type};
    Bits bits = splits ? BitsOf(whole.type, ReadElement(wide, 0)) : 0;
    for (int i = 0; i < count; ++i) {
      if (splits)
        WriteElement(narrow, i, LaneOf(part.type, bits >> (i * width)));
      else
        bits |= BitsOf(part.type, ReadElement(narrow, i)) << (i * width);
    }
    if (!splits) WriteElement(wide, 0, LaneOf(whole.type, bits));
  } while (Advance(job, job.rank, index));
}

}  // namespace assay::broken
