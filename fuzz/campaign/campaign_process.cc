#include "fuzz/campaign/campaign_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <unordered_map>
#include <utility>

#include "cases/run/runner.h"
#include "spec/error.h"

namespace assay {
namespace {

// Formulas are checked on one in so many cases, and on every finding, because
// calls that are valid by construction must stay valid.
constexpr uint64_t kCheckedEvery = 100;
// In this process, a device runs so many calls at a time: they share the cost
// of launches and waiting, and the memory that they are judged with still fits
// into a cache. On an H200, 16 to 64 of them are as fast, and 256 a third
// slower.
constexpr size_t kTogether = 64;

void WriteLine(int fd, const Json& json) {
  const std::string line =
      json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t written = write(fd, line.data() + at, line.size() - at);
    if (written < 0 && errno != EINTR) _exit(3);  // nobody reads
    if (written > 0) at += static_cast<size_t>(written);
  }
}

// Returns what formulas say against a drawn case, which is a bug of the
// generator.
std::optional<std::string> Complaint(const Case& c) {
  const Policy& policy = Policy::Find("assay");
  const Verdict verdict = JudgeConstraints(c, policy, "");
  if (verdict.outcome == Outcome::kPass) return std::nullopt;
  return verdict.message;
}

class CampaignProcess {
 public:
  CampaignProcess(const CampaignOptions& options, Generator* generator,
                  CampaignPage* page, int job, int fd)
      : options_(options),
        generator_(*generator),
        page_(*page),
        mine_(page->jobs[job]),
        fd_(fd) {
    if (Backend::IsSpec(options.backend)) return;
    OpenOptions open = options.open;
    open.job = job;
    open.together = kTogether;
    executor_ = OpenBackend(options.backend, open);
    mine_.has_many = executor_->window() > 1;
    executor_->CountCallsIn(&mine_.calls);
    runner_ = std::make_unique<Runner>(executor_.get(), *options.policy);
  }

  void Run(const ProcessStart& start) {
    tells_each_ = true;
    for (const uint64_t number : start.blocks) {
      Open(number);
      while (next_ != end_) {
        if (start.skipped.contains(next_)) {
          Leave(next_++);
        } else {
          JudgeAlone(*Begin());
        }
      }
    }
    tells_each_ = false;
    while (TakeBlock()) {
      if (runner_) {
        runner_->Run(
            [&](int64_t* number) -> const Case* {
              if (next_ == end_ && !TakeBlock()) return nullptr;
              *number = static_cast<int64_t>(next_);
              return Begin();
            },
            [&](int64_t number, Verdict verdict) {
              TakeFromBackend(static_cast<uint64_t>(number), &verdict);
            });
      } else {
        while (next_ != end_) JudgeAlone(*Begin());
      }
    }
  }

 private:
  struct Live {
    Case c;
    uint64_t index;
  };
  struct Block {
    uint64_t left;  // cases that are not judged
    uint64_t turned_away = 0;
    int64_t elements = 0, open = 0;
    std::map<Outcome, uint64_t> outcomes;
  };

  // Returns false if there is no block, or as many are under way as may be.
  bool TakeBlock() {
    if (page_.stop || blocks_.size() == ProcessPage::kMostBlocks) return false;
    const uint64_t number = page_.next_block.fetch_add(1);
    if (options_.count && number * Campaign::kBlock >= *options_.count)
      return false;
    Open(number);
    return true;
  }

  void Open(uint64_t number) {
    if (!mine_.Blocks().contains(number)) SlotOf(ProcessPage::kNone) = number;
    const uint64_t end = (number + 1) * Campaign::kBlock;
    next_ = options_.first + number * Campaign::kBlock;
    end_ = options_.first +
           (options_.count ? std::min(end, *options_.count) : end);
    blocks_[number].left = end_ - next_;
  }

  std::atomic<uint64_t>& SlotOf(uint64_t number) {
    const auto slot = std::ranges::find_if(
        mine_.blocks, [&](const auto& block) { return block == number; });
    ASSAY_CHECK(slot != mine_.blocks.end());
    return *slot;
  }

  // Names the cases that the process judged before a call that ended a worker.
  void NameSuspect(Verdict* verdict) {
    const Runner::Past past = runner_->PastOf();
    if (!past.ended || past.cases.empty()) return;
    const auto slot = static_cast<uint64_t>(past.cases.back());
    AddSuspect(CaseAt(options_, &generator_, slot).drawn.c.name, verdict);
  }

  // Begins the next slot.
  const Case* Begin() {
    mine_.slot = next_;
    mine_.begun.fetch_add(1, std::memory_order_relaxed);
    Live& live = live_[next_];
    live = Make(next_);
    mine_.drawn = next_;
    ++next_;
    return &live.c;
  }

  void JudgeAlone(const Case& c) {
    if (!runner_)
      return Take(next_ - 1, JudgeConstraints(c, *options_.policy, ""));
    const Case* next = &c;
    runner_->Run(
        [&](int64_t* number) {
          *number = static_cast<int64_t>(next_ - 1);
          return std::exchange(next, nullptr);
        },
        [&](int64_t number, Verdict verdict) {
          TakeFromBackend(static_cast<uint64_t>(number), &verdict);
        });
  }

