#include "backends/cuda/order/sort.h"

#include <algorithm>

#include "backends/calls/dims_view.h"
#include "backends/calls/overlap.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/order/keys.h"
#include "backends/cuda/order/radix_sort.h"

namespace assay::cuda {
namespace {

using calls::DimsView;
using calls::KeySort;

constexpr Failure kNoMemory = {ASSAY_ERROR,
                               "no memory on the device for a sort"};
// Places of elements in their slice have 32 bits.
constexpr int64_t kMostPlaces = int64_t{1} << 32;

// The places of the workspaces that are none of the sort's.
enum : int { kEqual = kSortMemory + 1, kFirstCopy };

// Views of the slices of an operand and of its result.
bool MakeViews(const DimsView& from, const DimsView& to, size_t dimension,
               int64_t bytes, SliceViews* views) {
  const size_t rank = from.shape.size();
  if (rank > kMaxSliceDims + 1) return false;
  *views = {};
  views->from = from.first;
  views->to = to.first;
  views->length = from.shape[dimension];
  views->slices = calls::CountOf(from.shape) / views->length;
  views->from_step = from.strides[dimension] * bytes;
  views->to_step = to.strides[dimension] * bytes;
  for (size_t d = 0; d < rank; ++d) {
    if (d == dimension || from.shape[d] == 1) continue;
    views->dims[views->num_dims++] = {from.shape[d], from.strides[d] * bytes,
                                      to.strides[d] * bytes};
  }
  return true;
}

// Returns what a key is, without its memory.
KeyJob JobOf(const KeySort& sort) {
  KeyJob job = {};
  const calls::Type& type = sort.type;
  job.key_bytes = static_cast<int>(type.bytes());
  job.is_float =
      type.kind == calls::Kind::kFloat || type.kind == calls::Kind::kFormat;
  const uint64_t sign = uint64_t{1} << (8 * job.key_bytes - 1);
  if (job.is_float || type.kind == calls::Kind::kSigned) job.sign = sign;
  if (sort.is_descending) job.flip = ~uint64_t{0};
  job.has_equal_zeros = sort.has_equal_zeros;
  switch (job.key_bytes) {
    case 2:
      job.infinity = type.kind == calls::Kind::kFormat &&
                             type.format == calls::Format::kF16
                         ? 0x7c00
                         : 0x7f80;
      break;
    case 4:
      job.infinity = uint64_t{0xff} << 23;
      break;
    default:
      job.infinity = uint64_t{0x7ff} << 52;
  }
  return job;
}

class Sorter {
 public:
  Sorter(const AssayCall& call, const KeySort& sort)
      : call_(call), sort_(sort), job_(JobOf(sort)) {}

  Failure Run() {
    for (size_t k = 0; k < sort_.count; ++k) {
      calls::Type type;
      calls::ParseType(call_.inputs[k], &type);
      types_.push_back(type);
      from_.push_back(DimsView::Of(call_.inputs[k].tensor));
      to_.push_back(DimsView::Of(call_.outputs[k].tensor));
    }
    const auto bytes = static_cast<int64_t>(sort_.type.bytes());
    if (!MakeViews(from_[sort_.key], to_[sort_.key], sort_.dimension, bytes,
                   &job_.views))
      return {ASSAY_UNSUPPORTED, "rank"};
    if (job_.views.length >= kMostPlaces)
      return {ASSAY_UNSUPPORTED, "a slice of more than 2^32 elements"};
    Failure failure = SortKeys();
    if (failure.is() || sort_.count > 1 || has_places_)
      return failure.is() ? failure : PlaceAll();
    LaunchDecode(job_);
    return Launched();
  }

