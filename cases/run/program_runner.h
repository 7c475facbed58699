// The program runner gives whole programs to a backend, and judges what they
// return by the evaluator of programs.
//
// Compiling takes a thousand times longer than running, so cases are compiled
// together: a batch is one program that takes the inputs of all of its cases
// and returns all of their results. A batch that is not compiled, or dies, is
// halved until one case is left, and every failure is confirmed alone.
#ifndef ASSAY_CASES_RUN_PROGRAM_RUNNER_H_
#define ASSAY_CASES_RUN_PROGRAM_RUNNER_H_

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backends/host/executor.h"
#include "cases/case.h"
#include "cases/run/op_executions.h"
#include "cases/run/verdict.h"
#include "cases/run/ways.h"
#include "cases/run/whole_program.h"
#include "spec/policy.h"

namespace assay {

// A NextCase gives a case and its number, or nullptr when there are no more; a
// TakeVerdict receives the verdict on the case of a number.
using NextCase = std::function<const Case*(int64_t*)>;
using TakeVerdict = std::function<void(int64_t, Verdict)>;

class ProgramRunner {
 public:
  // A batch has at most so many cases, whose tensors take at most so many bytes
  // unless it is one case.
  static constexpr size_t kMostTogether = 64;
  static constexpr int64_t kMostBytes = int64_t{1} << 24;
  // The constants of a program take at most so many bytes: XLA:CPU compiles 16
  // MiB of them in six seconds.
  static constexpr int64_t kMostConstantBytes = int64_t{1} << 18;
  // The results of programs that were compiled before, by whether operands are
  // constants, and by the numbers of the cases.
  using Compiled =
      std::map<std::pair<bool, std::vector<int64_t>>, std::vector<Tensor>>;

  // If `compiled` is not null, the first compilation leaves its results there,
  // and others are compared with it.
  ProgramRunner(Executor* executor, const Policy& policy,
                int64_t evaluated_bytes, const Way& way,
                Compiled* compiled = nullptr);
  ~ProgramRunner();
  // Judges cases as Runner::Run does.
  void Run(const NextCase& next, const TakeVerdict& done,
           const std::atomic<bool>* stop);

 private:
  struct Member;
  struct Batch;

  struct Turn {  // a submitted run
    Batch* batch;
    bool is_b;
  };

  bool Prepare(Member* member);
  void Collect(const NextCase& next, const TakeVerdict& done);
  std::unique_ptr<Batch> MakeBatch(
      std::vector<std::shared_ptr<Member>> members) const;
  void Submit(std::unique_ptr<Batch> batch);
  void SubmitRun(Batch* batch, bool is_b);
  Compiled::key_type KeyOf(const Batch& batch) const;
  void TakeAnswer(const TakeVerdict& done);
  void Finish(Batch* batch, const TakeVerdict& done);
  void JudgeMember(Batch* batch, size_t first_output, Member* member);

  Executor* executor_;
  const Policy& policy_;
  const int64_t evaluated_bytes_;
  const Way way_;
  Compiled* compiled_;
  bool has_next_ = true;
  std::deque<std::unique_ptr<Batch>> waiting_, batches_;  // under way
  std::deque<Turn> turns_;  // unanswered, oldest first
  // Cases of these kinds were refused, and are asked about one by one.
  std::set<std::string> refused_;
};

}  // namespace assay

#endif  // ASSAY_CASES_RUN_PROGRAM_RUNNER_H_
