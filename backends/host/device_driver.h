// A DeviceDriver is what the runner's side needs of a device that holds
// tensors: memory between unmapped address space, copies, and the reason of a
// failure.
//
// It is an interface, because nothing here links against a vendor's library:
// the implementation for CUDA opens the driver when a backend asks for it
// (cuda_driver.h), and tests have a device that is host memory
// (fake_device_driver.h).
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
// sticky: every later request to the device fails too, until the process ends.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A DevicePiece is a range of bytes that are staged in one place and used in
// another. Both addresses are on the device and are equal modulo 16.
struct DevicePiece {
  uint64_t staged;
  uint64_t placed;
  uint64_t bytes;
};

// Pieces are staged in these buffers.
struct DeviceStaging {
  // This many bytes are sent back together or not at all.
  static constexpr size_t kChunkBytes = 512;

  uint64_t device;     // where it begins on the device
  std::byte* host;     // the same bytes in pinned memory
  std::byte* changed;  // a mark for each chunk of it, in pinned memory too
};

// A DeviceDriver is one device, used by one thread. Copies and moves may go on
// when the function returns, and are done in their order, after what ran on the
// device before and before what is launched afterwards (on CUDA: on the legacy
// default stream). Every function throws DeviceError, also for failures of work
// that was launched earlier.
class DeviceDriver {
 public:
  virtual ~DeviceDriver() = default;

  virtual const std::string& name() const = 0;  // "NVIDIA H200"
  virtual uint64_t memory_bytes() const = 0;    // that the device has
  // Device memory comes in multiples of this, a power of two and no less than a
  // page.
  virtual size_t granule() const = 0;

  // Returns the address of `bytes`, a multiple of the granule, of device memory
  // with kProtectedBytes of unmapped address space on both sides. Throws
  // std::bad_alloc if there is no such memory left.
  virtual uint64_t Map(size_t bytes) = 0;
  // Frees memory that Map returned, once nothing uses it any more.
  virtual void Unmap(uint64_t address, size_t bytes) noexcept = 0;

  // Allocates host memory that is fastest to copy. Throws std::bad_alloc.
  virtual std::byte* AllocatePinned(size_t bytes) = 0;
  virtual void FreePinned(std::byte* memory) noexcept = 0;

  // The host memory must not change until Synchronise has returned.
  virtual void Upload(uint64_t to, const std::byte* from, size_t bytes) = 0;
  virtual void Download(std::byte* to, uint64_t from, size_t bytes) = 0;
  // Copies from one place on the device to another.
  virtual void Copy(uint64_t to, uint64_t from, size_t bytes) = 0;
  // Copies each of `count` > 0 pieces, whose list lies on the device at
  // `pieces`, from where it is staged to its place.
  virtual void Spread(uint64_t pieces, size_t count) = 0;
  // Collects changes: if a chunk of the staging on the device differs from what
  // is now in the places of its pieces, those bytes are written to the staging
  // in host memory, and the chunk's mark becomes 1.
  virtual void Collect(uint64_t pieces, size_t count,
                       const DeviceStaging& staging) = 0;

  // Waits for everything that was launched on the device by anything in this
  // process.
  virtual void Synchronise() = 0;
};

// Opens the device that holds a backend's tensors. Throws DeviceError with the
// reason if it cannot be used.
using DeviceOpener =
    std::function<std::unique_ptr<DeviceDriver>(const DLDevice&)>;

// Opens a device of this machine.
std::unique_ptr<DeviceDriver> OpenDevice(const DLDevice& device);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_DEVICE_DRIVER_H_