 private:
  // Sorts the codes of the keys, with places if these are asked for.
  Failure SortKeys() {
    const int64_t count = job_.views.slices * job_.views.length;
    const int code_bytes = job_.key_bytes == 8 ? 8 : 4;
    unsigned char *codes, *sorted;
    if (!Reserve(kCodesMemory, count * code_bytes, &codes) ||
        !Reserve(kSortedMemory, count * code_bytes, &sorted))
      return kNoMemory;
    job_.codes = codes;
    has_places_ = sort_.count > 1;
    job_.merges_zeros = has_places_;
    uint32_t* places = nullptr;
    if (has_places_ && !Reserve(kPlacesMemory, count, &places))
      return kNoMemory;
    job_.places = places;
    bool has_both = false;
    if (const Failure failure = Encode(&has_both); failure.is()) return failure;
    if (has_both) {
      // Zeros of both signs are equal, and stay in their order.
      has_places_ = job_.merges_zeros = true;
      if (!Reserve(kPlacesMemory, count, &places)) return kNoMemory;
      job_.places = places;
      if (const Failure failure = Encode(nullptr); failure.is()) return failure;
    }
    uint32_t* sorted_places = nullptr;
    if (has_places_ && !Reserve(kSortedPlacesMemory, count, &sorted_places))
      return kNoMemory;
    const char* const error =
        SortCodes({code_bytes, 8 * job_.key_bytes, job_.views.slices,
                   job_.views.length, codes, sorted, places, sorted_places});
    if (error != nullptr) return {ASSAY_ERROR, error};
    job_.codes = sorted;
    job_.places = sorted_places;
    if (!sort_.has_equal_zeros) return {};
    if (!Reserve(kEqual, job_.views.slices, &job_.equal)) return kNoMemory;
    LaunchFindEqual(job_);
    return Launched();
  }

  // Sets `has_both`, if it is not null and zeros are not merged, to whether
  // there are zeros of both signs.
  Failure Encode(bool* has_both) {
    const bool asks =
        has_both != nullptr && sort_.has_equal_zeros && !job_.merges_zeros;
    constexpr uint32_t kNone[2] = {0, 0};
    job_.zeros = nullptr;
    if (asks) {
      job_.zeros = static_cast<uint32_t*>(UploadValues(kNone, sizeof(kNone)));
      if (job_.zeros == nullptr) return kNoMemory;
    }
    LaunchEncode(job_);
    if (!asks) return Launched();
    uint32_t found[2];
    if (const char* error = Download(job_.zeros, sizeof(found), found))
      return {ASSAY_ERROR, error};
    *has_both = found[0] != 0 && found[1] != 0;
    return {};
  }

  // Moves the elements of all operands to their places. Operands in whose
  // memory results lie are copied first.
  Failure PlaceAll() {
    if (const Failure failure = CopyShared(); failure.is()) return failure;
    for (size_t k = 0; k < sort_.count; ++k) {
      const auto bytes = static_cast<int64_t>(types_[k].bytes());
      PlaceJob job = {};
      if (!MakeViews(from_[k], to_[k], sort_.dimension, bytes, &job.views))
        return {ASSAY_UNSUPPORTED, "rank"};
      job.units = types_[k].kind == calls::Kind::kComplex ? 2 : 1;
      job.places = job_.places;
      job.equal = job_.equal;
      LaunchPlace(job, static_cast<int>(bytes) / job.units);
    }
    return Launched();
  }

  Failure CopyShared() {
    int64_t bytes = 0;
    std::vector<bool> is_shared(sort_.count);
    for (size_t k = 0; k < sort_.count; ++k) {
      for (size_t o = 0; o < sort_.count; ++o)
        is_shared[k] =
            is_shared[k] ||
            calls::IsSamePlace(call_.inputs[k].tensor, call_.outputs[o].tensor);
      if (is_shared[k]) bytes += SizeOfCopy(k);
    }
    if (bytes == 0) return {};
    unsigned char* memory;
    if (!Reserve(kFirstCopy, bytes, &memory)) return kNoMemory;
    for (size_t k = 0; k < sort_.count; ++k) {
      if (!is_shared[k]) continue;
      DimsView copy = from_[k];
      copy.strides = calls::RowMajor(copy.shape);
      copy.first = memory;
      const DLTensor& like = call_.inputs[k].tensor;
      const Failure failure = CopyElements(types_[k], like, copy.Tensor(like));
      if (failure.is()) return failure;
      memory += SizeOfCopy(k);
      from_[k] = std::move(copy);
    }
    return FlushBatch();
  }

  // Copies begin at multiples of 16 bytes.
  int64_t SizeOfCopy(size_t k) const {
    const int64_t bytes = calls::CountOf(from_[k].shape) *
                          static_cast<int64_t>(types_[k].bytes());
    return (bytes + 15) / 16 * 16;
  }

  const AssayCall& call_;
  const KeySort& sort_;
  KeyJob job_;
  std::vector<calls::Type> types_;
  std::vector<DimsView> from_, to_;
  bool has_places_ = false;
};

}  // namespace

Failure RunKeySort(const AssayCall& call, const KeySort& sort) {
  if (calls::CountElements(call.inputs[0].tensor) == 0) return {};
  if (const Failure failure = FlushBatch(); failure.is()) return failure;
  return Sorter(call, sort).Run();
}

}  // namespace assay::cuda
