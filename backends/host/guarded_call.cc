// A signal handler jumps back into the runner. It is installed once: twelve
// system calls around each call were half of the time that judging a small case
// takes. Faults outside of guarded calls go to the handler that was installed
// before.
#include "backends/host/guarded_call.h"

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
std::array<struct sigaction, kSignals.size()> previous_actions;

void Handle(int signal, siginfo_t* info, void*) {
  if (!armed) {  // not ours: it is as if this handler had never been there
    for (size_t i = 0; i < kSignals.size(); ++i)
      sigaction(kSignals[i], &previous_actions[i], nullptr);
    // A fault comes again when the instruction is executed again; a signal that
    // was sent does not.
    if (info->si_code <= 0) raise(signal);
    return;
  }
  armed = 0;
  fault = {signal, info->si_addr};
  // The signal of the handler would otherwise stay blocked after the jump.
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
  siglongjmp(jump, 1);
}

bool Install() {
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &previous_actions[i]);
  return true;
}

// A call of exit() in a backend must not look like the successful end of a run.
void RefuseExit() {
  if (!armed) return;
  static constexpr char kMessage[] =
      "assay: the backend called exit() inside a call; the run is lost\n";
  static_cast<void>(!write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1));
  _exit(1);
}

}  // namespace

std::optional<Fault> CallGuarded(const std::function<void()>& call) {
  static const bool is_ready = Install() && std::atexit(RefuseExit) == 0;
  static_cast<void>(is_ready);
  bool faulted = sigsetjmp(jump, /*savemask=*/0) != 0;
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
