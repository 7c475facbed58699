// A session has a thread for each job, a place where verdicts wait for their
// turn, and a thread in which the caller gets them.
#include "cases/run/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "cases/variants/layout_variants.h"

namespace assay {
namespace {

// An Outbox hands verdicts to the functions that the caller gave, in a thread
// of its own, so that no worker waits while they are counted and written.
class Outbox {
 public:
  struct Item {
    std::optional<int64_t> chunk;  // of a sweep; else the verdict is on a case
    Verdict verdict;
  };

  Outbox(const SessionOptions& options,
         const std::function<void(Verdict)>& sink)
      : options_(options), sink_(sink), thread_([this] { Work(); }) {}
  ~Outbox() { Close(); }

  // Adds an item. Waits if the caller is slower than the workers and has too
  // many left.
  void Put(Item item) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return items_.size() < kMostItems; });
    items_.push_back(std::move(item));
    if (items_.size() == kBatch) has_items_.notify_one();
  }

  // Returns whether a function threw; neither function is called again then.
  bool failed() const { return failed_; }

  // Waits until everything in the outbox has been handed over. Rethrows the
  // exception of a function.
  void Finish() {
    Close();
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  static constexpr size_t kMostItems = size_t{1} << 16;
  // A wake-up of a thread for every verdict costs more than most verdicts take.
  static constexpr size_t kBatch = 256;
  static constexpr std::chrono::milliseconds kLongestRest{5};

  void Close() {
    {
      const std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    has_items_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  void Work() {
    while (true) {
      std::vector<Item> items;
      {
        std::unique_lock lock(mutex_);
        has_items_.wait_for(lock, kLongestRest, [&] {
          return items_.size() >= kBatch || is_closed_;
        });
        if (items_.empty() && is_closed_) return;
        items.swap(items_);
      }
      has_room_.notify_all();
      for (Item& item : items) HandOver(&item);
    }
  }

  void HandOver(Item* item) {
    if (failed_) return;
    try {
      if (item->chunk) {
        options_.chunk_sink(*item->chunk, item->verdict);
      } else {
        sink_(std::move(item->verdict));
      }
    } catch (...) {  // as when a disk is full
      exception_ = std::current_exception();
      failed_ = true;
    }
  }

  const SessionOptions& options_;
  const std::function<void(Verdict)>& sink_;
  std::mutex mutex_;
  std::condition_variable has_items_, has_room_;
  std::vector<Item> items_;
  bool is_closed_ = false;
  std::atomic<bool> failed_ = false;
  std::exception_ptr exception_;
  std::thread thread_;  // the last member: it uses the others
};

// A Desk hands out cases, and chunks of sweeps, and brings verdicts into the
// order of the suite. Slow work, such as making cases and handing over
// verdicts, happens outside of its lock.
class Desk {
 public:
  Desk(const std::string& backend, const std::vector<Case>& suite,
       const std::vector<size_t>& cases, const SessionOptions& options,
       const std::function<void(Verdict)>& sink)
      : backend_(backend),
        suite_(suite),
        cases_(cases),
        options_(options),
        crashes_(options.crashes),
        outbox_(options, sink) {}

  const Case* Next(int64_t* number) {
    Turn* const turn = NextTurn(number);
    if (turn == nullptr) return nullptr;
    const Case* const c = &suite_[cases_[turn->place.position]];
    if (c->chunk > 0)
      return &turn->made.emplace(ChunkOf(*c, turn->place.chunk));
    if (c->original) return &turn->made.emplace(MakeVariant(*c));
    return c;
  }

  void Take(int64_t number, Verdict verdict) {
    std::map<int64_t, Turn>::node_type turn;  // its case ends after the lock
    const std::lock_guard lock(mutex_);
    if (exception_ || outbox_.failed()) return;
    turn = turns_.extract(number);
    const Place place = turn.mapped().place;
    Taken& taken = taken_[place.position];
    --taken.under_way;
    verdict.index = static_cast<int64_t>(cases_[place.position]);
    std::vector<Verdict>& repeats = taken.repeats[place.chunk];
    repeats.push_back(std::move(verdict));
    if (repeats.size() < static_cast<size_t>(options_.repeat)) return;
    Verdict merged = MergeRepeats(std::move(repeats));
    taken.repeats.erase(place.chunk);
    taken.is_declined |= !IsJudged(merged.outcome);
    taken.ended += EndsProcess(merged.outcome);
    if (suite_[cases_[place.position]].chunk > 0 && options_.chunk_sink)
      outbox_.Put({place.chunk, merged});
    taken.chunks.emplace(place.chunk, std::move(merged));
    Emit();
  }

  // Returns the case that was given out under the number, as it is in the
  // suite, not made; it may be a sweep.
  const Case& CaseOf(int64_t number) {
    const std::lock_guard lock(mutex_);
    return suite_[cases_[positions_.at(static_cast<size_t>(number - 1))]];
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

  void AddTotals(const Executor& executor) {
    const std::lock_guard lock(mutex_);
    result_.restarts += executor.restarts();
    result_.times.Add(executor.times());
  }

  // Must be called after the last thread.
  SessionResult Finish() {
    outbox_.Finish();
    if (exception_) std::rethrow_exception(exception_);
    result_.stopped = !given_up_ && emitted_ < cases_.size();
    if (!given_up_) return result_;
    for (; emitted_ < cases_.size(); ++emitted_) {
      result_.left_out.push_back(IsComplete(emitted_) ? Merged(emitted_)
                                                      : Skipped(emitted_));
    }
    return result_;
  }

 private:
  // A Place in the work is one repetition of a chunk of a case. A case that is
  // no sweep has one chunk.
  struct Place {
    size_t position = 0;  // in cases_
    int64_t chunk = 0;
    int repeat = 0;
  };
  // A Turn is the work of a worker, with the case if one is made for it.
  struct Turn {
    Place place;
    std::optional<Case> made;
  };
  // A Taken has the verdicts on a case that have come so far.
  struct Taken {
    std::map<int64_t, std::vector<Verdict>> repeats;  // of chunks under way
    ChunkVerdicts chunks;
    int64_t under_way = 0;
    bool is_declined = false;  // so its other chunks are not asked for
    int ended = 0;             // chunks that ended their process
  };

  bool IsStopped() const { return options_.stop && *options_.stop; }

  // Returns the work of a worker, which only that worker looks at until it is
  // taken back; nullptr if nothing is left.
  Turn* NextTurn(int64_t* number) {
    const std::lock_guard lock(mutex_);
    if (given_up_ || exception_ || outbox_.failed() || IsStopped())
      return nullptr;
    while (next_.position < cases_.size() && !IsWanted(next_)) SkipChunk();
    Emit();
    if (next_.position == cases_.size()) return nullptr;
    *number = ++last_number_;
    positions_.push_back(next_.position);
    ++taken_[next_.position].under_way;
    Turn& turn = turns_[*number] = {next_, {}};
    if (++next_.repeat == options_.repeat) SkipChunk();
    return &turn;
  }

  void SkipChunk() {
    next_.repeat = 0;
    if (++next_.chunk < ChunkCount(suite_[cases_[next_.position]])) return;
    next_ = {next_.position + 1, 0, 0};
  }

  bool IsWanted(const Place& place) {
    if (place.position < emitted_) return false;  // it was declined
    Taken& taken = taken_[place.position];
    if (const auto done = options_.chunks_done.find(cases_[place.position]);
        done != options_.chunks_done.end() && taken.chunks.empty()) {
      taken.chunks = done->second;
      for (const auto& [number, verdict] : taken.chunks) {
        taken.is_declined |= !IsJudged(verdict.outcome);
        taken.ended += EndsProcess(verdict.outcome);
      }
    }
    if (place.chunk == 0 && place.repeat == 0 &&
        crashes_.IsSpent(suite_[cases_[place.position]]))
      SkipCrashing(place.position);
    return place.repeat > 0 || (!taken.is_declined && !IsCut(taken) &&
                                !taken.chunks.contains(place.chunk));
  }

  // The verdict on the skipped case is made when its turn comes.
  void SkipCrashing(size_t position) {
    Taken& taken = taken_[position];
    if (!taken.chunks.empty()) return;
    Verdict verdict;
    verdict.backend = backend_;
    verdict.index = static_cast<int64_t>(cases_[position]);
    taken.chunks.emplace(0, std::move(verdict));
    taken.is_declined = true;
  }

  // Returns whether so many chunks ended their process that no more are asked
  // for.
  bool IsCut(const Taken& taken) const {
    return crashes_.most() > 0 && taken.ended >= crashes_.most();
  }

  // Chunks behind those are left out, because how many were under way depends
  // on which worker was faster.
  int64_t LeftOutOf(ChunkVerdicts* chunks, int64_t count) const {
    int ended = 0;
    auto end = chunks->begin();
    while (end != chunks->end() && ended < crashes_.most())
      ended += EndsProcess((end++)->second.outcome);
    chunks->erase(end, chunks->end());
    return count - static_cast<int64_t>(chunks->size());
  }

  bool IsComplete(size_t position) {
    const Taken& taken = taken_[position];
    if (taken.under_way > 0) return false;
    return taken.is_declined || (IsCut(taken) && !taken.chunks.empty()) ||
           static_cast<int64_t>(taken.chunks.size()) ==
               ChunkCount(suite_[cases_[position]]);
  }

  // Returns the verdict on a case that is complete, when its turn comes.
  Verdict Merged(size_t position) {
    const Case& c = suite_[cases_[position]];
    Taken& taken = taken_[position];
    const int64_t left_out = c.chunk > 0 && IsCut(taken) && !taken.is_declined
                                 ? LeftOutOf(&taken.chunks, ChunkCount(c))
                                 : 0;
    Verdict verdict = c.chunk > 0 ? MergeChunks(c, taken.chunks)
                                  : std::move(taken.chunks.begin()->second);
    if (left_out > 0)
      verdict.message += fmt::format(
          "\n  {} chunks behind these were not judged (--crashes)", left_out);
    crashes_.Take(c, &verdict);
    return verdict;
  }

  // Emits every verdict that is complete and whose turn it is.
  void Emit() {
    while (emitted_ < cases_.size() && IsComplete(emitted_)) {
      Verdict verdict = Merged(emitted_);
      taken_.erase(emitted_++);
      outbox_.Put({std::nullopt, std::move(verdict)});
    }
  }

  Verdict Skipped(size_t position) const {
    const Case& c = suite_[cases_[position]];
    Verdict verdict = VerdictOf(c.original ? MakeVariant(c) : c, backend_);
    verdict.index = static_cast<int64_t>(cases_[position]);
    verdict.outcome = Outcome::kSkipped;
    verdict.message = kGivenUpMessage;
    return verdict;
  }

  const std::string backend_;
  const std::vector<Case>& suite_;
  const std::vector<size_t>& cases_;
  const SessionOptions& options_;
  CrashLimit crashes_;
  std::mutex mutex_;
  Place next_;
  size_t emitted_ = 0;  // position of the case whose verdict is next
  int64_t last_number_ = 0;
  std::vector<size_t> positions_;  // by number, from 1 on
  std::map<int64_t, Turn> turns_;  // by number
  std::map<size_t, Taken> taken_;  // by position
  bool given_up_ = false;
  std::exception_ptr exception_;
  SessionResult result_;
  Outbox outbox_;
};

}  // namespace

SessionResult JudgeSuite(const std::vector<Case>& suite,
                         const std::vector<size_t>& cases, const Policy& policy,
                         std::unique_ptr<Executor> first,
                         const std::function<std::unique_ptr<Executor>()>& open,
                         const SessionOptions& options,
                         const std::function<void(Verdict)>& sink) {
  Desk desk(first->info().spec, suite, cases, options, sink);
  JudgeAgain again(options.again, policy);
  const auto look_back = [&](const Runner::Past& past, const Case& c,
                             Verdict* verdict) {
    if (past.ended && !past.cases.empty())
      AddSuspect(desk.CaseOf(past.cases.back()).name, verdict);
    if (!options.again.open || c.chunk > 0) return;
    const auto make = [&](int64_t number) -> std::optional<Case> {
      const Case& before = desk.CaseOf(number);
      if (before.chunk > 0 || !before.after.empty()) return std::nullopt;
      return MadeEarlier(before.original ? MakeVariant(before) : before);
    };
    again.Take(c.original ? MakeVariant(c) : c, past.cases, make, verdict);
  };
  const auto work = [&](std::unique_ptr<Executor> executor) {
    try {
      if (!executor) {
        try {
          executor = open();
        } catch (const BackendError& e) {
          // The other workers take over its part.
          return desk.AddNote(e.what());
        }
      }
      Runner runner(executor.get(), policy, options.suite_flags);
      runner.Run(
          [&](int64_t* number) { return desk.Next(number); },
          [&](int64_t number, Verdict verdict) {
            if (IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass)
              look_back(runner.PastOf(), desk.CaseOf(number), &verdict);
            desk.Take(number, std::move(verdict));
          },
          options.stop);
    } catch (const BackendError& e) {
      desk.GiveUp(e.what());
    } catch (...) {
      desk.Abort(std::current_exception());
    }
    if (executor) desk.AddTotals(*executor);
  };
  std::vector<std::jthread> others;
  for (int job = 1; job < options.jobs; ++job)
    others.emplace_back(work, nullptr);
  work(std::move(first));
  others.clear();
  return desk.Finish();
}

Verdict MergeRepeats(std::vector<Verdict> verdicts) {
  std::map<Outcome, int64_t> outcomes;
  std::optional<double> error;
  for (const Verdict& verdict : verdicts) {
    ++outcomes[verdict.outcome];
    if (verdict.error_ulps)
      error = std::max(error.value_or(0), *verdict.error_ulps);
  }
  Verdict* const first = &*std::ranges::min_element(
      verdicts, {}, [](const Verdict& v) { return Rank(v.outcome); });
  Verdict merged = std::move(*first);
  merged.error_ulps = error;
  // Every repetition must agree with the others about flushing.
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
