// The host does not defend itself: a fault, a hang or an exit of the plugin
// ends this process, and the runner knows which call was in flight.
#include "backends/worker/host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <system_error>
#include <utility>

#include "backends/host/watched_call.h"
#include "backends/host/worker_messages.h"
#include "spec/json_string.h"

namespace assay {
namespace {

namespace dom = simdjson::dom;

// This many calls run together on a device. The hello message announces it as
// `batch`.
constexpr size_t kMostTogether = 512;
constexpr int kMostCollected = 32;  // answers, before they are written
// A worker that takes many calls at a time has a pipe of this size for
// messages.
constexpr int kPipeBytes = 1 << 20;

std::map<std::string, std::string> OptionsOf(const dom::object& hello) {
  std::map<std::string, std::string> options;
  dom::object given;
  if (hello["options"].get(given) != simdjson::SUCCESS) return options;
  for (const auto& [key, value] : given) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS)
      throw ProtocolError("an option is a text");
    options[std::string(key)] = text;
  }
  return options;
}

}  // namespace

Host::Host(std::string spec, int input, int output, PluginParts parts)
    : spec_(std::move(spec)),
      input_(input),
      output_(output),
      parts_(std::move(parts)) {}

int Host::Serve() {
  std::string text;
  std::array<char, size_t{64} << 10> buffer;
  while (true) {
    // Calls that have arrived run together, and none waits for another.
    if (device_calls_ && !HasInput()) RunCollected();
    const ssize_t size = read(input_, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0 ? 0 : 1;
    text.append(buffer.data(), static_cast<size_t>(size));
    size_t start = 0;
    for (size_t end; (end = text.find('\n', start)) != std::string::npos;
         start = end + 1) {
      try {
        Take(text.substr(start, end - start));
      } catch (const ProtocolError&) {
        if (device_calls_) RunCollected();
        Write();
        throw;
      }
      if (collected_ >= kMostCollected) Write();
    }
    text.erase(0, start);
    Write();
  }
}

void Host::Take(const std::string& line) {
  dom::object message;
  const simdjson::error_code error = parser_.parse(line).get(message);
  if (error == simdjson::MEMALLOC) throw ProtocolError("out of memory");
  if (error != simdjson::SUCCESS)
    throw ProtocolError("not JSON: " + Quote(line));
  uint64_t number = 0;
  dom::object hello;
  if (message["call"].get(number) == simdjson::SUCCESS) {
    if (!backend_) throw ProtocolError("a call before the hello");
    Run(number, message);
  } else if (message["hello"].get(hello) == simdjson::SUCCESS) {
    Hello(hello);
  } else if (message["grow"].get(number) != simdjson::SUCCESS) {
    throw ProtocolError("an unknown message: " + Quote(line));
  }
}

void Host::Hello(const dom::object& hello) {
  std::string_view path;
  int64_t protocol = 0, limit = 0;
  if (hello["protocol"].get(protocol) != simdjson::SUCCESS ||
      protocol != kProtocol || hello["memory"].get(path) != simdjson::SUCCESS ||
      hello["limit"].get(limit) != simdjson::SUCCESS)
    Refuse(fmt::format("assay-worker speaks protocol {}", kProtocol));
  std::unique_ptr<DeviceDriver> device;
  try {
    backend_ = parts_.load(spec_);
    backend_->Configure(OptionsOf(hello));
    backend_->Start();
    if (!backend_->is_on_host())
      device = parts_.open_device(backend_->device());
  } catch (const BackendError& e) {
    // The runner adds the name of the backend itself.
    const std::string why = e.what(), name = BackendErrorPrefix(spec_);
    Refuse(why.starts_with(name) ? why.substr(name.size()) : why);
  } catch (const DeviceError& e) {
    Refuse(e.what());
  }
  // The driver of a device reserves address space without using it.
  if (device) limit = INT64_MAX;
  memory_ = std::make_unique<SharedMemory>(std::string(path), limit);
  reader_ =
      std::make_unique<CallReader>(memory_.get(), backend_->reads_functions());
  state_ =
      std::make_unique<ProcessState>(std::vector<int>{memory_->descriptor()});
  std::string batch;
  if (device) {
    batch = fmt::format(R"(,"batch":{})", kMostTogether);
    const auto note = [this](uint64_t first, uint64_t last) {
      NoteStarted(first, last);
    };
    device_calls_ = std::make_unique<DeviceCalls>(
        backend_.get(), std::move(device),
        DeviceCalls::Options{WatchExceptions, kMostTogether, note});
    // If the system refuses this size, fewer calls are in the pipe at a time.
    fcntl(input_, F_SETPIPE_SZ, kPipeBytes);
  }
  out_ += fmt::format(
      R"({{"hello":{{"protocol":{},"name":{},"version":{},"validates":{},"validates_pointwise":{},)"
      R"("validates_movement":{},)"
      R"("over_read_bytes":{},"calls":{},"programs":{},"verifies":{}{}}}}})"
      "\n",
      kProtocol, JsonString(backend_->abi().name),
      JsonString(backend_->abi().version), backend_->validates(),
      backend_->validates_pointwise(), backend_->validates_movement(),
      backend_->abi().over_read_bytes, backend_->runs_calls(),
      backend_->runs_programs(), backend_->verifies(), batch);
}

void Host::Refuse(const std::string& why) {
  out_ += fmt::format("{{\"error\":{}}}\n", JsonString(why));
  Write();
  std::exit(1);
}

void Host::Run(uint64_t number, const dom::object& message) {
  if (device_calls_ && message["op"].error() == simdjson::SUCCESS)
    return RunOnDevice(number, message);
  if (device_calls_) RunCollected();
  // This is set first, so that the call gets the blame for anything that
  // happens while it is read.
  NoteStarted(number, number);
  std::unique_ptr<AbiCall> call;
  NumberedAnswer answer = {number, {}};
  try {
    call = reader_->Read(message);
  } catch (const std::bad_alloc&) {
    answer.answer = {CallStatus::kMemory, "no memory for the call", {}, false};
  }
  if (call) answer.answer = RunWatched(*backend_, call.get(), WatchExceptions);
  Tell({&answer, 1});
}

void Host::RunOnDevice(uint64_t number, const dom::object& message) {
  std::vector<NumberedAnswer> answers;
  DeviceCalls::Call call;
  call.number = number;
  NoteStarted(device_calls_->empty() ? number : device_calls_->first(), number);
  try {
    call.abi = reader_->Read(message, &call.operands);
    uint64_t guard = 0;
    if (message["guard"].get(guard) == simdjson::SUCCESS)
      call.guard_bytes = std::min(size_t{guard}, kGuardBytes);
  } catch (const std::bad_alloc&) {
    call.abi.reset();
    device_calls_->Run(&answers);
    answers.push_back(
        {number, {CallStatus::kMemory, "no memory for the call", {}, false}});
  }
  if (call.abi) device_calls_->Take(std::move(call), &answers);
  Tell(answers);
  // Answers are written before other calls run, so that they are not lost with
  // them.
  if (!answers.empty()) Write();
}

// The last number is written first: a reader in between sees too many calls in
// flight, not too few.
void Host::NoteStarted(uint64_t first, uint64_t last) {
  memory_->page()->last_started = last;
  memory_->page()->started = first;
}

void Host::RunCollected() {
  std::vector<NumberedAnswer> answers;
  device_calls_->Run(&answers);
  Tell(answers);
  Write();
}

bool Host::HasInput() const {
  pollfd polled = {input_, POLLIN, 0};
  return poll(&polled, 1, 0) > 0 && (polled.revents & POLLIN) != 0;
}

void Host::Tell(std::span<const NumberedAnswer> answers) {
  if (answers.empty()) return;
  if (collected_ == 0) first_collected_ = answers.front().number;
  last_collected_ = answers.back().number;
  for (const NumberedAnswer& answer : answers) AppendAnswer(answer, &out_);
  collected_ += static_cast<int>(answers.size());
}

// A plugin that lowered a limit, or the like, must not take the next calls down
// with it. If there were several calls, it is not known which one did it, and
// the later ones ran in the changed process: their answers are dropped, and
// they are run again one at a time.
void Host::EndIfChanged() {
  if (collected_ == 0) return;
  // A plugin that closed the channels must not get another call, which would be
  // blamed. If there were several calls, none is blamed, as if they had run
  // together.
  if (fcntl(output_, F_GETFD) < 0 || fcntl(input_, F_GETFD) < 0) {
    if (collected_ > 1) NoteStarted(first_collected_, last_collected_);
    _exit(1);
  }
  if (const uint64_t bytes = memory_->address_space(); bytes != 0)
    state_->AllowAddressSpace(bytes);
  const ProcessState::Found found = state_->Restore();
  if (found == ProcessState::Found::kSame ||
      (found == ProcessState::Found::kRestored && collected_ == 1))
    return;
  if (collected_ > 1) out_.clear();
  out_ += R"({"end":"a call left the process changed"})"
          "\n";
  collected_ = 0;
  Write();
  std::fflush(nullptr);
  _exit(0);
}

void Host::Write() {
  EndIfChanged();
  for (size_t done = 0; done < out_.size();) {
    const ssize_t size = write(output_, out_.data() + done, out_.size() - done);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) std::exit(1);  // The runner is gone.
    done += static_cast<size_t>(size);
  }
  out_.clear();
  collected_ = 0;
}

int ServeAsWorker(int argc, char** argv, PluginParts parts) {
  if (argc != 2) {
    fmt::print(stderr,
               "usage: assay-worker BACKEND\nHosts a plugin for `assay`, which "
               "starts it: backends/PROTOCOL.md.\n");
    return 2;
  }
  // A plugin that reads or prints must not do so in the protocol, nor must
  // processes that it starts.
  const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  Host host(argv[1], input, output, std::move(parts));
  try {
    return host.Serve();
  } catch (const ProtocolError& e) {
    fmt::print(stderr, "assay-worker: {}\n", e.what());
  } catch (const std::system_error& e) {
    fmt::print(stderr, "assay-worker: {}\n", e.what());
  } catch (const DeviceError& e) {
    // The exit handlers of the plugin and the driver would need the device.
    fmt::print(stderr, "{}\n", e.what());
    std::fflush(stderr);
    _exit(1);
  }
  return 1;
}

}  // namespace assay
