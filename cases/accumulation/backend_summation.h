// This summation is a call of an op on a backend. Its results are not judged:
// they say how the backend adds.
#ifndef ASSAY_CASES_ACCUMULATION_BACKEND_SUMMATION_H_
#define ASSAY_CASES_ACCUMULATION_BACKEND_SUMMATION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "backends/host/executor.h"
#include "cases/accumulation/sum_probe.h"
#include "cases/accumulation/summation.h"
#include "cases/run/op_executions.h"
#include "spec/program.h"

namespace assay {

class BackendSummation : public Summation {
 public:
  // `executor` must outlive the object; `probe` is one of the table. Throws
  // NoSum for a backend that runs neither calls nor programs.
  BackendSummation(Executor* executor, const SumProbe& probe, ElementType type,
                   int32_t n);
  // Calls `count` after each call.
  void CountCallsWith(std::function<void()> count) {
    count_ = std::move(count);
  }

  // Throws BackendError, too, when the backend cannot go on at all.
  std::vector<double> Sums(std::span<const SumTerms> calls) override;

  int64_t calls() const { return calls_; }
  // Returns whether some call had different sums of the same terms, in other
  // rows or columns.
  bool sums_differ() const { return sums_differ_; }

 private:
  Tensor Fill(size_t operand, double rest,
              const std::vector<std::pair<int32_t, double>>& numbers);
  CallWithLayouts Place(const SumTerms& terms);
  double Result(const Execution& execution);

  Executor* executor_;
  const SumProbe& probe_;
  Function function_;
  std::optional<EntryProgram> program_;  // if calls of one op are not run
  // Operands whose elements are all the same.
  std::map<std::pair<size_t, double>, Tensor> filled_;
  std::function<void()> count_ = [] {};
  int64_t calls_ = 0;
  bool sums_differ_ = false;
};

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_BACKEND_SUMMATION_H_
