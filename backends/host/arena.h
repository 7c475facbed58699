// The tensors of calls lie in an arena: a file in memory, shared with worker
// processes, cut into slots.
//
// A slot is mapped between protected pages, in every process that maps it this
// way: an access that misses a tensor by up to 16 MiB is a page fault, and the
// slot that it missed is known. Slots are mapped once and used again, so a
// small case costs no system call.
#ifndef ASSAY_BACKENDS_HOST_ARENA_H_
#define ASSAY_BACKENDS_HOST_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace assay {

// A Slot is made of whole pages. `begin` is the offset in the file.
struct Slot {
  uint64_t begin = 0;
  size_t bytes = 0;
  std::byte* data = nullptr;  // in this process
};

// The runner checks this many bytes beside a tensor, unless it asks for fewer
// in a call.
inline constexpr size_t kGuardBytes = 4096;
// This is address space on either side of a slot, not memory.
inline constexpr size_t kProtectedBytes = size_t{16} << 20;

// Maps [begin, begin + bytes) of the file between protected pages. Throws
// std::bad_alloc.
std::byte* MapBetweenProtectedPages(int fd, uint64_t begin, size_t bytes);

// If `address` lies in a protected page beside `slot`, returns its distance in
// bytes from the slot's begin.
std::optional<int64_t> DistanceFrom(const Slot& slot, const void* address);

// A worker writes this into the first page of the shared memory, see
// PROTOCOL.md.
struct WorkerPage {
  uint64_t started;
  uint64_t fault_begin;
  int64_t fault_distance;
  uint64_t out_of_memory;
  uint64_t last_started;
};
inline constexpr size_t kWorkerPageBytes = 4096;

class Arena {
 public:
  // Throws std::system_error if the system has no memory files.
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns a slot of at least `bytes`, with the contents of its last use.
  // Throws std::bad_alloc.
  Slot Acquire(size_t bytes);
  void Release(const Slot& slot);

  // Returns the file's size, which Acquire increases.
  uint64_t bytes() const { return bytes_; }
  // Returns a path under which other processes of this user open the file.
  std::string path() const;
  volatile WorkerPage* worker_page() const { return worker_page_; }

 private:
  int fd_;
  uint64_t bytes_ = 0;       // of the file
  uint64_t used_ = 0;        // of those, given out as slots
  std::set<uint64_t> idle_;  // large slots that are free and keep their pages
  size_t idle_bytes_ = 0;    // of those
  volatile WorkerPage* worker_page_;
  std::map<size_t, std::vector<Slot>> free_;  // by size
  std::vector<Slot> all_;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_ARENA_H_
