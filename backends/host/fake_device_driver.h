// This is a device for tests: host memory between protected pages, which
// "kernels" that run on the host may use.
//
// It shows what a real device hides: memory is dirty when it is mapped, copies
// happen as late as they may, memory is limited, and a fault stays.
#ifndef ASSAY_BACKENDS_HOST_FAKE_DEVICE_DRIVER_H_
#define ASSAY_BACKENDS_HOST_FAKE_DEVICE_DRIVER_H_

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "backends/host/arena.h"
#include "backends/host/device_driver.h"

namespace assay {

class FakeDevice : public DeviceDriver {
 public:
  struct Options {
    uint64_t memory_bytes = uint64_t{1} << 30;
    uint64_t used_by_others = 0;
    size_t granule = size_t{2} << 20;
    // Copies are done by Synchronise or CatchUp, not at once.
    bool is_late = false;
  };
  static constexpr int kDirt = 0xcd;

  explicit FakeDevice(Options options) : options_(options) {}
  FakeDevice() : FakeDevice(Options()) {}
  ~FakeDevice() override {
    for (const auto& [address, bytes] : mapped_) Free(address, bytes);
  }
  FakeDevice(const FakeDevice&) = delete;
  FakeDevice& operator=(const FakeDevice&) = delete;

  const std::string& name() const override { return name_; }
  uint64_t memory_bytes() const override { return options_.memory_bytes; }
  size_t granule() const override { return options_.granule; }

  uint64_t Map(size_t bytes) override {
    Check("Map");
    if (bytes % options_.granule != 0) throw DeviceError("a part of a granule");
    if (used_ + bytes > options_.memory_bytes - options_.used_by_others)
      throw std::bad_alloc();
    void* reserved = mmap(nullptr, bytes + 2 * kProtectedBytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) throw std::bad_alloc();
    std::byte* const data = static_cast<std::byte*>(reserved) + kProtectedBytes;
    if (mprotect(data, bytes, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
    std::memset(data, kDirt, bytes);
    used_ += bytes;
    const auto address = reinterpret_cast<uint64_t>(data);
    mapped_[address] = bytes;
    ++maps;
    return address;
  }

  void Unmap(uint64_t address, size_t bytes) noexcept override {
    const auto it = mapped_.find(address);
    if (it == mapped_.end() || it->second != bytes) std::abort();
    mapped_.erase(it);
    used_ -= bytes;
    Free(address, bytes);
  }

  std::byte* AllocatePinned(size_t bytes) override {
    Check("AllocatePinned");
    return static_cast<std::byte*>(operator new(bytes));
  }
  void FreePinned(std::byte* memory) noexcept override {
    operator delete(memory);
  }

  void Upload(uint64_t to, const std::byte* from, size_t bytes) override {
    Check("Upload");
    ++uploads;
    Do([=] { std::memcpy(At(to), from, bytes); });
  }
  void Download(std::byte* to, uint64_t from, size_t bytes) override {
    Check("Download");
    ++downloads;
    Do([=] { std::memcpy(to, At(from), bytes); });
  }
  void Copy(uint64_t to, uint64_t from, size_t bytes) override {
    Check("Copy");
    Do([=] { std::memcpy(At(to), At(from), bytes); });
  }
  void Spread(uint64_t pieces, size_t count) override {
    Check("Spread");
    ForEachPiece(pieces, count, [](const DevicePiece& piece) {
      std::memcpy(At(piece.placed), At(piece.staged), piece.bytes);
    });
  }
  void Collect(uint64_t pieces, size_t count,
               const DeviceStaging& staging) override {
    Check("Collect");
    ForEachPiece(pieces, count, [staging](const DevicePiece& piece) {
      constexpr size_t kChunk = DeviceStaging::kChunkBytes;
      const uint64_t begin = piece.staged - staging.device;
      const uint64_t end = begin + piece.bytes;
      for (uint64_t at = begin; at < end;) {
        const uint64_t bytes = std::min(end, (at / kChunk + 1) * kChunk) - at;
        const void* const placed = At(piece.placed + at - begin);
        if (std::memcmp(placed, At(staging.device + at), bytes) != 0) {
          std::memcpy(staging.host + at, placed, bytes);
          staging.changed[at / kChunk] = std::byte{1};
        }
        at += bytes;
      }
    });
  }
  void Synchronise() override {
    CatchUp();
    Check("Synchronise");
    ++waits;
  }

  // Does the copies that were asked for, so that memory is as a kernel would
  // find it.
  void CatchUp() {
    for (const auto& work : std::exchange(late_, {})) work();
  }
  // From now on every call fails.
  void Fail(std::string why) { fault_ = std::move(why); }

  int maps = 0, uploads = 0, downloads = 0, waits = 0;
  uint64_t used_bytes() const { return used_; }

 private:
  static void* At(uint64_t address) { return reinterpret_cast<void*>(address); }
  static void Free(uint64_t address, size_t bytes) {
    munmap(At(address - kProtectedBytes), bytes + 2 * kProtectedBytes);
  }
  template <class F>
  void ForEachPiece(uint64_t pieces, size_t count, F f) {
    Do([=] {
      for (size_t i = 0; i < count; ++i) {
        const DevicePiece& piece =
            reinterpret_cast<const DevicePiece*>(pieces)[i];
        if ((piece.staged - piece.placed) % 16 != 0) std::abort();
        f(piece);
      }
    });
  }
  void Do(std::function<void()> work) {
    late_.push_back(std::move(work));
    if (!options_.is_late) CatchUp();
  }
  void Check(const char* from) const {
    if (!fault_.empty()) throw DeviceError(fault_ + ", from " + from);
  }

  std::string name_ = "a fake device", fault_;
  Options options_;
  uint64_t used_ = 0;
  std::map<uint64_t, size_t> mapped_;
  std::vector<std::function<void()>> late_;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_FAKE_DEVICE_DRIVER_H_
