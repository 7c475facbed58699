#include "fuzz/job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <unordered_map>

#include "cases/runner.h"
#include "spec/error.h"

namespace assay {
namespace {

// Formulas are re-checked on so many of the cases, and on every finding: valid
// by construction must stay true.
constexpr uint64_t kCheckedEvery = 100;

void WriteLine(int fd, const Json& json) {
  const std::string line =
      json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t written = write(fd, line.data() + at, line.size() - at);
    if (written < 0 && errno != EINTR) _exit(3);  // nobody reads
    if (written > 0) at += static_cast<size_t>(written);
  }
}

// What formulas say against a drawn case: a bug of the generator.
std::optional<std::string> Complaint(const Case& c) {
  const Policy& policy = Policy::Find("assay");
  const Verdict verdict = JudgeConstraints(c, policy, "");
  if (verdict.outcome == Outcome::kPass) return std::nullopt;
  return verdict.message;
}

class Job {
 public:
  Job(const CampaignOptions& options, Generator* generator, CampaignPage* page,
      int job, int fd)
      : options_(options),
        generator_(*generator),
        page_(*page),
        mine_(page->jobs[job]),
        fd_(fd) {
    if (Backend::IsSpec(options.backend)) return;
    OpenOptions open = options.open;
    open.job = job;
    executor_ = OpenBackend(options.backend, open);
    runner_ = std::make_unique<Runner>(executor_.get(), *options.policy);
  }

  void Run(const JobStart& start) {
    if (start.block) RunBlock(*start.block, start);
    const uint64_t end =
        options_.count
            ? (*options_.count + Campaign::kBlock - 1) / Campaign::kBlock
            : UINT64_MAX;
    while (!page_.stop) {
      const uint64_t block = page_.next_block.fetch_add(1);
      if (block >= end) break;
      mine_.block = block;
      RunBlock(block, JobStart());
    }
  }

 private:
  struct Live {
    uint64_t index;
    Case c;
  };

  uint64_t End(uint64_t block) const {
    const uint64_t end = (block + 1) * Campaign::kBlock;
    return options_.first +
           (options_.count ? std::min(end, *options_.count) : end);
  }

  void RunBlock(uint64_t block, const JobStart& start) {
    outcomes_.clear();
    uint64_t index = options_.first + block * Campaign::kBlock;
    const uint64_t end = End(block);
    std::unordered_map<int64_t, Live> live;
    const auto next = [&](int64_t* number) -> const Case* {
      while (index < end && start.skipped.contains(index)) ++index;
      if (index == end) return nullptr;
      mine_.index = index;
      mine_.begun.fetch_add(1, std::memory_order_relaxed);
      *number = static_cast<int64_t>(index);
      Live& taken = live[*number];
      taken.index = index;
      taken.c = Make(index);
      ++index;
      return &taken.c;
    };
    const auto done = [&](int64_t number, const Verdict& verdict) {
      const auto it = live.find(number);
      Take(it->second, verdict);
      live.erase(it);
    };
    if (runner_ && !start.is_careful) {
      runner_->Run(next, done);
    } else {
      int64_t number = 0;
      while (const Case* c = next(&number))
        done(number, runner_ ? runner_->Run(*c)
                             : JudgeConstraints(*c, *options_.policy, ""));
    }
    Json json = {{"kind", "block"}, {"block", block}};
    for (const auto& [outcome, count] : outcomes_)
      json["outcomes"][Name(outcome)] = count;
    WriteLine(fd_, json);
  }

  Case Make(uint64_t index) {
    Drawn drawn = generator_.Draw(options_.seed, index);
    if (index % kCheckedEvery == 0) Check(drawn.c, index);
    Case c = drawn.sweep.empty() ? std::move(drawn.c) : ToJudge(drawn);
    c.runs_twice = index % static_cast<uint64_t>(options_.run_b_every) == 0;
    return c;
  }

  void Check(const Case& c, uint64_t index) {
    const auto complaint = Complaint(c);
    if (!complaint) return;
    Send({"generator " + *complaint, index, c.name, "", Outcome::kOracleSuspect,
          "the generator drew a case that is not as it says: " + *complaint});
  }

  void Take(const Live& taken, const Verdict& verdict) {
    ++outcomes_[verdict.outcome];
    if (!IsFinding(verdict)) return;
    const std::string signature = SignatureOf(verdict, taken.c);
    // Later ones of a signature are no news. Of those that a worker has under
    // way, a program with more ops is judged behind a later one with fewer.
    const auto [sent, is_new] = sent_.emplace(signature, taken.index);
    if (!is_new && sent->second <= taken.index) return;
    sent->second = taken.index;
    if (!taken.c.swept) Check(taken.c, taken.index);
    const std::string& name = taken.c.name;
    Send({signature, taken.index, name.substr(0, name.find('@')), verdict.swept,
          verdict.outcome, verdict.message});
  }

  void Send(const Finding& finding) {
    WriteLine(fd_, ToJson(finding));
    if (options_.ends_at_first_finding) page_.stop = true;
  }

  const CampaignOptions& options_;
  Generator& generator_;
  CampaignPage& page_;
  JobPage& mine_;
  int fd_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Runner> runner_;
  std::map<Outcome, uint64_t> outcomes_;
  std::unordered_map<std::string, uint64_t> sent_;  // the least index
};

}  // namespace

void RunJob(const CampaignOptions& options, Generator* generator,
            CampaignPage* page, int job, const JobStart& start, int fd) {
  try {
    Job(options, generator, page, job, fd).Run(start);
  } catch (const std::exception& e) {
    WriteLine(fd, {{"kind", "error"}, {"message", e.what()}});
  }
}

Verdict JudgeIndex(const CampaignOptions& options, Generator* generator,
                   Executor* executor, uint64_t index) {
  const Case c = ToJudge(generator->Draw(options.seed, index));
  if (executor == nullptr) return JudgeConstraints(c, *options.policy, "");
  return Runner(executor, *options.policy).Run(c);
}

}  // namespace assay
