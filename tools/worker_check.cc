// The command `assay worker-test` checks a worker against those rules of
// backends/PROTOCOL.md that calls of `add` can show. The calls are on i32,
// which most workers have; a worker that declines it is checked on the other
// rules, and the report says so.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "backends/host/open.h"
#include "backends/host/worker_messages.h"
#include "cases/run/memory.h"
#include "reports/print.h"
#include "tools/command.h"
#include "tools/limit_flags.h"

namespace assay {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int64_t kMemoryLimit = int64_t{4} << 30;

// This is thrown when the worker breaks the protocol.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// This is thrown when the worker declines a call that a rule needs, so that
// nothing is shown.
class Declined : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Holds a conversation, line by line, with one process of the worker.
class Talk {
 public:
  // The first line may take as long as the worker's start does.
  Talk(const WorkerCommand& command, const WorkerLimits& limits)
      : child_(command.words, command.is_supervised
                                  ? ChildProcess::Kind::kSupervisor
                                  : ChildProcess::Kind::kPlain),
        patience_(limits.start_timeout),
        later_(limits.timeout) {}

  void Send(std::string line) {
    if (line.back() != '\n') line += '\n';
    const Clock::time_point end = Clock::now() + patience_;
    while (!line.empty()) {
      // The worker may block until its answers are read.
      Take(milliseconds(0));
      const ssize_t size = write(child_.input(), line.data(), line.size());
      if (size > 0) line.erase(0, static_cast<size_t>(size));
      if (size < 0 && errno != EAGAIN)
        throw Broken("it closed its input" + LastWords(errors_));
      if (size < 0) Take(milliseconds(1));
      if (Clock::now() > end) throw Broken("it does not read its input");
    }
  }

  // Returns the next line; nullopt at the end of the stream.
  std::optional<std::string> Receive() {
    const Clock::time_point end = Clock::now() + patience_;
    size_t line = 0;
    while ((line = text_.find('\n')) == std::string::npos) {
      if (!open_) return std::nullopt;
      if (Clock::now() > end)
        throw Broken(fmt::format("no {} within {} ms",
                                 has_answered_ ? "answer" : "hello",
                                 patience_.count()));
      Take(milliseconds(10));
    }
    const std::string first = text_.substr(0, line);
    text_.erase(0, line + 1);
    has_answered_ = true;
    patience_ = later_;
    return first;
  }

  BackendInfo Hello(const std::map<std::string, std::string>& options) {
    std::string line;
    AppendHello(arena_, kMemoryLimit, options, &line);
    Send(line);
    announced_ = arena_.bytes();
    const auto answer = Receive();
    if (!answer) throw Broken("it ended without a hello" + LastWords(errors_));
    BackendInfo info;
    const std::string why = ParseHello(*answer, &info);
    if (!why.empty()) throw Broken(why);
    over_read_ = info.over_read_bytes;
    return info;
  }

  void Call(uint64_t number, const PlacedCall& call) {
    std::string lines;
    if (arena_.bytes() > announced_) AppendGrow(arena_.bytes(), &lines);
    announced_ = arena_.bytes();
    AppendCall(number, call, {}, &lines);
    Send(lines);
  }

  Answer Expect(uint64_t number) {
    const auto line = Receive();
    if (!line)
      throw Broken("it ended instead of answering" + LastWords(errors_));
    const auto answer = ParseAnswer(*line);
    if (!answer) throw Broken("its answer is " + Quote(*line));
    if (answer->number != number)
      throw Broken(fmt::format("it answered call {} when {} was due",
                               answer->number, number));
    return answer->answer;
  }

  // Ends the input. Returns the exit status.
  int End() {
    child_.CloseInput();
    if (const auto rest = Receive())
      throw Broken("after its last answer it printed " + Quote(*rest));
    const auto status = child_.Wait(patience_);
    if (!status) throw Broken("it does not exit when its input ends");
    return *status;
  }

  bool SaidSomething() {
    Take(milliseconds(0));
    return !errors_.empty();
  }
  Arena& arena() { return arena_; }
  size_t over_read() const { return static_cast<size_t>(over_read_); }

