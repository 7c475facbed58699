// assay-worker: a process that hosts one plugin and speaks PROTOCOL.md.
//
// It does not defend itself: a fault, a hang or an exit of the plugin is the
// end of this process, and the runner knows which call was in flight.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include "backends/guarded_call.h"
#include "backends/loader.h"
#include "backends/worker/call_reader.h"
#include "backends/worker/shared_memory.h"
#include "backends/worker_messages.h"

namespace assay {
namespace {

namespace dom = simdjson::dom;

constexpr int kMostCollected = 32;  // answers, before they are written

class Host {
 public:
  // `input`, `output`: the descriptors of messages and answers.
  Host(std::string spec, int input, int output)
      : spec_(std::move(spec)), input_(input), output_(output) {}

  // Takes messages until there are no more. The exit status.
  int Serve() {
    std::string text;
    std::array<char, size_t{64} << 10> buffer;
    while (true) {
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
          Write();
          throw;
        }
        if (collected_ == kMostCollected) Write();
      }
      text.erase(0, start);
      Write();
    }
  }

 private:
  void Take(const std::string& line) {
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

  void Hello(const dom::object& hello) {
    std::string_view path;
    int64_t protocol = 0, limit = 0;
    if (hello["protocol"].get(protocol) != simdjson::SUCCESS ||
        protocol != kProtocol ||
        hello["memory"].get(path) != simdjson::SUCCESS ||
        hello["limit"].get(limit) != simdjson::SUCCESS)
      Refuse(fmt::format("assay-worker speaks protocol {}", kProtocol));
    try {
      backend_ = Backend::Load(spec_);
      backend_->Configure(OptionsOf(hello));
    } catch (const BackendError& e) {
      Refuse(e.what());
    }
    memory_ = std::make_unique<SharedMemory>(std::string(path), limit);
    calls_ = std::make_unique<CallReader>(memory_.get());
    out_ += fmt::format(
        R"({{"hello":{{"protocol":{},"name":{},"version":{},"validates":{},"validates_pointwise":{},)"
        R"("over_read_bytes":{}}}}})"
        "\n",
        kProtocol, JsonString(backend_->abi().name),
        JsonString(backend_->abi().version), backend_->validates(),
        backend_->validates_pointwise(), backend_->abi().over_read_bytes);
  }

  [[noreturn]] void Refuse(const std::string& why) {
    out_ += fmt::format("{{\"error\":{}}}\n", JsonString(why));
    Write();
    std::exit(1);
  }

  static std::map<std::string, std::string> OptionsOf(
      const dom::object& hello) {
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

  void Run(uint64_t number, const dom::object& message) {
    // First: whatever comes of looking at the call is the call's.
    memory_->page()->started = number;
    std::string text;
    const char* status = "error";
    const FloatEnvironment before = FloatEnvironment::Current();
    try {
      const std::unique_ptr<AbiCall> call = calls_->Read(message);
      status = NameOf(backend_->Run(call->abi(), &text), &text);
    } catch (const ProtocolError&) {
      throw;
    } catch (const std::bad_alloc&) {
      status = "memory";
      text = "no memory for the call";
    } catch (const std::exception& e) {
      status = "crash";
      text = fmt::format("an exception left the call: {}", e.what());
    } catch (...) {
      status = "crash";
      text = "an exception left the call";
    }
    // A plugin that closed the channels must not get another call: the blame
    // would be on that one.
    if (fcntl(output_, F_GETFD) < 0 || fcntl(input_, F_GETFD) < 0) _exit(1);
    const bool changed = before != FloatEnvironment::Current();
    before.Restore();
    fmt::format_to(std::back_inserter(out_), R"({{"call":{},"status":"{}")",
                   number, status);
    if (!text.empty())
      fmt::format_to(std::back_inserter(out_), R"(,"message":{})",
                     JsonString(text));
    if (changed) out_ += R"(,"environment_changed":true)";
    out_ += "}\n";
    ++collected_;
  }

  static const char* NameOf(int32_t status, std::string* text) {
    switch (status) {
      case ASSAY_OK:
        text->clear();
        return "ok";
      case ASSAY_UNSUPPORTED:
        return "unsupported";
      case ASSAY_INVALID:
        return "invalid";
      default:
        *text = fmt::format("status {}: {}", status, *text);
        return "error";
    }
  }

  void Write() {
    for (size_t done = 0; done < out_.size();) {
      const ssize_t size =
          write(output_, out_.data() + done, out_.size() - done);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) std::exit(1);  // the runner is gone
      done += static_cast<size_t>(size);
    }
    out_.clear();
    collected_ = 0;
  }

  std::string spec_;
  int input_, output_;
  std::string out_;
  int collected_ = 0;
  dom::parser parser_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SharedMemory> memory_;
  std::unique_ptr<CallReader> calls_;
};

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr,
               "usage: assay-worker BACKEND\nHosts a plugin for `assay`, which "
               "starts it: backends/PROTOCOL.md.\n");
    return 2;
  }
  // A plugin that reads or prints must not do so in the protocol, nor must what
  // it starts.
  const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  try {
    return assay::Host(argv[1], input, output).Serve();
  } catch (const assay::ProtocolError& e) {
    fmt::print(stderr, "assay-worker: {}\n", e.what());
  } catch (const std::system_error& e) {
    fmt::print(stderr, "assay-worker: {}\n", e.what());
  }
  return 1;
}
