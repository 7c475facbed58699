// This is the runner's side of the worker protocol.
#include "backends/host/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "backends/host/interrupted.h"
#include "backends/host/worker_messages.h"
#include "spec/error.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

// Calls are sent ahead of their answers: more of them than the 64 that a worker
// may collect, or the two would wait for one another in turns (measured: 82,000
// small cases a second at 64, 143,000 at 128, no more at 256). A death loses as
// many calls, so after a death few are sent ahead, and their number grows again
// with every answer.
//
// If calls run together, at most two batches are sent ahead, and the best
// number is the least with which nobody waits, because the data of more calls
// does not fit into a cache (measured on a device that answers at once: 77,000
// cases a second at 128, 58,000 at 1,024; on one that takes 9 ms for a batch,
// 7,000 and 31,000).
constexpr size_t kWindow = 128, kWindowAfterDeath = 2;
// Messages are written when this many bytes are collected, or when there is
// nothing to do but wait: a system call for each would cost more than the call.
constexpr size_t kWriteBytes = size_t{16} << 10;
constexpr size_t kReadBytes = size_t{64} << 10;
// No answer, with its message, is this long.
constexpr size_t kLongestLine = size_t{1} << 20;
constexpr size_t kKeptErrors = 16384;
constexpr milliseconds kCheckInterval(50);
// A worker that came up before is started this often. Each attempt may take the
// full start timeout.
constexpr int kStarts = 3;
// There is a pause between attempts, because a device takes a moment to recover
// from a fault.
constexpr milliseconds kPauseBetweenStarts(300);
// A process whose pipes are closed has this time to end by itself.
constexpr milliseconds kGrace(200);

}  // namespace

WorkerExecutor::WorkerExecutor(WorkerCommand command,
                               const WorkerLimits& limits)
    : command_(std::move(command)),
      limits_(limits),
      window_(kWindow),
      wanted_(kWindow) {
  info_.spec = command_.spec;
  info_.path = command_.path;
  info_.is_ours = command_.is_ours;
  Start();
}

WorkerExecutor::~WorkerExecutor() {
  if (!child_) return;
  // An idle worker ends by itself, so that its plugin's exit handlers run.
  child_->CloseInput();
  if (unanswered_.empty()) child_->Wait(kGrace);
}

bool WorkerExecutor::Renew() {
  ASSAY_CHECK(unanswered_.empty());
  if (!child_) return true;
  child_->CloseInput();
  child_->Wait(kGrace);
  child_.reset();
  ++renewals_;
  return true;
}

// A worker that does not come up again counts as one more death.
void WorkerExecutor::Start() {
  for (int left = has_started_ ? kStarts : 1;; --left) {
    try {
      StartOnce();
      has_started_ = true;
      return;
    } catch (const BackendError& e) {
      if (left == 1 || deaths_in_a_row_ >= limits_.max_deaths) throw;
      last_death_ = e.what();
      ++deaths_in_a_row_;
      std::this_thread::sleep_for(kPauseBetweenStarts);
    }
  }
}

void WorkerExecutor::StartOnce() {
  if (deaths_in_a_row_ >= limits_.max_deaths) {
    throw BackendError(
        fmt::format("backend '{}': given up, its worker died {} times in a row "
                    "without an answer; the last time: {}",
                    command_.spec, deaths_in_a_row_, last_death_));
  }
  volatile WorkerPage* page = arena_.worker_page();
  page->started = 0;
  page->fault_begin = 0;
  page->fault_distance = 0;
  page->out_of_memory = 0;
  page->last_started = 0;
  seen_running_ = 0;
  to_worker_.clear();
  from_worker_.clear();
  errors_.clear();
  errors_are_open_ = true;
  try {
    child_ = std::make_unique<ChildProcess>(
        command_.words, command_.is_supervised ? ChildProcess::Kind::kSupervisor
                                               : ChildProcess::Kind::kPlain);
  } catch (const std::system_error& e) {
    throw BackendError(
        fmt::format("backend '{}': the worker cannot be "
                    "started: {}",
                    command_.spec, e.what()));
  }
  const Clock::time_point start = Clock::now();
  Hello();
  times_.start += std::chrono::duration<double>(Clock::now() - start).count();
}