  // A hello must be refused with an error before the worker ends.
  void ExpectRefusal() {
    const auto line = Receive();
    const auto json = nlohmann::json::parse(line.value_or(""), nullptr, false);
    if (!json.is_object() || !json.contains("error"))
      throw Broken(fmt::format("it answered {} and not an error",
                               Quote(line.value_or(""))));
    const int status = End();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      throw Broken("it ended with status 0");
  }

 private:
  void Take(milliseconds wait) {
    pollfd polled[] = {{open_ ? child_.output() : -1, POLLIN, 0},
                       {child_.error(), POLLIN, 0}};
    poll(polled, 2, static_cast<int>(wait.count()));
    char buffer[4096];
    if (open_ && polled[0].revents != 0) {
      const ssize_t size = read(child_.output(), buffer, sizeof(buffer));
      if (size > 0) text_.append(buffer, static_cast<size_t>(size));
      if (size == 0) open_ = false;
    }
    const ssize_t size = read(child_.error(), buffer, sizeof(buffer));
    if (size > 0) errors_.append(buffer, static_cast<size_t>(size));
  }

  ChildProcess child_;
  milliseconds patience_, later_;
  bool has_answered_ = false;
  Arena arena_;
  uint64_t announced_ = 0, over_read_ = 0;
  std::string text_, errors_;
  bool open_ = true;
};

// Calls `add` on i32, with operands of the given layouts.
class Add {
 public:
  Add(Talk* talk, const Shape& shape, const Layout& lhs, const Layout& rhs,
      Side side, const std::string& op = "add")
      : type_{shape, ElementType::kI32} {
    op_.op = op;
    for (const Layout& layout : {lhs, rhs, Layout::RowMajor(shape)}) {
      layouts_.push_back(layout);
      buffers_.emplace_back(&talk->arena(), type_, layout, side,
                            talk->over_read());
    }
    for (size_t operand : {0, 1}) {
      Tensor& values = operands_.emplace_back(type_);
      for (int64_t i = 0; i < values.size(); ++i)
        values.SetBits(i, static_cast<uint64_t>(ValueAt(operand, i)));
      buffers_[operand].Write(values);
    }
    buffers_[2].Fill(GuardedBuffer::kFillA);
    for (size_t i = 0; i < 3; ++i) {
      std::vector<PlacedTensor>& list = i < 2 ? call_.inputs : call_.outputs;
      list.push_back({&type_, &layouts_[i].strides, buffers_[i].slot(),
                      buffers_[i].element0()});
    }
    call_.op = &op_;
  }
  Add(const Add&) = delete;
  Add& operator=(const Add&) = delete;

  const PlacedCall& call() const { return call_; }
  Op& op() { return op_; }

  // Throws Broken unless the result is right and no other memory was changed.
  void Check(const Answer& answer) const {
    if (answer.status == CallStatus::kUnsupported)
      throw Declined(answer.message);
    if (answer.status != CallStatus::kOk)
      throw Broken("it did not answer ok: " + answer.message);
    const Tensor result = buffers_[2].Read();
    for (int64_t i = 0; i < result.size(); ++i) {
      if (result.Bits(i) !=
          static_cast<uint64_t>(ValueAt(0, i) + ValueAt(1, i)))
        throw Broken(fmt::format("element {} of the result is wrong", i));
    }
    for (size_t i = 0; i < 3; ++i) {
      const std::string violation = buffers_[i].CheckGuards();
      if (!violation.empty()) throw Broken(violation);
      if (i < 2 && !buffers_[i].Holds(operands_[i]))
        throw Broken("it changed an input");
    }
  }

 private:
  // The value is constant along dimensions of stride 0, where elements share
  // memory.
  int64_t ValueAt(size_t operand, int64_t i) const {
    const bool is_broadcast = layouts_[operand].strides.size() == 2 &&
                              layouts_[operand].strides[1] == 0;
    return (operand == 0 ? 10 : 1000) + (is_broadcast ? 0 : i);
  }

