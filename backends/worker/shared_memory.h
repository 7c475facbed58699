// This is the worker's view of the shared memory: each buffer is mapped between
// protected pages, and one page says which calls are running.
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
  // Opens the file and installs the handlers that record a page fault in the
  // worker page before the process dies of it. `limit` is the number of bytes
  // of address space beyond what is mapped here. A process has one
  // SharedMemory. Throws std::system_error.
  SharedMemory(const std::string& path, int64_t limit);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // Returns the buffer [begin, begin + bytes) of the file. Throws
  // std::bad_alloc if it cannot be mapped, std::out_of_range if it is not a
  // part of the file.
  const Slot& Map(uint64_t begin, uint64_t bytes);
  volatile WorkerPage* page() const { return page_; }
  int descriptor() const { return fd_; }
  // Returns the value that RLIMIT_AS was set to, or 0 if it is not limited
  // here.
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
