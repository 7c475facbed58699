// DeviceMemory mirrors slots: it is memory of a device in which the tensors of
// a call lie as they do in their slots of the arena.
//
// The runner prepares and checks buffers in host memory, whatever the device
// is: canaries, guards, gaps, fills. A call's bytes and the guards beside them
// are copied to the device before it runs and back afterwards, so all checks of
// what it did are done in host memory. A region of device memory is between
// unmapped address space, and a tensor that is tight against an end of its slot
// is tight against the same end of its region: an access that misses it is a
// fault of the device.
#ifndef ASSAY_BACKENDS_HOST_DEVICE_MEMORY_H_
#define ASSAY_BACKENDS_HOST_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "backends/host/arena.h"
#include "backends/host/device_driver.h"
#include "spec/types/tensor.h"

namespace assay {

// A HostTensor says where the elements of a tensor lie in host memory.
struct HostTensor {
  Slot slot;
  std::byte* element0;  // in this process
  std::byte* begin;     // of the first element by address,
  std::byte* end;       // and behind the last
};

// `strides` count elements. The part of a tensor outside of its slot, as in a
// call that is to be refused, does not count. Throws std::out_of_range if
// element [0, .., 0] lies outside of the slot.
HostTensor LocateTensor(const TensorType& type, const Strides& strides,
                        const Slot& slot, std::byte* element0);

// A DevicePlacement has the tensors of one call on the device.
struct DevicePlacement {
  // A Range is copied for each slot that the call has tensors in.
  struct Range {
    uint64_t slot;    // its begin
    std::byte* host;  // the first byte
    size_t bytes;
    uint64_t device;  // where that byte lies on the device
    uint64_t region;  // the device memory that it lies in, and its size
    size_t region_bytes;
  };
  std::vector<Range> ranges;
  std::vector<uint64_t> element0;  // of each tensor, on the device
  size_t bytes = 0;                // of all ranges
};

// One thread must use the object.
class DeviceMemory {
 public:
  // Ranges up to this size share one transfer each way, as many as fit.
  static constexpr size_t kMostStaged = size_t{256} << 10;
  static constexpr size_t kStagingBytes = size_t{16} << 20;

  // `driver` must outlive the memory.
  explicit DeviceMemory(DeviceDriver* driver);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Places a call in device memory; tensors in one slot lie beside each other
  // as they do there. `guard_bytes` beside each are copied with it, as far as
  // its slot extends. Copies nothing. Throws std::bad_alloc if the device has
  // too little memory.
  DevicePlacement Place(std::span<const HostTensor> tensors,
                        size_t guard_bytes = kGuardBytes);
  // Frees the memory of a call. Regions are kept for other calls, up to a
  // limit.
  void Release(const DevicePlacement& placement);
  // Returns the message for a call for which there is too little memory.
  std::string WantOfMemory(std::span<const HostTensor> tensors) const;
  // Returns the size of the device memory that is placed and not released, in
  // bytes.
  size_t placed_bytes() const { return placed_bytes_; }
  // Returns how many bytes should be placed at a time, so that regions are
  // kept: a sixteenth of the device, because other processes may use it too.
  size_t most_placed_bytes() const { return most_placed_bytes_; }

  // Copies calls to the device, before what is launched afterwards. They stay
  // where they are until Download or the next Upload.
  void Upload(std::span<const DevicePlacement* const> calls);
  // Waits for the device and copies back what it changed in the calls of the
  // last Upload.
  void Download();

 private:
  using Range = DevicePlacement::Range;
  struct Staged {
    const Range* range;
    size_t at;  // in the staging buffers
  };

  void PlaceRange(std::byte* begin, std::byte* end, const Slot& slot,
                  size_t guard_bytes, DevicePlacement* placement);
  size_t RegionBytes(size_t bytes) const;
  uint64_t Acquire(size_t bytes);
  uint64_t Map(size_t bytes);
  void DropIdleRegions();
  void ReserveStaging();
  void Stage(std::span<const DevicePlacement* const> calls);
  void TakeChanges(const Staged& staged);

  DeviceDriver* driver_;
  size_t most_placed_bytes_;
  size_t placed_bytes_ = 0, idle_bytes_ = 0;
  std::map<size_t, std::vector<uint64_t>> idle_;  // regions, by size
  DeviceStaging staging_ = {};
  // These are of the last Upload: the ranges that were staged, how far they
  // fill the staging buffers, the list of pieces, and the ranges that were
  // copied directly.
  std::vector<Staged> staged_;
  size_t staged_end_ = 0;
  std::vector<DevicePiece> pieces_;
  std::vector<const Range*> direct_;
  bool is_busy_ = false;  // nobody has waited for it
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_DEVICE_MEMORY_H_
