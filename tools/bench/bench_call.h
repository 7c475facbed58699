// A BenchCall is the call of a case on guarded buffers. It is judged once, with
// all of its results, before it is timed.
#ifndef ASSAY_TOOLS_BENCH_BENCH_CALL_H_
#define ASSAY_TOOLS_BENCH_BENCH_CALL_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "backends/host/abi_call.h"
#include "backends/host/device_memory.h"
#include "cases/case.h"
#include "cases/run/memory.h"
#include "oracle/oracle.h"

namespace assay {

// What the oracle says about the results of a call.
struct BenchJudgement {
  std::string wrong;   // why the case is not timed; empty: the call is right
  int64_t open = 0;    // elements that were accepted unseen, whole or in part,
  int64_t judged = 0;  // of so many
};

class BenchCall {
 public:
  // Precondition: the case is one op on operands that have values. `c` must
  // outlive the object.
  BenchCall(const Case& c, Side side);
  BenchCall(const BenchCall&) = delete;
  BenchCall& operator=(const BenchCall&) = delete;

  AbiCall& call() { return call_; }
  // The operands, the values that functions of the op capture, and the results.
  const std::vector<HostTensor>& tensors() const { return tensors_; }

  // Returns what the oracle allows.
  Evaluation Expected(const Policy& policy) const;
  // Judges what a call left in the buffers.
  BenchJudgement Judge(const Evaluation& expected) const;

  // Returns the size of all operands and results, with each element counted
  // once.
  int64_t Bytes() const;
  // Returns the number of elements of the first result.
  int64_t elements() const;

 private:
  GuardedBuffer& Add(const TensorType& type, const Layout& layout);
  void AddInput(const Case& c, const TypedName& value, bool is_scalar);

  const Op& op_;
  const Side side_;
  AbiCall call_;
  std::vector<Tensor> inputs_;
  Arena arena_;
  std::deque<GuardedBuffer> buffers_;
  std::vector<HostTensor> tensors_;
};

// Returns " 3 of 8 elements accepted unseen", to end a row with, or "".
std::string OpenText(const BenchJudgement& judgement);

}  // namespace assay

#endif  // ASSAY_TOOLS_BENCH_BENCH_CALL_H_
