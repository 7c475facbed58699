// A signal handler that jumps back into the runner. It is installed around each
// call only, so that faults of our own end as faults of our own.
#include "backends/guarded_call.h"

#include <immintrin.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace assay {
namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS,  SIGFPE,
                                 SIGILL,  SIGABRT, SIGTRAP};

thread_local sigjmp_buf jump;
thread_local volatile sig_atomic_t armed = 0;
thread_local Fault fault;

void Handle(int signal, siginfo_t* info, void*) {
  if (!armed) {  // not ours: the default action, when the instruction runs
                 // again
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  armed = 0;
  fault = {signal, info->si_addr};
  siglongjmp(jump, 1);
}

// exit() in a backend must not look like the end of a run in which all is well.
void RefuseExit() {
  if (!armed) return;
  static constexpr char kMessage[] =
      "assay: the backend called exit() inside a call; the run is lost\n";
  static_cast<void>(!write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1));
  _exit(1);
}

}  // namespace

std::optional<Fault> CallGuarded(const std::function<void()>& call) {
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  std::array<struct sigaction, kSignals.size()> previous;
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &previous[i]);
  // The signal mask is saved and restored: the handler blocks the signal that
  // it jumps out of.
  static const int registered = std::atexit(RefuseExit);
  static_cast<void>(registered);
  bool faulted = sigsetjmp(jump, /*savemask=*/1) != 0;
  if (!faulted) {
    armed = 1;
    try {
      call();
    } catch (...) {  // through a C interface
      fault = {};
      faulted = true;
    }
    armed = 0;
  }
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &previous[i], nullptr);
  return faulted ? std::optional<Fault>(fault) : std::nullopt;
}

namespace {
constexpr unsigned kMxcsrStatus = 0x3f;  // sticky exception flags
}  // namespace

FloatEnvironment FloatEnvironment::Current() {
  FloatEnvironment environment;
  environment.mxcsr_ = _mm_getcsr() & ~kMxcsrStatus;
  __asm__ __volatile__("fnstcw %0" : "=m"(environment.x87_));
  return environment;
}

void FloatEnvironment::Restore() const {
  _mm_setcsr(mxcsr_);
  // A pending x87 exception would trap at the next x87 instruction, in our
  // code.
  __asm__ __volatile__("fnclex");
  __asm__ __volatile__("fldcw %0" : : "m"(x87_));
}

}  // namespace assay