void WorkerExecutor::Hello() {
  const auto refuse = [&](const std::string& why, const char* remedy) {
    Read(child_->error(), &errors_);
    const std::string words = LastWords(errors_);
    child_.reset();
    throw BackendError(fmt::format("backend '{}': {}{}{}{}", command_.spec, why,
                                   words, remedy,
                                   *remedy ? command_.remedy : ""));
  };
  // A worker that says itself why it does not start says what to do.
  const char* const kNone = "";
  const char* const kRemedy = command_.remedy.empty() ? "" : "; ";
  const char* const kMoreTime =
      command_.remedy.empty() ? "" : "; allow more, or ";
  AppendHello(arena_, limits_.memory, command_.options, &to_worker_);
  announced_bytes_ = arena_.bytes();
  const Clock::time_point end = Clock::now() + limits_.start_timeout;
  while (from_worker_.find('\n') == std::string::npos) {
    RequireTime();
    Write();
    pollfd polled[] = {{child_->output(), POLLIN, 0},
                       {errors_are_open_ ? child_->error() : -1, POLLIN, 0}};
    poll(polled, std::size(polled), static_cast<int>(kCheckInterval.count()));
    errors_are_open_ = Read(child_->error(), &errors_);
    if (!Read(child_->output(), &from_worker_)) {
      if (from_worker_.empty()) {
        const auto status = child_->Wait(kGrace);
        refuse(status ? "the worker ended before it said hello: " +
                            DescribeStatus(*status)
                      : "the worker closed its standard output before it said "
                        "hello",
               kRemedy);
      }
      from_worker_ += '\n';
    }
    if (from_worker_.size() > kLongestLine)
      refuse(ParseHello(from_worker_, &info_), kRemedy);
    if (Clock::now() > end)
      refuse(fmt::format("no hello from the worker within {} ms, which is what "
                         "--start-timeout allows",
                         limits_.start_timeout.count()),
             kMoreTime);
  }
  const size_t line = from_worker_.find('\n');
  const std::string_view hello = std::string_view(from_worker_).substr(0, line);
  if (const auto why = ParseRefusal(hello)) refuse(*why, kNone);
  const std::string wrong = ParseHello(hello, &info_);
  if (!wrong.empty()) refuse(wrong, kRemedy);
  from_worker_.erase(0, line + 1);
  if (process_ == 0) window_ = wanted_ = std::min(kWindow, most_unanswered());
  checked_ = running_since_ = Clock::now();
}

// With this many calls, the worker has the next batch when it is done with the
// largest one.
size_t WorkerExecutor::most_unanswered() const {
  return info_.batch > 1 ? 2 * static_cast<size_t>(info_.batch) : kWindow;
}

void WorkerExecutor::Submit(const PlacedCall& call) {
  if (!child_) {
    ++process_;
    Start();
  }
  Call& submitted = unanswered_.emplace_back(Call{++last_number_, {}});
  std::vector<PlacedTensor> constants;
  std::deque<Strides> strides;
  // Constants of a program stand in its text.
  static const std::vector<Attribute> kNone;
  for (const Attribute& attribute :
       call.program != nullptr ? kNone : call.op->attributes) {
    const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
    if (tensor == nullptr) continue;
    const size_t bytes = static_cast<size_t>(tensor->type().ByteSize());
    const Slot slot = arena_.Acquire(bytes);
    submitted.constants.push_back(slot);
    std::memcpy(slot.data, tensor->data(), bytes);
    strides.push_back(RowMajorStrides(tensor->type().shape));
    constants.push_back({&tensor->type(), &strides.back(), slot, slot.data});
  }
  if (arena_.bytes() > announced_bytes_) {
    announced_bytes_ = arena_.bytes();
    AppendGrow(announced_bytes_, &to_worker_);
  }
  if (alone_left_ == 0 || unanswered_.size() == 1) {
    AppendCall(submitted.number, call, constants, &to_worker_);
    if (to_worker_.size() >= kWriteBytes) Write();
  } else {
    AppendCall(submitted.number, call, constants, &held_.emplace_back());
  }
}

// After an answer, sends the next call, or all of them once none need run
// alone.
void WorkerExecutor::SendHeld() {
  if (alone_left_ > 0) --alone_left_;
  while (!held_.empty()) {
    to_worker_ += held_.front();
    held_.pop_front();
    if (alone_left_ > 0) break;
  }
}

Answer WorkerExecutor::Next() {
  if (answers_.empty() && !unanswered_.empty()) Pump(milliseconds(0));
  AdaptWindow(answers_.empty());
  while (answers_.empty()) {
    ASSAY_CHECK(!unanswered_.empty());
    Pump(kCheckInterval);
  }
  Answer answer = std::move(answers_.front().answer);
  answers_.pop_front();
  times_.Add(answer.seconds);
  return answer;
}

