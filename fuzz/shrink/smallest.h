// The smallest case so far that fails, and how a simpler one takes its place.
// Private to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_SMALLEST_H_
#define ASSAY_FUZZ_SHRINK_SMALLEST_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "fuzz/shrink/cost.h"
#include "fuzz/shrink/shrink.h"

namespace assay {

class Smallest {
 public:
  // Both arguments must outlive the object.
  Smallest(const ShrinkOptions& options,
           const std::function<Verdict(const Case&)>& judge)
      : options_(options), judge_(judge) {}

  // Returns whether the first case fails, which is judged here.
  bool Start(const Case& c, const std::string& variant);
  // Takes a candidate if it costs less, is as it says, ends, and fails in the
  // same way: by outcome, basis and deciding clauses, of a program by outcome
  // and a basis that binds no less. It is judged in the same variant if none is
  // given.
  bool Try(const std::optional<Case>& candidate);
  bool Try(const Case& candidate, const std::string& variant);
  // Returns whether executions and time are left.
  bool HasBudget() const {
    return !is_interrupted_ && best_.executions < options_.most_executions &&
           (!options_.most_time ||
            Clock::now() - start_ < *options_.most_time) &&
           !(options_.is_over && options_.is_over());
  }
  // The case stays as it is.
  void Interrupt() { is_interrupted_ = true; }
  Shrunk Finish() &&;

  const Case& c() const { return best_.c; }
  const std::string& variant() const { return best_.variant; }
  const Verdict& verdict() const { return best_.verdict; }
  const Cost& cost() const { return cost_; }
  const Policy& policy() const { return *options_.policy; }

 private:
  using Clock = std::chrono::steady_clock;

  Verdict Judge(const Case& c, const std::string& variant);
  bool FailsAlike(const Verdict& verdict) const;

  const ShrinkOptions& options_;
  const std::function<Verdict(const Case&)>& judge_;
  const Clock::time_point start_ = Clock::now();
  Shrunk best_;
  Cost cost_ = {};
  bool is_interrupted_ = false;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_SMALLEST_H_
