// This executor isolates: calls run in a worker process (PROTOCOL.md), and if
// the process ends, that is the outcome of the call that it ran.
//
// A worker that ends, hangs, takes too much memory or sends invalid answers is
// killed and replaced. The call in flight gets the blame; the others are lost,
// and the runner submits them again. A call that has ended may have left the
// process broken, so that the next one dies. Therefore the calls that were
// begun are sent again one at a time: the answer of each is there before the
// next one can end the process, and one such call is blamed on two others at
// most. If several were in flight together, none gets the blame yet, and they
// are sent again one at a time as well.
#ifndef ASSAY_BACKENDS_HOST_WORKER_H_
#define ASSAY_BACKENDS_HOST_WORKER_H_

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/host/child_process.h"
#include "backends/host/executor.h"

namespace assay {

struct WorkerLimits {
  std::chrono::milliseconds timeout = std::chrono::seconds(60);  // of a call
  // This is the time from the start of the process to its hello: loading a
  // plugin or a library may take longer than a call.
  std::chrono::milliseconds start_timeout = std::chrono::seconds(60);
  int64_t memory = INT64_MAX;  // bytes beyond the shared memory
  // After this many deaths without any answer between them, a backend is given
  // up.
  int max_deaths = 100;
  // Asked many times a second while the worker is waited for. If it returns
  // true, the wait ends with Interrupted, and the worker with the executor.
  std::function<bool()> is_over = nullptr;
};

// A WorkerCommand says how a worker is started, and what is known of the
// backend before.
struct WorkerCommand {
  std::string spec;  // as the command line names the backend
  std::vector<std::string> words;
  std::map<std::string, std::string> options;
  std::string path;  // of a plugin; empty if there is none
  bool is_ours = false;
  bool is_supervised = false;  // the first word is assay-worker's
  std::string remedy = {};     // what to do if it does not start
};

class WorkerExecutor : public Executor {
 public:
  // Starts the worker and waits for its hello. Throws BackendError.
  WorkerExecutor(WorkerCommand command, const WorkerLimits& limits);
  ~WorkerExecutor() override;

  size_t window() const override { return alone_left_ > 0 ? 1 : window_; }
  void Submit(const PlacedCall& call) override;
  Answer Next() override;
  int restarts() const override { return process_ - renewals_; }
  int process() const override { return process_; }
  bool Renew() override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Call {
    uint64_t number;
    std::vector<Slot> constants;
  };
  void Start();
  void StartOnce();
  void Hello();
  void AdaptWindow(bool must_wait);
  void Pump(std::chrono::milliseconds most);
  void Write();
  bool Read(int descriptor, std::string* text);
  void TakeLines();
  void TakeAnswer(std::string_view line);
  void CheckLimits();
  void RequireTime() const;
  void Ended();
  void SendHeld();
  // Ends the worker. The call `blamed` gets the answer (0 means none), the
  // others are lost.
  void Fail(uint64_t blamed, Answer answer);
  // Fails the call that is running if it runs alone, else none.
  void FailRunning(Answer answer);
  uint64_t Running() const;
  // Returns the number of unanswered calls that the worker had begun, except
  // the one that is blamed.
  size_t BegunBut(uint64_t blamed) const;
  size_t most_unanswered() const;
  void ReleaseConstants(const Call& call);

  WorkerCommand command_;
  WorkerLimits limits_;
  std::unique_ptr<ChildProcess> child_;
  std::string to_worker_, from_worker_, errors_;
  uint64_t announced_bytes_ = 0;  // size of the memory that the worker knows
  uint64_t last_number_ = 0;
  std::deque<Call> unanswered_;
  std::deque<NumberedAnswer> answers_;  // not yet taken by Next
  // This many answers still come one at a time, while the calls in `held_` wait
  // for them.
  size_t alone_left_ = 0;
  std::deque<std::string> held_;
  uint64_t seen_running_ = 0;
  Clock::time_point running_since_, checked_;
  int deaths_in_a_row_ = 0, idle_deaths_ = 0;
  int process_ = 0, renewals_ = 0;
  bool has_started_ = false, errors_are_open_ = true;
  size_t window_, wanted_;   // what it is, and may grow to
  size_t without_wait_ = 0;  // answers that were there when asked for
  std::string last_death_;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_WORKER_H_
