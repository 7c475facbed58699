// What the runner's side needs of a device that holds tensors: memory between
// unmapped address space, copies, and the reason of a failure.
//
// An interface, because nothing here links against a vendor's library: the one
// of CUDA opens the driver when a backend asks for it (cuda_driver.h), and
// tests have a device that is host memory (fake_device_driver.h).
#ifndef ASSAY_BACKENDS_HOST_DEVICE_DRIVER_H_
#define ASSAY_BACKENDS_HOST_DEVICE_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "backends/backend.h"

namespace assay {

// A call of the driver failed: "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory
// access was encountered), from cuCtxSynchronize". Most faults of kernels are
// sticky: whatever is asked of the device afterwards fails too, until the
// process ends.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Bytes that are staged in one place and used in another, by their addresses on
// the device, which are equal modulo 16.
struct DevicePiece {
  uint64_t staged;
  uint64_t placed;
  uint64_t bytes;
};

// What pieces are staged in.
struct DeviceStaging {
  // Bytes that are sent back together or not at all.
  static constexpr size_t kChunkBytes = 512;

  uint64_t device;     // where it begins on the device
  std::byte* host;     // the same bytes in pinned memory
  std::byte* changed;  // a mark for each chunk of it, in pinned memory too
};

// One device. Everything is asked for by one thread. Copies and moves may go on
// when the function returns, and are done in their order, behind what ran on
// the device before and ahead of what is launched afterwards (on CUDA: on the
// legacy default stream). Every function throws DeviceError, also for what went
// wrong in work that was launched earlier.
class DeviceDriver {
 public:
  virtual ~DeviceDriver() = default;

  virtual const std::string& name() const = 0;  // "NVIDIA H200"
  virtual uint64_t memory_bytes() const = 0;    // that the device has
  // Device memory comes in multiples of this, a power of two and no less than
  // a page.
  virtual size_t granule() const = 0;

  // The address of `bytes`, a multiple of the granule, of device memory with
  // kProtectedBytes of unmapped address space on both sides. Throws
  // std::bad_alloc if there is no such memory left.
  virtual uint64_t Map(size_t bytes) = 0;
  // Gives back what Map returned, once nothing uses it any more.
  virtual void Unmap(uint64_t address, size_t bytes) noexcept = 0;

  // Host memory that copies go through fastest. Throws std::bad_alloc.
  virtual std::byte* AllocatePinned(size_t bytes) = 0;
  virtual void FreePinned(std::byte* memory) noexcept = 0;

  // The host memory stays as it is until Synchronise has returned.
  virtual void Upload(uint64_t to, const std::byte* from, size_t bytes) = 0;
  virtual void Download(std::byte* to, uint64_t from, size_t bytes) = 0;
  // From one place on the device to another.
  virtual void Copy(uint64_t to, uint64_t from, size_t bytes) = 0;
  // Copies each of `count` > 0 pieces, whose list lies on the device at
  // `pieces`, from where it is staged to its place.
  virtual void Spread(uint64_t pieces, size_t count) = 0;
  // The way back, for what has changed: where a chunk of the staging on the
  // device is not what now stands in the places of its pieces, those bytes are
  // written to the staging in host memory, and its mark becomes 1.
  virtual void Collect(uint64_t pieces, size_t count,
                       const DeviceStaging& staging) = 0;

  // Waits for everything that was launched on the device, by whomever in this
  // process.
  virtual void Synchronise() = 0;
};

// Opens the device that holds a backend's tensors. Throws DeviceError with the
// reason if it cannot be used.
using DeviceOpener =
    std::function<std::unique_ptr<DeviceDriver>(const DLDevice&)>;

// The one of what the machine has.
std::unique_ptr<DeviceDriver> OpenDevice(const DLDevice& device);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_DEVICE_DRIVER_H_
