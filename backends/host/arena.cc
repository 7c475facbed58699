// Slots have sizes of powers of two. The pages of a memory file exist once they
// are touched, so a slot that is larger than its tensor costs nothing.
#include "backends/host/arena.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <new>
#include <system_error>

namespace assay {
namespace {

constexpr size_t kSmallestSlot = size_t{64} << 10;
// The file grows in steps, so that a worker maps it again only a few times.
constexpr uint64_t kSmallestGrowth = uint64_t{4} << 20;
// Free slots from this size on give their pages back when there are many.
constexpr size_t kLarge = size_t{4} << 20;

size_t KeptWhenIdle() {
  return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) / 4 *
         static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace

std::byte* MapBetweenProtectedPages(int fd, uint64_t begin, size_t bytes) {
  void* reserved = mmap(nullptr, bytes + 2 * kProtectedBytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::bad_alloc();
  std::byte* const data = static_cast<std::byte*>(reserved) + kProtectedBytes;
  if (mmap(data, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
           static_cast<off_t>(begin)) == MAP_FAILED) {
    munmap(reserved, bytes + 2 * kProtectedBytes);
    throw std::bad_alloc();
  }
  return data;
}

std::optional<int64_t> DistanceFrom(const Slot& slot, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const auto data = reinterpret_cast<uintptr_t>(slot.data);
  const bool is_beside =
      at >= data - kProtectedBytes && at < data + slot.bytes + kProtectedBytes;
  const bool is_inside = at >= data && at < data + slot.bytes;
  if (!is_beside || is_inside) return std::nullopt;
  return static_cast<int64_t>(at - data);
}

Arena::Arena() : fd_(memfd_create("assay", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  // The file is sealed, so that no worker can take pages away from this
  // process.
  if (fd_ < 0 || ftruncate(fd_, kSmallestGrowth) != 0 ||
      fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    throw std::system_error(errno, std::generic_category(), "memory file");
  bytes_ = kSmallestGrowth;
  used_ = kWorkerPageBytes;
  void* page = mmap(nullptr, kWorkerPageBytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED, fd_, 0);
  if (page == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "memory file");
  worker_page_ = static_cast<WorkerPage*>(page);
}

Arena::~Arena() {
  for (const Slot& slot : all_)
    munmap(slot.data - kProtectedBytes, slot.bytes + 2 * kProtectedBytes);
  munmap(const_cast<WorkerPage*>(worker_page_), kWorkerPageBytes);
  close(fd_);
}

std::string Arena::path() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), fd_);
}

Slot Arena::Acquire(size_t bytes) {
  if (bytes > size_t{1} << 46) throw std::bad_alloc();
  const size_t size = std::max(std::bit_ceil(bytes), kSmallestSlot);
  std::vector<Slot>& free = free_[size];
  if (!free.empty()) {
    const Slot slot = free.back();
    free.pop_back();
    if (idle_.erase(slot.begin) > 0) idle_bytes_ -= size;
    return slot;
  }
  if (used_ + size > bytes_) {
    const uint64_t grown = bytes_ + std::max<uint64_t>(size, kSmallestGrowth);
    if (ftruncate(fd_, static_cast<off_t>(grown)) != 0) throw std::bad_alloc();
    bytes_ = grown;
  }
  Slot slot{used_, size, nullptr};
  slot.data = MapBetweenProtectedPages(fd_, slot.begin, slot.bytes);
  // A worker maps the slots that it needs itself.
  madvise(slot.data, slot.bytes, MADV_DONTFORK);
  used_ += size;
  all_.push_back(slot);
  return slot;
}

void Arena::Release(const Slot& slot) {
  free_[slot.bytes].push_back(slot);
  if (slot.bytes < kLarge) return;
  static const size_t kept = KeptWhenIdle();
  if (idle_bytes_ + slot.bytes > kept) {
    // The slot's pages go back to the system; the slot stays.
    madvise(slot.data, slot.bytes, MADV_REMOVE);
  } else {
    idle_.insert(slot.begin);
    idle_bytes_ += slot.bytes;
  }
}

}  // namespace assay
