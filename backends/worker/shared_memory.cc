// This file maps buffers on demand, limits the address space, and handles the
// fatal signals of a dying worker.
#include "backends/worker/shared_memory.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <system_error>

// AddressSanitizer reserves terabytes of address space, so the runner limits
// the resident size of such a worker instead. GCC defines the first macro,
// clang the second.
#if defined(__SANITIZE_ADDRESS__)
#define ASSAY_LIMITS_ADDRESS_SPACE 0
#elif defined(__has_feature)
#define ASSAY_LIMITS_ADDRESS_SPACE !__has_feature(address_sanitizer)
#else
#define ASSAY_LIMITS_ADDRESS_SPACE 1
#endif

namespace assay {
namespace {

// The signal handler reads this state. It is plain data, written only between
// calls.
struct HandlerState {
  volatile WorkerPage* page = nullptr;
  std::vector<Slot> slots;
  uint64_t address_space = 0;  // that RLIMIT_AS allows; 0: anything
  uint64_t limit = 0;          // of it, for the plugin
};
HandlerState* handler = nullptr;

// Reads /proc/self/statm without allocating.
uint64_t AddressSpaceInUse() {
  const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  std::array<char, 64> text;
  const ssize_t size = read(fd, text.data(), text.size());
  close(fd);
  uint64_t pages = 0;
  if (size > 0) std::from_chars(text.data(), text.data() + size, pages);
  return pages * 4096;
}

// A failed allocation ends as a write near address 0, an abort or an uncaught
// exception. It is told from other faults by how full the address space is.
bool IsOutOfMemory() {
  if (handler->address_space == 0) return false;
  const uint64_t left = std::min(handler->limit / 8, uint64_t{64} << 20);
  return AddressSpaceInUse() + left >= handler->address_space;
}

void NoteFault(int signal, siginfo_t* info, void*) {
  const bool has_address = signal == SIGSEGV || signal == SIGBUS;
  const void* address = has_address ? info->si_addr : nullptr;
  if (IsOutOfMemory()) handler->page->out_of_memory = 1;
  for (const Slot& slot : handler->slots) {
    if (!has_address) break;
    if (const auto distance = DistanceFrom(slot, address)) {
      handler->page->fault_distance = *distance;
      handler->page->fault_begin = slot.begin;
    }
  }
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void InstallHandlers() {
  // The handler has a stack of its own, because an overflow of the other stack
  // is a fault as well.
  static std::array<std::byte, size_t{64} << 10> stack;
  const stack_t alternate = {stack.data(), 0, stack.size()};
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = NoteFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    sigaction(signal, &action, nullptr);
}

}  // namespace

SharedMemory::SharedMemory(const std::string& path, int64_t limit)
    : fd_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  void* page = fd_ < 0 ? MAP_FAILED
                       : mmap(nullptr, kWorkerPageBytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED, fd_, 0);
  if (page == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), path);
  page_ = static_cast<WorkerPage*>(page);
  if (ASSAY_LIMITS_ADDRESS_SPACE && limit < INT64_MAX / 2)
    address_space_ = AddressSpaceInUse() + static_cast<uint64_t>(limit);
  static HandlerState state;
  handler = &state;
  handler->page = page_;
  handler->limit = static_cast<uint64_t>(limit);
  AllowAddressSpace(0);
  InstallHandlers();
}

// Mappings of the shared memory do not count.
void SharedMemory::AllowAddressSpace(size_t bytes) {
  if (address_space_ == 0) return;
  address_space_ += bytes;
  handler->address_space = address_space_;
  rlimit limit = {};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min<rlim_t>(address_space_, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

const Slot& SharedMemory::Map(uint64_t begin, uint64_t bytes) {
  auto it = slots_.find(begin);
  if (it == slots_.end() || it->second.bytes < bytes) {
    struct stat file = {};
    fstat(fd_, &file);
    const uint64_t size = static_cast<uint64_t>(file.st_size);
    if (bytes > size || begin > size - bytes)
      throw std::out_of_range("a buffer is no part of the shared memory");
    AllowAddressSpace(bytes + 2 * kProtectedBytes);
    const Slot slot{begin, bytes, MapBetweenProtectedPages(fd_, begin, bytes)};
    it = slots_.insert_or_assign(begin, slot).first;
    handler->slots.push_back(slot);
  }
  return it->second;
}

}  // namespace assay
