// A batch of small calls is one transfer: a list of pieces and their bytes are
// packed into pinned memory, copied, and spread on the device to the places of
// the tensors. Three copies of 10 KB for each call would take longer than the
// calls themselves. On the way back the device compares, and sends only what
// has changed, which most of the time is nothing of the operands and guards.
#include "backends/host/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <stdexcept>

#include "spec/types/element_type.h"

namespace assay {
namespace {

// A block of threads copies this many bytes: few enough that many blocks share
// a range.
constexpr size_t kPieceBytes = size_t{16} << 10;
// Pieces keep their addresses modulo this, so that whole words are copied.
constexpr size_t kWord = 16;
constexpr size_t kChunk = DeviceStaging::kChunkBytes;

constexpr size_t AlignUp(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

}  // namespace

HostTensor LocateTensor(const TensorType& type, const Strides& strides,
                        const Slot& slot, std::byte* element0) {
  HostTensor tensor{slot, element0, element0, element0};
  const auto in_front = static_cast<int64_t>(element0 - slot.data);
  const auto behind = static_cast<int64_t>(slot.bytes) - in_front;
  if (in_front < 0 || behind < 0)
    throw std::out_of_range("a tensor does not begin in its buffer");
  if (std::ranges::find(type.shape, 0) != type.shape.end()) return tensor;
  const int64_t size = Info(type.element_type).bytes;
  const auto extent = Layout{strides, 0}.ExtentOf(type.shape);
  if (!extent) {
    tensor.begin = slot.data;
    tensor.end = slot.data + slot.bytes;
    return tensor;
  }
  tensor.begin += std::max(extent->below, -(in_front / size)) * size;
  tensor.end += std::min(extent->above + 1, behind / size) * size;
  return tensor;
}

DeviceMemory::DeviceMemory(DeviceDriver* driver)
    : driver_(driver),
      most_placed_bytes_(static_cast<size_t>(driver->memory_bytes() / 16)) {}

DeviceMemory::~DeviceMemory() {
  DropIdleRegions();
  if (staging_.host != nullptr) driver_->FreePinned(staging_.host);
  if (staging_.device != 0) driver_->Unmap(staging_.device, kStagingBytes);
}

DevicePlacement DeviceMemory::Place(std::span<const HostTensor> tensors,
                                    size_t guard_bytes) {
  DevicePlacement placement;
  const auto range_of = [&](const Slot& slot) {
    return std::ranges::find(placement.ranges, slot.begin, &Range::slot);
  };
  ReserveStaging();
  try {
    for (const HostTensor& tensor : tensors) {
      if (range_of(tensor.slot) != placement.ranges.end()) continue;
      std::byte* begin = tensor.begin;
      std::byte* end = tensor.end;
      for (const HostTensor& other : tensors) {
        if (other.slot.begin != tensor.slot.begin) continue;
        begin = std::min(begin, other.begin);
        end = std::max(end, other.end);
      }
      PlaceRange(begin, end, tensor.slot, guard_bytes, &placement);
    }
  } catch (...) {
    Release(placement);
    throw;
  }
  for (const HostTensor& tensor : tensors) {
    const auto range = range_of(tensor.slot);
    placement.element0.push_back(
        range->device + static_cast<uint64_t>(tensor.element0 - range->host));
  }
  return placement;
}

// Places tensors in [begin, end) of the slot in a region of their own. Both
// ends of a slot and of a region are ends of pages, so elements stay aligned.
void DeviceMemory::PlaceRange(std::byte* begin, std::byte* end,
                              const Slot& slot, size_t guard_bytes,
                              DevicePlacement* placement) {
  const auto in_front = static_cast<size_t>(begin - slot.data);
  const auto behind = static_cast<size_t>(slot.data + slot.bytes - end);
  const size_t guard_in_front = std::min(in_front, guard_bytes);
  const size_t guard_behind = std::min(behind, guard_bytes);
  Range range{};
  range.slot = slot.begin;
  range.host = begin - guard_in_front;
  range.bytes =
      static_cast<size_t>(end - begin) + guard_in_front + guard_behind;
  // The range is placed at the end of the region that corresponds to the nearer
  // end of the slot.
  const bool is_at_end = behind <= in_front;
  const size_t distance =
      is_at_end ? behind - guard_behind : in_front - guard_in_front;
  range.region_bytes = RegionBytes(range.bytes + distance);
  range.region = Acquire(range.region_bytes);
  range.device =
      is_at_end ? range.region + range.region_bytes - distance - range.bytes
                : range.region + distance;
  placement->ranges.push_back(range);
  placement->bytes += range.bytes;
}

// There are few sizes, so that regions are used again: from eight granules on,
// they are eighths of powers of two.
size_t DeviceMemory::RegionBytes(size_t bytes) const {
  const size_t step = std::max(driver_->granule(), std::bit_floor(bytes) / 8);
  return AlignUp(bytes, step);
}

uint64_t DeviceMemory::Acquire(size_t bytes) {
  uint64_t region = 0;
  if (const auto idle = idle_.find(bytes);
      idle != idle_.end() && !idle->second.empty()) {
    region = idle->second.back();
    idle->second.pop_back();
    idle_bytes_ -= bytes;
  } else {
    region = Map(bytes);
  }
  placed_bytes_ += bytes;
  return region;
}

uint64_t DeviceMemory::Map(size_t bytes) {
  try {
    return driver_->Map(bytes);
  } catch (const std::bad_alloc&) {
    if (idle_bytes_ == 0) throw;
  }
  DropIdleRegions();
  return driver_->Map(bytes);
}

void DeviceMemory::Release(const DevicePlacement& placement) {
  for (const Range& range : placement.ranges) {
    placed_bytes_ -= range.region_bytes;
    if (idle_bytes_ + range.region_bytes > most_placed_bytes_) {
      driver_->Unmap(range.region, range.region_bytes);
    } else {
      idle_[range.region_bytes].push_back(range.region);
      idle_bytes_ += range.region_bytes;
    }
  }
}

std::string DeviceMemory::WantOfMemory(
    std::span<const HostTensor> tensors) const {
  size_t bytes = 0;
  for (const HostTensor& tensor : tensors)
    bytes += static_cast<size_t>(tensor.end - tensor.begin);
  return fmt::format(
      "no memory left for tensors of {} MiB on {}, which has {} MiB",
      (bytes >> 20) + 1, driver_->name(), driver_->memory_bytes() >> 20);
}

void DeviceMemory::DropIdleRegions() {
  for (const auto& [bytes, regions] : idle_) {
    for (const uint64_t region : regions) driver_->Unmap(region, bytes);
  }
  idle_.clear();
  idle_bytes_ = 0;
}

// The staging has one size and is reserved before any region, so that a call
// that is placed can be copied.
void DeviceMemory::ReserveStaging() {
  if (staging_.host == nullptr) {
    staging_.host =
        driver_->AllocatePinned(kStagingBytes + kStagingBytes / kChunk);
    staging_.changed = staging_.host + kStagingBytes;
  }
  if (staging_.device == 0) staging_.device = Map(kStagingBytes);
}

// The list of pieces comes first, then their bytes.
void DeviceMemory::Stage(std::span<const DevicePlacement* const> calls) {
  staged_.clear();
  pieces_.clear();
  direct_.clear();
  size_t bytes = 0;  // at most, with the list
  for (const DevicePlacement* call : calls) {
    for (const Range& range : call->ranges) {
      const size_t pieces = AlignUp(range.bytes, kPieceBytes) / kPieceBytes;
      const size_t needed =
          range.bytes + 2 * kWord + pieces * sizeof(DevicePiece);
      if (range.bytes > kMostStaged || bytes + needed > kStagingBytes) {
        direct_.push_back(&range);
        continue;
      }
      bytes += needed;
      staged_.push_back({&range, 0});
      for (size_t done = 0; done < range.bytes; done += kPieceBytes)
        pieces_.push_back({0, range.device + done,
                           std::min(kPieceBytes, range.bytes - done)});
    }
  }
  size_t at = AlignUp(pieces_.size() * sizeof(DevicePiece), kWord);
  auto piece = pieces_.begin();
  for (Staged& staged : staged_) {
    const Range& range = *staged.range;
    at = AlignUp(at, kWord) + range.device % kWord;
    staged.at = at;
    for (size_t done = 0; done < range.bytes; done += kPieceBytes, ++piece)
      piece->staged = staging_.device + at + done;
    at += range.bytes;
  }
  staged_end_ = at;
}

void DeviceMemory::Upload(std::span<const DevicePlacement* const> calls) {
  // The staging buffer may still be read.
  if (is_busy_) driver_->Synchronise();
  is_busy_ = true;
  Stage(calls);
  if (!pieces_.empty()) {
    std::memcpy(staging_.host, pieces_.data(),
                pieces_.size() * sizeof(DevicePiece));
    for (const auto& [range, at] : staged_)
      std::memcpy(staging_.host + at, range->host, range->bytes);
    driver_->Upload(staging_.device, staging_.host, staged_end_);
    driver_->Spread(staging_.device, pieces_.size());
  }
  for (const Range* range : direct_)
    driver_->Upload(range->device, range->host, range->bytes);
}

void DeviceMemory::Download() {
  driver_->Synchronise();
  if (!pieces_.empty()) {
    std::memset(staging_.changed, 0, AlignUp(staged_end_, kChunk) / kChunk);
    driver_->Collect(staging_.device, pieces_.size(), staging_);
  }
  for (const Range* range : direct_)
    driver_->Download(range->host, range->device, range->bytes);
  driver_->Synchronise();
  is_busy_ = false;
  for (const Staged& staged : staged_) TakeChanges(staged);
}

void DeviceMemory::TakeChanges(const Staged& staged) {
  const auto& [range, begin] = staged;
  const size_t end = begin + range->bytes;
  for (size_t at = begin; at < end;) {
    const size_t chunk = at / kChunk;
    const size_t next = std::min(end, (chunk + 1) * kChunk);
    if (staging_.changed[chunk] != std::byte{0})
      std::memcpy(range->host + (at - begin), staging_.host + at, next - at);
    at = next;
  }
}

}  // namespace assay
