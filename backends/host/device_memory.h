// The mirror: memory of a device in which the tensors of a call lie as they do
// in their slots of the arena.
//
// The runner prepares and checks buffers in host memory, whatever the device:
// canaries, guards, gaps, fills. A call's bytes and the guards beside them are
// copied to the device before it runs and back when it has, so what it did to
// them is seen where everything is looked at. A region of device memory stands
// between unmapped address space, and a tensor that is tight against an end of
// its slot is tight against the same end of its region: what misses it is a
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

// Where the elements of a tensor lie in host memory.
struct HostTensor {
  Slot slot;
  std::byte* element0;  // in this process
  std::byte* begin;     // of the first element by address,
  std::byte* end;       // and behind the last
};

// `strides` count elements. What leaves the slot, as in a call that is to be
// refused, is not part of it. Throws std::out_of_range if element [0, .., 0]
// lies outside of the slot.
HostTensor LocateTensor(const TensorType& type, const Strides& strides,
                        const Slot& slot, std::byte* element0);

// The tensors of one call on the device.
struct DevicePlacement {
  // What is copied, for each slot that the call has tensors in.
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

// Used by one thread.
class DeviceMemory {
 public:
  // Ranges up to this size share one transfer each way, as many as there is
  // room for.
  static constexpr size_t kMostStaged = size_t{256} << 10;
  static constexpr size_t kStagingBytes = size_t{16} << 20;

  // `driver` outlives the memory.
  explicit DeviceMemory(DeviceDriver* driver);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Device memory for a call; tensors in one slot lie beside each other as they
  // do there. `guard_bytes` beside each are copied with it, as far as its slot
  // goes. Copies nothing. Throws std::bad_alloc if the device has too little.
  DevicePlacement Place(std::span<const HostTensor> tensors,
                        size_t guard_bytes = kGuardBytes);
  // Gives it back. Regions are kept for other calls, up to a limit.
  void Release(const DevicePlacement& placement);
  // What to say when there is too little for a call.
  std::string WantOfMemory(std::span<const HostTensor> tensors) const;
  // Device memory that is placed and not released, in bytes.
  size_t placed_bytes() const { return placed_bytes_; }
  // How much of it to have at a time, so that regions are kept: a sixteenth of
  // the device, because other processes may use it too.
  size_t most_placed_bytes() const { return most_placed_bytes_; }

  // Copies calls to the device, in front of what is launched afterwards. They
  // stay where they are until Download or the next Upload.
  void Upload(std::span<const DevicePlacement* const> calls);
  // Waits for the device and copies back what it changed of the calls of the
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
  // Of the last Upload: what was staged, up to where in the staging buffers and
  // as a list of pieces, and what was copied by itself.
  std::vector<Staged> staged_;
  size_t staged_end_ = 0;
  std::vector<DevicePiece> pieces_;
  std::vector<const Range*> direct_;
  bool is_busy_ = false;  // nobody has waited for it
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_DEVICE_MEMORY_H_