  TensorType type_;
  Op op_;
  std::deque<Layout> layouts_;
  std::deque<GuardedBuffer> buffers_;
  std::vector<Tensor> operands_;
  PlacedCall call_;
};

class WorkerCheck {
 public:
  WorkerCheck(WorkerCommand command, const LimitFlags& limits)
      : command_(std::move(command)) {
    limits.Fill(&limits_);
  }

  int Run() {
    Rule("says hello and ends with status 0", [&] {
      Talk talk(command_, limits_);
      const BackendInfo info = talk.Hello(command_.options);
      name_ = fmt::format("{} {}", info.name, info.version);
      ExpectStatus(talk.End(), true);
    });
    if (broken_ > 0) return Finish();
    Rule("answers a call alone", [&] {
      Talk talk(command_, limits_);
      talk.Hello(command_.options);
      Add add(&talk, {5}, Layout::RowMajor({5}), Layout::RowMajor({5}),
              Side::kTightBehind);
      talk.Call(7, add.call());
      const Answer answer = talk.Expect(7);
      has_add_ = answer.status == CallStatus::kOk;
      if (has_add_) add.Check(answer);
      if (!has_add_ && answer.status != CallStatus::kUnsupported)
        throw Broken("it neither ran add on i32 nor declined it");
      ExpectStatus(talk.End(), true);
    });
    Rule("writes the number of the call that it runs", [&] {
      Talk talk(command_, limits_);
      talk.Hello(command_.options);
      Simple(&talk, 41);
      if (talk.arena().worker_page()->started != 41)
        throw Broken("the first eight bytes of the shared memory are not 41");
    });
    Rule("answers 300 pipelined calls in order, each once",
         [&] { Pipeline(); });
    Rule("declines an op that it does not know", [&] {
      Declines([](Add* add) { add->op().op = "assay.no_such_op"; });
    });
    Rule("declines an attribute that it does not know", [&] {
      Declines([](Add* add) {
        add->op().attributes.push_back(
            {"assay_no_such_attribute", Symbol{"X"}});
      });
    });
    WithAdd("walks negative strides and an offset", {4}, {{-2}, 7}, {{1}, 0});
    WithAdd("walks stride 0 and gaps", {3, 4}, {{0, 0}, 0}, {{9, 2}, 0});
    WithAdd("takes a tensor without elements", {0, 4}, {{4, 1}, 0},
            {{4, 1}, 0});
    WithAdd("takes rank 0", {}, {{}, 0}, {{}, 0});
    WithAdd("maps the memory again when it has grown", {int64_t{3} << 20},
            {{1}, 0}, {{1}, 0});
    Rule("refuses an option that it does not know", [&] {
      Talk talk(command_, limits_);
      auto options = command_.options;
      options["assay_no_such_option"] = "1";
      std::string hello;
      AppendHello(talk.arena(), kMemoryLimit, options, &hello);
      talk.Send(hello);
      talk.ExpectRefusal();
    });
    Rule("refuses another protocol", [&] { RefusesProtocol(); });
    Rule("answers what came before a line that is no message, then ends", [&] {
      Talk talk(command_, limits_);
      talk.Hello(command_.options);
      Add add(&talk, {5}, Layout::RowMajor({5}), Layout::RowMajor({5}),
              Side::kTightBehind);
      std::string lines;
      AppendCall(1, add.call(), {}, &lines);
      talk.Send(lines + "this is no message\n");
      talk.Expect(1);
      ExpectStatus(talk.End(), false);
      if (!talk.SaidSomething())
        throw Broken("it said nothing on standard error");
    });
    return Finish();
  }

 private:
  void Rule(const char* rule, const std::function<void()>& check) {
    ++rules_;
    std::string mark = "ok", why;
    try {
      check();
    } catch (const Declined& e) {
      ++not_shown_;
      mark = "-";
      why = fmt::format(": not shown, declined: {}", e.what());
    } catch (const Broken& e) {
      ++broken_;
      mark = "BROKEN";
      why = fmt::format(": {}", e.what());
    }
    PrintText("{:<7} {}{}\n", mark, rule, why);
    std::fflush(stdout);
  }

