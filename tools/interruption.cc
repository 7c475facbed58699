#include "tools/interruption.h"

#include <sys/mman.h>

#include <csignal>
#include <cstdint>
#include <new>

#include "spec/error.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// An Arrival lies in memory that is shared with forked processes.
struct Arrival {
  std::atomic<bool> came{false};
  std::atomic<Clock::rep> at{0};
};
static_assert(std::atomic<Clock::rep>::is_always_lock_free,
              "a signal handler writes it");

Arrival* arrival = nullptr;

// timeout(1) sends a signal to a process and then to its group, which is one
// interruption.
constexpr std::chrono::milliseconds kOneInterruption(500);

void Handle(int signal) {
  Clock::rep none = 0;
  arrival->at.compare_exchange_strong(none,
                                      Clock::now().time_since_epoch().count());
  arrival->came = true;
  if (!Interruption::IsOlderThan(kOneInterruption)) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void Interruption::Catch() {
  if (arrival == nullptr) {
    void* memory = mmap(nullptr, sizeof(Arrival), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    arrival = new (memory) Arrival;
  }
  std::signal(SIGINT, Handle);
  std::signal(SIGTERM, Handle);
}

const std::atomic<bool>& Interruption::Came() {
  ASSAY_CHECK(arrival != nullptr);
  return arrival->came;
}

bool Interruption::IsOlderThan(std::chrono::milliseconds age) {
  if (arrival == nullptr || !arrival->came) return false;
  return Clock::now() - Clock::time_point(Clock::duration(arrival->at)) >= age;
}

}  // namespace assay