// The window grows by a quarter with every wait, and shrinks by an eighth
// without one.
void WorkerExecutor::AdaptWindow(bool must_wait) {
  if (must_wait) {
    without_wait_ = 0;
    wanted_ = std::min(wanted_ + wanted_ / 4, most_unanswered());
  } else if (++without_wait_ >= 2 * wanted_) {
    without_wait_ = 0;
    wanted_ =
        std::max(wanted_ - wanted_ / 8, std::min(kWindow, most_unanswered()));
    window_ = std::min(window_, wanted_);
  }
}

// Waits for the worker for at most `most`, and reads its output.
void WorkerExecutor::Pump(milliseconds most) {
  Write();
  pollfd polled[] = {{child_->output(), POLLIN, 0},
                     {errors_are_open_ ? child_->error() : -1, POLLIN, 0},
                     {to_worker_.empty() ? -1 : child_->input(), POLLOUT, 0}};
  const milliseconds wait = std::clamp(limits_.timeout / 10, milliseconds(1),
                                       milliseconds(kCheckInterval));
  poll(polled, std::size(polled),
       static_cast<int>(std::min(wait, most).count()));
  if (polled[1].revents != 0)
    errors_are_open_ = Read(child_->error(), &errors_);
  bool is_open = true;
  if (polled[0].revents != 0) is_open = Read(child_->output(), &from_worker_);
  TakeLines();
  if (!child_) return;
  if (!is_open) {
    Ended();
  } else if (Clock::now() - checked_ >= wait) {
    CheckLimits();
  }
}

void WorkerExecutor::Write() {
  while (!to_worker_.empty()) {
    const ssize_t written =
        write(child_->input(), to_worker_.data(), to_worker_.size());
    // That a worker has ended is detected when its answers are read.
    if (written < 0 && errno != EAGAIN && errno != EINTR)
      return to_worker_.clear();
    if (written < 0) return;
    to_worker_.erase(0, static_cast<size_t>(written));
  }
}

// Appends the available bytes. Returns false at the end of the stream.
bool WorkerExecutor::Read(int descriptor, std::string* text) {
  char buffer[kReadBytes];
  const ssize_t size = read(descriptor, buffer, sizeof(buffer));
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  text->append(buffer, static_cast<size_t>(size));
  if (text == &errors_ && errors_.size() > kKeptErrors)
    errors_.erase(0, errors_.size() - kKeptErrors);
  return size > 0;
}

void WorkerExecutor::TakeLines() {
  size_t start = 0;
  while (child_) {
    const size_t end = from_worker_.find('\n', start);
    if (end == std::string::npos) break;
    TakeAnswer(std::string_view(from_worker_).substr(start, end - start));
    start = end + 1;
  }
  if (!child_) return;
  from_worker_.erase(0, start);
  if (from_worker_.size() > kLongestLine) TakeAnswer(from_worker_);
}

void WorkerExecutor::TakeAnswer(std::string_view line) {
  // For a line that is not a valid answer, the call whose turn it is gets the
  // blame.
  const uint64_t expected =
      unanswered_.empty() ? 0 : unanswered_.front().number;
  std::optional<NumberedAnswer> parsed = ParseAnswer(line);
  if (const auto why = parsed ? std::nullopt : ParseEnd(line)) {
    // If a call that ran alone were asked again, it would have no answer again.
    return Fail(BegunBut(0) == 1 ? Running() : 0,
                {CallStatus::kError,
                 "the worker ends without an answer: " + Quote(*why),
                 {},
                 false});
  }
  if (!parsed) {
    return Fail(expected, {CallStatus::kError,
                           "the worker's answer is " + Quote(line) +
                               ", which is none of the protocol's",
                           {},
                           false});
  }
  if (parsed->number == expected) {
    ReleaseConstants(unanswered_.front());
    unanswered_.pop_front();
    deaths_in_a_row_ = 0;
    window_ = std::min(window_ + 1, wanted_);
    SendHeld();
    running_since_ = Clock::now();
    answers_.push_back({parsed->number, std::move(parsed->answer)});
    return;
  }
  const bool is_double = parsed->number != 0 && parsed->number < expected;
  Answer answer{CallStatus::kError, "", {}, false};
  if (!answers_.empty() && answers_.back().number == parsed->number) {
    answers_.back().answer = {
        CallStatus::kError, "the worker answered twice", {}, false};
    return Fail(0, answer);
  }
  answer.message = is_double ? "the worker answered an earlier call twice"
                             : "the worker answered out of order";
  Fail(expected, answer);
}

