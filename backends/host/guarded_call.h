// CallGuarded calls code that may fault, in this process.
//
// A page fault, a trap or an abort inside the call is caught by a signal
// handler that jumps back here. The stack frames of the call are lost without
// unwinding, so their resources leak: that is good enough to name the fault and
// go on with a run, and no substitute for a process of its own.
#ifndef ASSAY_BACKENDS_HOST_GUARDED_CALL_H_
#define ASSAY_BACKENDS_HOST_GUARDED_CALL_H_

#include <functional>
#include <optional>

namespace assay {

struct Fault {
  int signal = 0;                 // 0: an exception
  const void* address = nullptr;  // of a page fault
};

// Runs `call`. Returns the fault inside it, or nothing. It is not reentrant and
// serves one thread at a time. From the first call on, faults outside of calls
// still go to whoever handled them before.
std::optional<Fault> CallGuarded(const std::function<void()>& call);

// A FloatEnvironment is the part of the floating-point environment that a
// backend must leave as it was: rounding mode, flush flags, exception masks.
// Status flags may change.
class FloatEnvironment {
 public:
  static FloatEnvironment Current();
  void Restore() const;
  friend bool operator==(const FloatEnvironment&,
                         const FloatEnvironment&) = default;

 private:
  unsigned mxcsr_ = 0;
  unsigned short x87_ = 0;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_GUARDED_CALL_H_
