// An op on one backend is called twice, and the two executions show whether it
// is right. Private to the runner.
#ifndef ASSAY_CASES_RUN_OP_EXECUTIONS_H_
#define ASSAY_CASES_RUN_OP_EXECUTIONS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/host/executor.h"
#include "cases/case.h"
#include "cases/run/memory.h"
#include "cases/run/row_slices.h"
#include "cases/run/verdict.h"
#include "spec/policy.h"
#include "spec/types/window.h"

namespace assay {

using Values = std::map<std::string, Tensor>;

// A CallWithLayouts is an op with its operands, and the layouts of all tensors.
struct CallWithLayouts {
  const Op* op = nullptr;
  // The operands, and behind them the values that the op's regions capture.
  std::vector<Tensor> inputs;
  std::vector<Layout> layouts, output_layouts;
  // By output: the input whose memory it takes, if any.
  std::vector<std::optional<size_t>> alias;
  // Complex tensors start at the alignment of one component.
  bool component_aligned = false;
  // The call violates a constraint, so nobody may look at the values of its
  // operands.
  bool is_invalid = false;
  // If only some calls are checked for the whole memory contract, this is not
  // one of them.
  bool is_sampled = false;

  bool IsAliased(size_t input) const;
};

// Returns the layouts of the tensors that were not in row-major order, as lines
// that begin with a newline.
std::string LayoutText(const CallWithLayouts& call);

// An Execution is one call on one placement of its buffers, with the results
// that it left there.
class Execution {
 public:
  // Places the operands and submits the call, or that of `program`.
  void Submit(Executor* executor, const CallWithLayouts& call, Side side,
              const EntryProgram* program = nullptr);
  // Takes over the answer, checks the memory and gives it back.
  void Take(Answer answer, const CallWithLayouts& call);
  // Returns an execution that has ended with these results.
  static Execution Of(std::vector<Tensor> outputs);
  bool done() const { return done_; }
  bool died() const;  // the call did not come to an end
  bool declined() const { return answer.status == CallStatus::kUnsupported; }

  Answer answer;
  // Names the buffer, and says what happened to its surroundings; empty if
  // nothing did.
  std::string guard_violation;
  bool faulted_beside_buffer = false;
  std::string input_modified;
  std::vector<Tensor> outputs;  // if the status is kOk

 private:
  std::vector<GuardedBuffer> buffers_;  // inputs, then outputs of their own
  std::vector<size_t> output_buffers_;
  bool done_ = false;
};

// OpExecutions are the executions of an op of a case that is under way. `a` and
// `b` are its two runs; B does not count, and need not happen, when A was
// declined or died, or the case runs once. In a layout variant `base` is the
// call that it is compared with, unless one died.
struct OpExecutions {
  enum class Kind { kA, kB, kBase };
  const Case* c;
  const Op* op;
  // Where the results lie in larger ones, if they are those of a chunk or of
  // some rows.
  std::optional<Window> window;
  CallWithLayouts call, base_call;
  Execution a, b, base;
  // What messages call `a` and `b`.
  std::string name_of_a = "run A", name_of_b = "run B";
  bool has_b = false, has_base = false;  // it is submitted, or done

  // `has_layouts`: the op is one of the case's own, whose tensors have the
  // layouts of the case. Those of functions inside are in row-major order.
  OpExecutions(const Case& c, const Op& op, const Values& values,
               bool has_layouts);
  // Makes the executions for rows [begin, end) of the result from runs A and B
  // of `whole`, which came to their end.
  OpExecutions(const OpExecutions& whole, const RowSlice& slice, int64_t begin,
               int64_t end);
  // Makes the executions for an op of a program that was run whole, with the
  // results that runs A and B left.
  OpExecutions(const Case& c, const Op& op, const Values& values,
               std::vector<Tensor> a, std::vector<Tensor> b);
  Execution& Of(Kind kind);
  void Submit(Executor* executor, Kind kind);
  // Returns the bytes of all operands and results.
  int64_t Bytes() const;
};

// Judges the two runs. Returns true if the case goes on, with the results of
// the backend in `values`, and false if the verdict is decided. Results of more
// than `evaluated_bytes` are judged row by row.
bool JudgeOp(OpExecutions* run, const Policy& policy, int64_t evaluated_bytes,
             Values* values, Verdict* verdict);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_OP_EXECUTIONS_H_