// Returns the number of the call that was running, or of the next one.
uint64_t WorkerExecutor::Running() const {
  const uint64_t started = arena_.worker_page()->started;
  const bool is_unanswered = std::ranges::any_of(
      unanswered_, [&](const Call& call) { return call.number == started; });
  if (is_unanswered) return started;
  return unanswered_.empty() ? 0 : unanswered_.front().number;
}

void WorkerExecutor::RequireTime() const {
  if (limits_.is_over && limits_.is_over()) throw Interrupted();
}

void WorkerExecutor::CheckLimits() {
  RequireTime();
  const Clock::time_point now = Clock::now();
  // While this process was busy elsewhere, the worker may have waited for it.
  if (now - checked_ > 2 * kCheckInterval)
    running_since_ = std::min(now, running_since_ + (now - checked_));
  checked_ = now;
  // A process that the backend started may hold the pipes of an ended worker
  // open.
  if (child_->Wait(milliseconds(0))) {
    for (size_t before = from_worker_.size() + 1;
         before != from_worker_.size();) {
      before = from_worker_.size();
      Read(child_->output(), &from_worker_);
    }
    TakeLines();
    if (child_ && !unanswered_.empty()) Ended();
    return;
  }
  if (const uint64_t running = Running(); running != seen_running_) {
    seen_running_ = running;
    running_since_ = now;
  }
  const int64_t resident = child_->ResidentBytes(limits_.memory);
  if (resident > limits_.memory) {
    return FailRunning({CallStatus::kMemory,
                        fmt::format("{} MiB resident, --memory allows {}",
                                    resident >> 20, limits_.memory >> 20),
                        {},
                        false});
  }
  if (now - running_since_ < limits_.timeout) return;
  FailRunning({CallStatus::kTimeout,
               fmt::format("no answer within {} ms", limits_.timeout.count()),
               {},
               false});
}

// Handles a worker whose standard output is closed.
void WorkerExecutor::Ended() {
  const volatile WorkerPage* page = arena_.worker_page();
  Answer answer{CallStatus::kCrash, "", {}, false};
  if (const auto status = child_->Wait(kGrace)) {
    answer.message = DescribeStatus(*status);
  } else {
    answer.message = "it closed its pipes";
  }
  if (page->fault_begin != 0)
    answer.fault = {page->fault_begin, page->fault_distance};
  if (page->out_of_memory != 0) {
    answer.status = CallStatus::kMemory;
    answer.message += ", for want of memory";
  }
  Read(child_->error(), &errors_);
  answer.message += LastWords(errors_);
  // The first time, nobody is blamed for a death between two calls, and all are
  // asked again. After that the next call is blamed, so that the deaths are
  // seen.
  const bool is_between = Running() != page->started && idle_deaths_ == 0;
  if (!is_between) return FailRunning(std::move(answer));
  ++idle_deaths_;
  Fail(0, std::move(answer));
}

void WorkerExecutor::FailRunning(Answer answer) {
  const uint64_t first = arena_.worker_page()->started;
  const uint64_t last = arena_.worker_page()->last_started;
  const auto in_flight =
      std::ranges::count_if(unanswered_, [&](const Call& call) {
        return call.number >= first && call.number <= last;
      });
  Fail(in_flight <= 1 ? Running() : 0, std::move(answer));
}

size_t WorkerExecutor::BegunBut(uint64_t blamed) const {
  const volatile WorkerPage* page = arena_.worker_page();
  const uint64_t first = page->started, last = page->last_started;
  return static_cast<size_t>(
      std::ranges::count_if(unanswered_, [&](const Call& call) {
        return call.number <= std::max(first, last) && call.number != blamed;
      }));
}

void WorkerExecutor::Fail(uint64_t blamed, Answer answer) {
  last_death_ = answer.message;
  child_.reset();
  ++deaths_in_a_row_;
  window_ = kWindowAfterDeath;
  held_.clear();
  if (blamed != 0 && alone_left_ > 0) --alone_left_;
  alone_left_ = std::max(alone_left_, BegunBut(blamed));
  answer.ended_process = true;
  for (const Call& call : unanswered_) {
    ReleaseConstants(call);
    const bool is_blamed = call.number == blamed;
    answers_.push_back(
        {call.number,
         is_blamed ? answer : Answer{CallStatus::kLost, "", {}, false}});
  }
  unanswered_.clear();
}

void WorkerExecutor::ReleaseConstants(const Call& call) {
  for (const Slot& slot : call.constants) arena_.Release(slot);
}

}  // namespace assay
