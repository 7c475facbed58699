// The parent process watches the processes that judge.
#include "fuzz/campaign/campaign.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <vector>

#include "backends/host/child_process.h"
#include "cases/run/runner.h"
#include "fuzz/campaign/campaign_process.h"
#include "spec/error.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick(100);
// If a backend ends its process at every case, the campaign is not worth going
// on with.
constexpr int kMostDeaths = 1000;
// The same holds if it ends its process so often in a row before a case.
constexpr int kMostDeathsAtStart = 3;
// For so long after the end of the time, the cause of a death is still searched
// for by judging again.
constexpr milliseconds kGrace(10'000);
// For so long after an interruption, blocks that were begun may come to their
// end. Those that do not are judged by the campaign that goes on.
constexpr milliseconds kLastBlocks(500);
// In a worker, the worker's own time limit comes first, for run A and run B and
// the call beside them.
constexpr int kPatienceWithWorkers = 10;
// The judge may take longer than any backend, as it tries all orders of a sum.
constexpr int kPatienceWithJudge = 30;

class Watch {
 public:
  Watch(const CampaignOptions& options, Generator* generator,
        CampaignState* state,
        const std::function<void(const Finding&)>& on_finding,
        const std::function<void(const CampaignState&)>& on_progress)
      : options_(options),
        generator_(generator),
        state_(*state),
        on_finding_(on_finding),
        on_progress_(on_progress) {
    void* memory = mmap(nullptr, sizeof(CampaignPage), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    page_ = new (memory) CampaignPage;
  }

  ~Watch() {
    KillAll();
    munmap(page_, sizeof(CampaignPage));
  }

  void Run() {
    if (options_.time) end_ = Clock::now() + *options_.time;
    if (HasAllFindings()) page_->stop = true;  // before this run
    processes_.resize(static_cast<size_t>(options_.jobs));
    for (size_t job = 0; job < processes_.size(); ++job) Start(job, {});
    auto told = Clock::now();
    while (std::ranges::any_of(processes_, &Process::IsRunning)) {
      Wait();
      if ((end_ && Clock::now() >= *end_) || IsInterrupted())
        page_->stop = true;
      if (IsInterrupted() && !interrupted_) interrupted_ = Clock::now();
      if (interrupted_ && Clock::now() - *interrupted_ > kLastBlocks) KillAll();
      if (Clock::now() - told < kTick) continue;
      told = Clock::now();
      on_progress_(state_);
      WatchForHangs();
    }
    on_progress_(state_);
    // What is behind a block that has not come to its end is told, and is no
    // part of what a campaign goes on from.
    for (const auto& [block, counts] : counts_) Add(counts);
    if (!error_.empty()) throw BackendError(error_);
  }

 private:
  struct Process {
    pid_t pid = -1;
    int fd = -1;
    std::string text;
    uint64_t begun = 0, calls = 0;
    Clock::time_point since;
    ProcessStart start;
    std::string lost;         // why it has no device any more
    std::set<uint64_t> left;  // of the blocks that it began with
    std::string why;          // the one before it ended, until they are judged
    int deaths_at_start = 0;  // in a row
    bool IsRunning() const { return pid > 0; }
  };

  // A campaign goes on behind the complete blocks, so that what was judged of
  // others is counted apart.
  struct Counts {
    uint64_t turned_away = 0, elements = 0, open = 0;
    std::map<Outcome, uint64_t> outcomes;
  };

  bool IsInterrupted() const { return options_.stop && *options_.stop; }

  bool HasAllFindings() const {
    return options_.most_findings &&
           state_.findings.size() >= *options_.most_findings;
  }

  // Returns whether a process may begin with what is to be judged again.
  bool MayStart() const {
    if (!error_.empty() || IsInterrupted()) return false;
    if (HasAllFindings()) return false;
    return !end_ || Clock::now() < *end_ + kGrace;
  }

  void Start(size_t job, ProcessStart start) {
    Process& process = processes_[job];
    int pipe_fds[2];
    if (pipe2(pipe_fds, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    ProcessPage& page = page_->jobs[job];
    SetBlocks(start.blocks, &page);
    page.slot = ProcessPage::kNone;
    page.drawn = ProcessPage::kNone;
    page.begun = 0;
    page.calls = 0;
    const pid_t parent = getpid();
    process.pid = fork();
    if (process.pid < 0)
      throw std::system_error(errno, std::generic_category(), "fork");
    if (process.pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(3);
      // Only the process that watches handles Ctrl-C.
      signal(SIGINT, SIG_IGN);
      close(pipe_fds[0]);
      RunCampaignProcess(options_, generator_, page_, static_cast<int>(job),
                         start, pipe_fds[1]);
      _exit(0);
    }
    close(pipe_fds[1]);
    process.fd = pipe_fds[0];
    process.text.clear();
    process.lost.clear();
    process.left = start.blocks;
    process.start = std::move(start);
    process.begun = process.calls = 0;
    process.since = Clock::now();
  }

  static void SetBlocks(const std::set<uint64_t>& blocks, ProcessPage* page) {
    auto block = blocks.begin();
    for (auto& slot : page->blocks)
      slot = block == blocks.end() ? ProcessPage::kNone : *block++;
  }

  static void Kill(Process* process) {
    if (!process->IsRunning()) return;
    kill(process->pid, SIGKILL);
    waitpid(process->pid, nullptr, 0);
    close(process->fd);
    process->pid = -1;
  }

  void KillAll() {
    for (Process& process : processes_) Kill(&process);
  }

  void Wait() {
    std::vector<pollfd> polled;
    std::vector<size_t> jobs;
    for (size_t job = 0; job < processes_.size(); ++job) {
      if (!processes_[job].IsRunning()) continue;
      polled.push_back({processes_[job].fd, POLLIN, 0});
      jobs.push_back(job);
    }
    poll(polled.data(), polled.size(), static_cast<int>(kTick.count()));
    for (size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].revents != 0) Read(jobs[i]);
    }
  }

  void Read(size_t job) {
    Process& process = processes_[job];
    char buffer[1 << 16];
    const ssize_t size = read(process.fd, buffer, sizeof(buffer));
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (size <= 0) return Ended(job);
    process.text.append(buffer, static_cast<size_t>(size));
    size_t begin = 0;
    for (size_t end;
         (end = process.text.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      Take(&process, ParseJson("a process of the campaign",
                               process.text.substr(begin, end - begin)));
    process.text.erase(0, begin);
  }

  void Take(Process* process, const Json& line) {
    const std::string kind = line.at("kind").get<std::string>();
    if (kind == "finding")
      return Found(FindingFromJson(JsonView(line, "finding")));
    if (kind == "error") {
      error_ = line.at("message").get<std::string>();
      page_->stop = true;
      return;
    }
    if (kind == "lost") {
      process->lost = line.at("message").get<std::string>();
      return;
    }
    if (kind == "judged") {
      const uint64_t slot = line.at("slot").get<uint64_t>();
      Count(slot, *FindOutcome(line.at("outcome").get<std::string>()));
      AddElements(line, &counts_[BlockOf(slot)]);
      process->start.skipped.insert(slot);
      return;
    }
    const uint64_t block = line.at("block").get<uint64_t>();
    TakeBlock(process, block);
    Counts& counts = counts_[block];
    counts.turned_away += line.at("turned_away").get<uint64_t>();
    AddElements(line, &counts);
    if (line.contains("outcomes")) {
      for (const auto& [name, count] : line.at("outcomes").items()) {
        counts.outcomes[*FindOutcome(name)] += count.get<uint64_t>();
        state_.judged += count.get<uint64_t>();
      }
    }
    done_.insert(block);
    for (; done_.erase(complete_) > 0; ++complete_)
      Add(counts_.extract(complete_).mapped());
    state_.next = options_.first + complete_ * Campaign::kBlock;
    if (options_.count)
      state_.next = std::min(state_.next, options_.first + *options_.count);
  }

  uint64_t BlockOf(uint64_t slot) const {
    return (slot - options_.first) / Campaign::kBlock;
  }

  void Count(uint64_t slot, Outcome outcome) {
    ++counts_[BlockOf(slot)].outcomes[outcome];
    ++state_.judged;
  }

  static void AddElements(const Json& line, Counts* counts) {
    counts->elements += line.at("elements").get<uint64_t>();
    counts->open += line.at("open").get<uint64_t>();
  }

  void Add(const Counts& counts) {
    state_.turned_away += counts.turned_away;
    state_.elements += counts.elements;
    state_.open += counts.open;
    for (const auto& [outcome, count] : counts.outcomes)
      state_.outcomes[outcome] += count;
  }

  void Found(Finding finding) {
    const auto there = state_.findings.find(finding.signature);
    if (there != state_.findings.end() && there->second.index <= finding.index)
      return;
    on_finding_(finding);
    state_.findings.insert_or_assign(finding.signature, finding);
    if (HasAllFindings()) page_->stop = true;
  }

  // The process is gone: it had nothing more to do, or a case ended it.
  void Ended(size_t job) {
    Process& process = processes_[job];
    int status = 0;
    waitpid(process.pid, &status, 0);
    close(process.fd);
    process.pid = -1;
    if (!process.lost.empty()) return Died(job, Outcome::kCrash, process.lost);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    Died(job, Outcome::kCrash, DescribeStatus(status));
  }

  // A worker or a device has many cases under way. Their blocks are judged
  // again, one case after the other, until the process ends at an index that is
  // known.
  void Died(size_t job, Outcome outcome, const std::string& why) {
    const ProcessPage& page = page_->jobs[job];
    const ProcessStart& before = processes_[job].start;
    ProcessStart start;
    start.blocks = page.Blocks();
    std::erase_if(start.blocks, [&](uint64_t block) {
      return block < complete_ || done_.contains(block);
    });
    const bool is_again = std::ranges::any_of(
        start.blocks,
        [&](uint64_t block) { return before.blocks.contains(block); });
    if (is_again) {
      start.skipped = before.skipped;
      start.blamed = before.blamed;
    }
    const uint64_t slot = page.slot;
    int& at_start = processes_[job].deaths_at_start;
    at_start = slot == ProcessPage::kNone ? at_start + 1 : 0;
    const bool is_one = is_again || (!page.has_many && !start.blocks.empty());
    if (is_one && at_start == 0 && page.drawn != slot) {
      // This process would end of it as well.
      Found({kNotDrawn,
             slot,
             fmt::format("slot {}", slot),
             "",
             Outcome::kOracleSuspect,
             "assay itself ended while it drew the case: " + why,
             {}});
      Count(slot, Outcome::kOracleSuspect);
      start.skipped.insert(slot);
      ++start.blamed;
    } else if (is_one && at_start == 0) {
      const auto [drawn, index, turned_away] =
          CaseAt(options_, generator_, slot);
      Verdict verdict = VerdictOf(drawn.c, options_.backend);
      verdict.outcome = outcome;
      verdict.basis = "contract";
      Count(slot, outcome);
      // The process had been given all earlier slots of the block, except for
      // those that were skipped.
      const uint64_t at = (slot - options_.first) % Campaign::kBlock;
      std::vector<Finding::Range> earlier;
      if (at > 0) earlier.emplace_back(slot - at, at);
      Found({SignatureOf(verdict, drawn.c), index, drawn.c.name, drawn.variant,
             outcome,
             "the process that judged it ended, which a call before it may "
             "have broken: " +
                 why,
             earlier});
      start.skipped.insert(slot);
      ++start.blamed;
    }
    if (++state_.deaths >= kMostDeaths || at_start == kMostDeathsAtStart) {
      error_ =
          fmt::format("backend '{}': given up, it ended {} processes, last: {}",
                      options_.backend, state_.deaths, why);
      page_->stop = true;
    }
    if (MayStart()) {
      Start(job, std::move(start));
      processes_[job].why = why;
    } else if (start.blamed == 0 && !start.blocks.empty()) {
      TellDeath(start.blocks, "and there was no time to judge them again", why);
    }
  }

  // Reports a death in blocks for which the case is not known.
  void TellDeath(const std::set<uint64_t>& blocks, const char* but,
                 const std::string& why) {
    std::vector<uint64_t> first;
    for (const uint64_t number : blocks)
      first.push_back(options_.first + number * Campaign::kBlock);
    Found({kEndedOnce,
           first.front(),
           fmt::format("{} cases from {} on", Campaign::kBlock,
                       fmt::join(first, ", and from ")),
           "",
           Outcome::kCrash,
           fmt::format("the process that judged one of them ended, {}: {}", but,
                       why),
           {}});
  }

  // A death that does not come again is reported as well.
  void TakeBlock(Process* process, uint64_t block) {
    process->left.erase(block);
    if (process->why.empty() || !process->left.empty()) return;
    if (process->start.blamed == 0) {
      std::set<uint64_t> blocks = process->start.blocks;
      if (blocks.empty()) blocks = {block};
      TellDeath(blocks, "and not when they were judged again", process->why);
    }
    process->why.clear();
  }

  // A plugin that hangs in this process keeps the index where it is.
  void WatchForHangs() {
    const WorkerLimits& limits = options_.open.limits;
    // A worker that died of a case is started again before the next one.
    const milliseconds of_case =
        options_.open.in_process
            ? limits.timeout
            : limits.timeout * kPatienceWithWorkers + limits.start_timeout;
    for (size_t job = 0; job < processes_.size(); ++job) {
      Process& process = processes_[job];
      if (!process.IsRunning()) continue;
      const uint64_t begun = page_->jobs[job].begun;
      const uint64_t calls = page_->jobs[job].calls;
      const bool is_judging = options_.open.in_process && calls % 2 == 0;
      const milliseconds of_step =
          is_judging ? of_case * kPatienceWithJudge : of_case;
      const milliseconds patience =
          begun > 0 ? of_step : std::max(of_step, limits.start_timeout);
      if (begun != process.begun || calls != process.calls) {
        process.begun = begun;
        process.calls = calls;
        process.since = Clock::now();
      } else if (Clock::now() - process.since > patience) {
        Kill(&process);
        Died(job, Outcome::kTimeout,
             fmt::format("no {} within {} ms",
                         begun == 0   ? "case"
                         : is_judging ? "verdict"
                                      : "answer",
                         patience.count()));
      }
    }
  }

  const CampaignOptions& options_;
  Generator* generator_;
  CampaignState& state_;
  const std::function<void(const Finding&)>& on_finding_;
  const std::function<void(const CampaignState&)>& on_progress_;
  CampaignPage* page_;
  std::vector<Process> processes_;
  std::optional<Clock::time_point> end_, interrupted_;
  uint64_t complete_ = 0;              // so many blocks
  std::set<uint64_t> done_;            // blocks beyond the complete ones
  std::map<uint64_t, Counts> counts_;  // of blocks beyond the complete ones
  std::string error_;
};

}  // namespace

Campaign::Campaign(const CampaignOptions& options, Generator* generator)
    : options_(options), generator_(generator) {}

void Campaign::Run(
    CampaignState* state, const std::function<void(const Finding&)>& on_finding,
    const std::function<void(const CampaignState&)>& on_progress) {
  CampaignOptions left = options_;
  const uint64_t judged = state->next - std::min(state->next, left.first);
  left.first += judged;
  if (left.count) *left.count -= std::min(judged, *left.count);
  Watch(left, generator_, state, on_finding, on_progress).Run();
}

}  // namespace assay