  // Must be called while the runner hands over the verdict.
  void TakeFromBackend(uint64_t slot, Verdict* verdict) {
    if (IsFinding(*verdict)) NameSuspect(verdict);
    Take(slot, *verdict);
  }

  // A case was judged, or is not going to be.
  void Leave(uint64_t slot) {
    const uint64_t number = (slot - options_.first) / Campaign::kBlock;
    const auto block = blocks_.find(number);
    if (--block->second.left > 0) return;
    Json json = {{"kind", "block"},
                 {"block", number},
                 {"turned_away", block->second.turned_away},
                 {"elements", block->second.elements},
                 {"open", block->second.open}};
    for (const auto& [outcome, count] : block->second.outcomes)
      json["outcomes"][Name(outcome)] = count;
    WriteLine(fd_, json);
    blocks_.erase(block);
    SlotOf(number) = ProcessPage::kNone;
  }

  Live Make(uint64_t slot) {
    auto [drawn, index, turned_away] = CaseAt(options_, &generator_, slot);
    BlockOf(slot).turned_away += turned_away;
    if (slot % kCheckedEvery == 0) Check(drawn.c, index);
    Case c = drawn.variant.empty() ? std::move(drawn.c) : ToJudge(drawn);
    c.runs_twice = slot % static_cast<uint64_t>(options_.run_b_every) == 0;
    return {std::move(c), index};
  }

  void Check(const Case& c, uint64_t index) {
    const auto complaint = Complaint(c);
    if (!complaint) return;
    Send({"generator " + *complaint,
          index,
          c.name,
          "",
          Outcome::kOracleSuspect,
          "the generator drew a case that is not as it says: " + *complaint,
          {}});
  }

  Block& BlockOf(uint64_t slot) {
    return blocks_.at((slot - options_.first) / Campaign::kBlock);
  }

  void Take(uint64_t slot, const Verdict& verdict) {
    const auto live = live_.find(slot);
    if (tells_each_) {
      WriteLine(fd_, {{"kind", "judged"},
                      {"slot", slot},
                      {"outcome", Name(verdict.outcome)},
                      {"elements", verdict.elements},
                      {"open", verdict.open}});
    } else {
      Block& block = BlockOf(slot);
      ++block.outcomes[verdict.outcome];
      block.elements += verdict.elements;
      block.open += verdict.open;
    }
    if (IsFinding(verdict)) Report(live->second.index, live->second.c, verdict);
    live_.erase(live);
    Leave(slot);
  }

  void Report(uint64_t index, const Case& c, const Verdict& verdict) {
    const std::string signature = SignatureOf(verdict, c);
    // Later findings of a signature are not new. Among the cases that a worker
    // has under way, a program with more ops may be judged after a later one
    // with fewer.
    const auto [sent, is_new] = sent_.emplace(signature, index);
    if (!is_new && sent->second <= index) return;
    sent->second = index;
    if (!c.variant) Check(c, index);
    Send({signature, index, c.name.substr(0, c.name.find('@')), verdict.variant,
          verdict.outcome, verdict.message,
          runner_ ? RangesOf(runner_->PastOf().cases)
                  : std::vector<Finding::Range>()});
  }

  void Send(const Finding& finding) {
    WriteLine(fd_, ToJson(finding));
    if (options_.most_findings == 1) page_.stop = true;
  }

  const CampaignOptions& options_;
  Generator& generator_;
  CampaignPage& page_;
  ProcessPage& mine_;
  int fd_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Runner> runner_;
  bool tells_each_ = false;
  uint64_t next_ = 0, end_ = 0;              // of the block that was taken last
  std::map<uint64_t, Block> blocks_;         // under way, by number
  std::unordered_map<uint64_t, Live> live_;  // by slot
  std::unordered_map<std::string, uint64_t> sent_;  // the least index
};

}  // namespace

void RunCampaignProcess(const CampaignOptions& options, Generator* generator,
                        CampaignPage* page, int job, const ProcessStart& start,
                        int fd) {
  try {
    CampaignProcess judge(options, generator, page, job, fd);
    try {
      judge.Run(start);
    } catch (const DeviceLost& e) {
      WriteLine(fd, {{"kind", "lost"}, {"message", e.what()}});
      // The device would have to answer before it gives memory back.
      _exit(0);
    }
  } catch (const std::bad_alloc&) {
    WriteLine(fd, {{"kind", "error"}, {"message", "out of memory"}});
  } catch (const std::exception& e) {
    WriteLine(fd, {{"kind", "error"}, {"message", e.what()}});
  }
}

Declined::Turned CaseAt(const CampaignOptions& options, Generator* generator,
                        uint64_t slot) {
  if (options.before_case) options.before_case(slot);
  if (options.declined != nullptr)
    return options.declined->CaseAt(options.seed, slot, generator);
  return {generator->Draw(options.seed, slot), slot, 0};
}

Verdict JudgeIndex(const CampaignOptions& options, Generator* generator,
                   Executor* executor, uint64_t index) {
  const Case c = ToJudge(generator->Draw(options.seed, index));
  if (executor == nullptr) return JudgeConstraints(c, *options.policy, "");
  return Runner(executor, *options.policy).Run(c);
}

}  // namespace assay
