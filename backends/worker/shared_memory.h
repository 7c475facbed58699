// The worker's view of the shared memory: each buffer mapped between protected
// pages, and the page that says what is running.
#ifndef ASSAY_BACKENDS_WORKER_SHARED_MEMORY_H_
#define ASSAY_BACKENDS_WORKER_SHARED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/host/arena.h"

namespace assay {

class SharedMemory {
 public:
  // Opens the file and installs the handlers that note a page fault in the
  // worker page before the process dies of it. `limit`: bytes of address space
  // beyond what is mapped here. One per process. Throws std::system_error.
  SharedMemory(const std::string& path, int64_t limit);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // The buffer [begin, begin + bytes) of the file. Throws std::bad_alloc if it
  // cannot be mapped, std::out_of_range if it is no part of the file.
  const Slot& Map(uint64_t begin, uint64_t bytes);
  volatile WorkerPage* page() const { return page_; }
  int descriptor() const { return fd_; }
  // What RLIMIT_AS was set to; 0: it is not limited here.
  uint64_t address_space() const { return address_space_; }

 private:
  void AllowAddressSpace(size_t bytes);

  int fd_;
  volatile WorkerPage* page_;
  uint64_t address_space_ = 0;  // what RLIMIT_AS allows; 0: anything
  std::unordered_map<uint64_t, Slot> slots_;  // by begin
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_WORKER_SHARED_MEMORY_H_
