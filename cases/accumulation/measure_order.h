// What is told of the order in which one backend adds, in one op, for one type
// and number of terms.
#ifndef ASSAY_CASES_ACCUMULATION_MEASURE_ORDER_H_
#define ASSAY_CASES_ACCUMULATION_MEASURE_ORDER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "backends/host/executor.h"
#include "cases/accumulation/order.h"
#include "cases/accumulation/sum_probe.h"
#include "cases/accumulation/sum_tree.h"
#include "spec/policy.h"
#include "spec/types/element_type.h"

namespace assay {

struct MeasuredOrder {
  enum class Outcome : uint8_t {
    kRevealed,
    kNotRevealed,  // results say too little, or are those of no tree
    kDeclined,
    kFailed,  // a call crashed, broke the memory contract, ..
  };
  const SumProbe* probe = nullptr;
  ElementType type = ElementType::kF32;
  int32_t n = 0;
  Outcome outcome = Outcome::kRevealed;
  std::string message;  // why it is not revealed
  int64_t calls = 0;
  double seconds = 0;
  // These are of a revealed one.
  std::optional<SumTree> tree;
  // No node was asked for with all terms, see RevealOptions.
  bool is_sampled = false;
  OrderVerdict verdict;
  std::string shape;
  AdditionTraits traits;
  // Rows or columns of the same terms had different sums.
  bool sums_differ = false;

  bool IsRevealed() const { return outcome == Outcome::kRevealed; }
  // Returns whether the rule of `reduce` allows the tree.
  bool IsLegal() const {
    return IsRevealed() && verdict.kind == OrderVerdict::Kind::kInOrder;
  }
};

const char* Name(MeasuredOrder::Outcome outcome);

struct MeasureOptions {
  int64_t most_calls = INT64_MAX;
  std::function<void()> on_call = [] {};
};

// Throws BackendError if the backend cannot go on at all.
MeasuredOrder MeasureOrder(Executor* executor, const SumProbe& probe,
                           ElementType type, int32_t n,
                           const MeasureOptions& options);

// Returns whether the policy asks for the orders that the rule of `reduce`
// allows. A key that policies do not have asks for nothing.
bool RequiresOrder(const Policy& policy, const SumProbe& probe);

// The clause of `reduce` that says which orders there are: "reduce/S7".
std::string ClauseOfOrder();

// Returns why the tree is not legal, in two lines, or "" if it is.
std::string WitnessText(const MeasuredOrder& measured);

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_MEASURE_ORDER_H_
