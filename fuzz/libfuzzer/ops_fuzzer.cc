// Engine 2 of the fuzzer is libFuzzer on the generator's choices, with one
// backend in this process, and the runner's verdict instead of a crash.
//
//   ASSAY_FUZZ_BACKEND   the backend; default simd
//   ASSAY_FUZZ_OPS       globs over op ids, with commas; default all
//   ASSAY_FUZZ_FINDINGS  a folder for the findings, a case file for each
//                        signature. With it the search goes on;
//   ASSAY_FUZZ_ABORT     .. 1: it does not. Without a folder it ends with the
//                        first, as services that collect crashes expect;
//                        0: it does not
//   ASSAY_FUZZ_STOP      1: it ends without an error at the first, and says
//                        after how many cases, which measures an engine
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "backends/host/open.h"
#include "cases/run/runner.h"
#include "fuzz/campaign/finding.h"
#include "fuzz/campaign/mutate.h"
#include "fuzz/draw/draw.h"
#include "fuzz/libfuzzer/wrong_op.h"
#include "spec/digest.h"
#include "spec/error.h"
#include "spec/policy.h"
#include "spec/printable_text.h"

extern "C" {
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
// A sanitizer defines this function; without one it is null.
[[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
// Recording where memory was allocated costs an eighth of the time; users who
// need more frames set them in ASAN_OPTIONS.
const char* __asan_default_options() {
  return "malloc_context_size=1:quarantine_size_mb=32";
}
}

namespace assay {
namespace {

// A thousand small cases are worth more than a large one. Larger sizes are
// tested by engine 1 and the suite.
constexpr int64_t kMostElements = 300;
// One in so many cases has a run B, chosen by its bytes, so that a file means
// the same each time.
constexpr size_t kRunBEvery = 8;

std::string Setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

DrawOptions OptionsFromEnvironment() {
  DrawOptions options;
  options.enumerates = false;
  options.only_pointwise_violations = true;
  options.most_elements = kMostElements;
  const std::string ops = Setting("ASSAY_FUZZ_OPS");
  for (size_t begin = 0; begin < ops.size();) {
    const size_t end = std::min(ops.find(',', begin), ops.size());
    options.ops.push_back(ops.substr(begin, end - begin));
    begin = end + 1;
  }
  return options;
}

class Search {
 public:
  Search()
      : stops_(Setting("ASSAY_FUZZ_STOP") == "1"),
        folder_(Setting("ASSAY_FUZZ_FINDINGS")),
        aborts_(folder_.empty() ? Setting("ASSAY_FUZZ_ABORT") != "0"
                                : Setting("ASSAY_FUZZ_ABORT") == "1"),
        generator_(OptionsFromEnvironment()) {
    const std::string backend = Setting("ASSAY_FUZZ_BACKEND");
    OpenOptions open;
    open.in_process = true;
    executor_ = OpenBackend(backend.empty() ? "simd" : backend, open);
    runner_ = std::make_unique<Runner>(executor_.get(), policy_);
  }

  // The object is never destroyed, because plugins may have handlers that run
  // at the exit.
  static Search& Get() {
    static Search* const search = new Search();
    return *search;
  }

  Generator* generator() { return &generator_; }

  void Judge(std::span<const uint8_t> bytes) {
    // By the first execution, libFuzzer has set its own callback, so this one
    // stays.
    if (++executions_ == 1 && stops_ && &__sanitizer_set_death_callback)
      __sanitizer_set_death_callback([] { Get().Stop(); });
    const Recording recording = Recording::Decode(bytes);
    Choices choices(&recording);
    Drawn drawn = generator_.Draw(&choices);
    drawn.c.name = drawn.c.op + "/fuzzed";
    Case c = ToJudge(drawn);
    c.runs_twice =
        std::hash<std::string_view>()(
            {reinterpret_cast<const char*>(bytes.data()), bytes.size()}) %
            kRunBEvery ==
        0;
    const Verdict verdict = JudgeUnlessLost(c);
    if (!IsFinding(verdict)) return;
    if (stops_) Stop();
    const std::string signature = SignatureOf(verdict, c);
    if (seen_.insert(signature).second) Tell(drawn, verdict, signature);
  }

 private:
  // A loss of the backend ends the search, and is no crash of the input that is
  // tried next.
  Verdict JudgeUnlessLost(const Case& c) {
    try {
      return runner_->Run(c);
    } catch (const BackendError& e) {
      fmt::print(stderr, "assay: ended after {} executions: {}\n", executions_,
                 e.what());
      _exit(1);
    }
  }

  [[noreturn]] void Stop() const {
    fmt::print(stderr, "assay: killed after {} executions\n", executions_);
    _exit(0);
  }

  void Tell(const Drawn& drawn, const Verdict& verdict,
            const std::string& signature) const {
    const std::string id = "fuzzed_" + Sha256(signature).substr(0, 8);
    const std::string file = CaseFileOf(drawn.c, drawn.variant, verdict, id);
    fmt::print(stderr, "assay: {}\n{}\n{}", signature, verdict.message, file);
    if (!folder_.empty()) {
      const std::string path =
          fmt::format("{}/{}-{}-{}.json", folder_, drawn.c.op,
                      Name(verdict.outcome), Sha256(signature).substr(0, 8));
      std::ofstream stream(path, std::ios::binary | std::ios::trunc);
      if (!(stream << file << std::flush))
        throw InputError(path, "cannot be written");
      fmt::print(stderr, "assay: the smallest: assay shrink {} {}\n",
                 ShellPath(fmt::format(
                     "{}#{}{}", path, id,
                     drawn.variant.empty() ? "" : "@" + drawn.variant)),
                 ShellFlag("--backend", verdict.backend));
    }
    if (aborts_) AbortWrong(drawn.c.op);
  }

  const Policy& policy_ = Policy::Find("assay");
  const bool stops_;
  const std::string folder_;
  const bool aborts_;
  Generator generator_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Runner> runner_;
  uint64_t executions_ = 0;
  std::set<std::string> seen_;  // signatures
};

// libFuzzer's seed decides everything here. The index keeps the choices apart
// from the cases of a campaign.
Choices ChanceOf(unsigned seed) { return Choices(seed, UINT64_MAX); }

size_t Put(const Recording& recording, uint8_t* data, size_t most) {
  const std::vector<uint8_t> bytes = EncodeWithin(recording, most);
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

}  // namespace

// libFuzzer's default is the entropic schedule, which walks through the whole
// corpus for every feature that becomes rare: that took three quarters of the
// time here. If a flag is given twice the later one counts, which is the
// caller's.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static char flag[] = "-entropic=0";
  static std::vector<char*> arguments(*argv, *argv + *argc);
  arguments.insert(arguments.begin() + 1, flag);
  arguments.push_back(nullptr);
  *argc = static_cast<int>(arguments.size()) - 1;
  *argv = arguments.data();
  try {
    Search::Get();
  } catch (const std::exception& e) {
    fmt::print(stderr, "ops_fuzzer: {}\n", e.what());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Search::Get().Judge({data, size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned seed) {
  Choices chance = ChanceOf(seed);
  Generator* const generator = Search::Get().generator();
  // libFuzzer knows constants that were compared with, and a dictionary.
  if (chance.OneIn(Topic::kForm, 5)) {
    size = LLVMFuzzerMutate(data, size, max_size);
    return Put(Played(Recording::Decode({data, size}), generator), data,
               max_size);
  }
  return Put(Mutated(Recording::Decode({data, size}), generator, &chance), data,
             max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size,
                                            unsigned seed) {
  Choices chance = ChanceOf(seed);
  return Put(Crossed(Recording::Decode({data1, size1}),
                     Recording::Decode({data2, size2}),
                     Search::Get().generator(), &chance),
             out, max_out_size);
}

}  // namespace assay
