// A thread for each job, and a place where verdicts wait for their turn.
#include "cases/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace assay {
namespace {

// Hands out cases, and brings verdicts into the order of the suite.
class Desk {
 public:
  Desk(const std::vector<Case>& suite, const std::vector<size_t>& cases,
       const SessionOptions& options, const std::function<void(Verdict)>& sink)
      : suite_(suite), cases_(cases), options_(options), sink_(sink) {}

  const Case* Next(int64_t* number) {
    const std::lock_guard lock(mutex_);
    const size_t repeat = static_cast<size_t>(options_.repeat);
    if (given_up_ || exception_ || IsStopped() ||
        taken_ == cases_.size() * repeat)
      return nullptr;
    *number = static_cast<int64_t>(taken_ / repeat);
    return &suite_[cases_[taken_++ / repeat]];
  }

  void Take(int64_t number, Verdict verdict) {
    const std::lock_guard lock(mutex_);
    if (exception_) return;
    const size_t position = static_cast<size_t>(number);
    verdict.index = static_cast<int64_t>(cases_[position]);
    std::vector<Verdict>& verdicts = waiting_[position];
    verdicts.push_back(std::move(verdict));
    while (!waiting_.empty() && waiting_.begin()->first == emitted_ &&
           waiting_.begin()->second.size() ==
               static_cast<size_t>(options_.repeat)) {
      ++emitted_;
      sink_(MergeRepeats(std::move(waiting_.begin()->second)));
      waiting_.erase(waiting_.begin());
    }
  }

  void GiveUp(const std::string& error) {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    if (result_.error.empty()) result_.error = error;
  }

  void Abort(std::exception_ptr exception) {
    const std::lock_guard lock(mutex_);
    if (!exception_) exception_ = std::move(exception);
  }

  void AddNote(const std::string& note) {
    const std::lock_guard lock(mutex_);
    result_.notes.push_back(note);
  }

  void AddRestarts(int restarts) {
    const std::lock_guard lock(mutex_);
    result_.restarts += restarts;
  }

  // After the last thread.
  SessionResult Finish(const std::string& backend) {
    if (exception_) std::rethrow_exception(exception_);
    result_.stopped = !given_up_ && emitted_ < cases_.size();
    if (!given_up_) return result_;
    for (; emitted_ < cases_.size(); ++emitted_) {
      std::vector<Verdict>& verdicts = waiting_[emitted_];
      const bool is_whole =
          verdicts.size() == static_cast<size_t>(options_.repeat);
      result_.left_out.push_back(is_whole ? MergeRepeats(std::move(verdicts))
                                          : Skipped(emitted_, backend));
    }
    return result_;
  }

 private:
  bool IsStopped() const { return options_.stop && *options_.stop; }

  Verdict Skipped(size_t position, const std::string& backend) const {
    Verdict verdict = VerdictOf(suite_[cases_[position]], backend);
    verdict.index = static_cast<int64_t>(cases_[position]);
    verdict.outcome = Outcome::kSkipped;
    verdict.message = kGivenUpMessage;
    return verdict;
  }

  const std::vector<Case>& suite_;
  const std::vector<size_t>& cases_;
  const SessionOptions& options_;
  const std::function<void(Verdict)>& sink_;
  std::mutex mutex_;
  size_t taken_ = 0, emitted_ = 0;
  std::map<size_t, std::vector<Verdict>> waiting_;  // by position in cases_
  bool given_up_ = false;
  std::exception_ptr exception_;
  SessionResult result_;
};

}  // namespace

SessionResult JudgeSuite(const std::vector<Case>& suite,
                         const std::vector<size_t>& cases, const Policy& policy,
                         std::unique_ptr<Executor> first,
                         const std::function<std::unique_ptr<Executor>()>& open,
                         const SessionOptions& options,
                         const std::function<void(Verdict)>& sink) {
  const std::string backend = first->info().spec;
  Desk desk(suite, cases, options, sink);
  const auto work = [&](std::unique_ptr<Executor> executor) {
    try {
      if (!executor) {
        try {
          executor = open();
        } catch (const BackendError& e) {
          // The others take its part.
          return desk.AddNote(e.what());
        }
      }
      Runner(executor.get(), policy, options.suite_flags)
          .Run([&](int64_t* number) { return desk.Next(number); },
               [&](int64_t number, Verdict verdict) {
                 desk.Take(number, std::move(verdict));
               });
    } catch (const BackendError& e) {
      desk.GiveUp(e.what());
    } catch (...) {  // from the sink, as when a disk is full
      desk.Abort(std::current_exception());
    }
    if (executor) desk.AddRestarts(executor->restarts());
  };
  std::vector<std::jthread> others;
  for (int job = 1; job < options.jobs; ++job)
    others.emplace_back(work, nullptr);
  work(std::move(first));
  others.clear();
  return desk.Finish(backend);
}

Verdict MergeRepeats(std::vector<Verdict> verdicts) {
  std::map<Outcome, int64_t> outcomes;
  std::optional<double> error;
  for (const Verdict& verdict : verdicts) {
    ++outcomes[verdict.outcome];
    if (verdict.error) error = std::max(error.value_or(0), *verdict.error);
  }
  Verdict* const first = &*std::ranges::min_element(
      verdicts, {}, [](const Verdict& v) { return Rank(v.outcome); });
  Verdict merged = std::move(*first);
  merged.error = error;
  // What any repetition says of flushing must agree with the others.
  for (const Verdict& verdict : verdicts) {
    if (&verdict == first) continue;
    merged.flush.insert(merged.flush.end(), verdict.flush.begin(),
                        verdict.flush.end());
    if (merged.accuracy && verdict.accuracy)
      merged.accuracy->Merge(*verdict.accuracy);
  }
  if (outcomes.size() == 1) return merged;
  merged.message += fmt::format("\n  of {} repetitions:", verdicts.size());
  for (const auto& [outcome, count] : outcomes)
    merged.message += fmt::format(" {} {}", count, Name(outcome));
  merged.repeats = std::move(outcomes);
  return merged;
}

}  // namespace assay