  void WithAdd(const char* rule, const Shape& shape, const Layout& lhs,
               const Layout& rhs) {
    Rule(rule, [&] {
      Talk talk(command_, limits_);
      talk.Hello(command_.options);
      uint64_t number = 0;
      for (const Side side : {Side::kTightBehind, Side::kTightInFront}) {
        Add add(&talk, shape, lhs, rhs, side);
        talk.Call(++number, add.call());
        add.Check(talk.Expect(number));
      }
    });
  }

  static void ExpectStatus(int status, bool is_success) {
    const bool succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (succeeded != is_success)
      throw Broken(
          fmt::format("it ended otherwise: {}", DescribeStatus(status)));
  }

  static void Simple(Talk* talk, uint64_t number) {
    Add add(talk, {5}, Layout::RowMajor({5}), Layout::RowMajor({5}),
            Side::kTightBehind);
    talk->Call(number, add.call());
    talk->Expect(number);
  }

  void Pipeline() {
    constexpr uint64_t kCalls = 300;
    Talk talk(command_, limits_);
    talk.Hello(command_.options);
    std::deque<Add> adds;
    for (uint64_t number = 1; number <= kCalls; ++number) {
      adds.emplace_back(&talk, Shape{5}, Layout::RowMajor({5}),
                        Layout::RowMajor({5}), Side::kTightBehind);
      talk.Call(number, adds.back().call());
    }
    for (uint64_t number = 1; number <= kCalls; ++number) {
      const Answer answer = talk.Expect(number);
      if (has_add_) adds[number - 1].Check(answer);
    }
    ExpectStatus(talk.End(), true);
  }

  void Declines(const std::function<void(Add*)>& change) {
    Talk talk(command_, limits_);
    talk.Hello(command_.options);
    Add add(&talk, {5}, Layout::RowMajor({5}), Layout::RowMajor({5}),
            Side::kTightBehind);
    change(&add);
    talk.Call(1, add.call());
    if (talk.Expect(1).status != CallStatus::kUnsupported)
      throw Broken("its status is not unsupported");
    Simple(&talk, 2);
  }

  void RefusesProtocol() {
    Talk talk(command_, limits_);
    std::string hello;
    AppendHello(talk.arena(), kMemoryLimit, command_.options, &hello);
    const std::string version = fmt::format("\"protocol\":{}", kProtocol);
    hello.replace(hello.find(version), version.size(), "\"protocol\":999");
    talk.Send(hello);
    talk.ExpectRefusal();
  }

  int Finish() const {
    PrintText("{}: {} rules, {} broken, {} not shown\n",
              name_.empty() ? command_.spec : name_, rules_, broken_,
              not_shown_);
    return broken_ == 0 ? kExitOk : kExitFindings;
  }

  WorkerCommand command_;
  WorkerLimits limits_;
  std::string name_;
  bool has_add_ = false;
  int rules_ = 0, broken_ = 0, not_shown_ = 0;
};

}  // namespace

void RegisterWorkerTest(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "worker-test", "Check a worker against the protocol of workers");
  struct Flags {
    std::string command;
    LimitFlags limits{"10s"};
  };
  auto flags = std::make_shared<Flags>();
  command
      ->add_option("COMMAND", flags->command,
                   "A shell command, or python:NAME, or plugin:PATH.so, which "
                   "assay-worker hosts")
      ->required();
  flags->limits.AddTo(*command);
  command->callback([flags, exit_code] {
    const std::string& text = flags->command;
    const bool is_plugin = text.starts_with("plugin:");
    const WorkerCommand worker =
        FindWorker(is_plugin ? text.substr(7)
                   : text.starts_with("python:") || text.starts_with("cmd:")
                       ? text
                       : "cmd:" + text);
    *exit_code = WorkerCheck(worker, flags->limits).Run();
  });
}

}  // namespace assay
