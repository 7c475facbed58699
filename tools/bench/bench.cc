// The command `assay bench` judges first, then measures time.
//
// A kernel is at best limited by memory bandwidth, so every row stands beside a
// memcpy that moves as many bytes in the same run. Machines are noisy:
// the two alternate call by call, which no benchmark library does for us, and
// medians are compared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstring>
#include <optional>

#include "backends/host/guarded_call.h"
#include "backends/host/loader.h"
#include "cases/run/memory.h"
#include "cases/run/runner.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "spec/error.h"
#include "tools/bench/bench_call.h"
#include "tools/bench/bench_constraints.h"
#include "tools/bench/bench_device.h"
#include "tools/bench/bench_regions.h"
#include "tools/bench/bench_workers.h"
#include "tools/bench/timing.h"
#include "tools/command.h"

namespace assay {
namespace {

// Rounds of (op, memcpy) follow a warm-up round; a round repeats a small op
// until it lasts long enough to be timed. Ops that take seconds have fewer.
constexpr int kLeastRounds = 3, kRounds = 15;
constexpr double kMinRoundSeconds = 2e-4, kLongCaseSeconds = 10;

// The oracle's time is a median, unless one evaluation takes longer than this.
constexpr double kLongEvaluationSeconds = 1;

// Memory for a memcpy that reads and writes as many bytes as a call.
class HostCopy {
 public:
  explicit HostCopy(int64_t bytes)
      : bytes_(static_cast<size_t>(bytes / 2)), from_(Place()), to_(Place()) {}
  void Copy() {
    std::memcpy(to_.element0(), from_.element0(), bytes_);
    __asm__ __volatile__("" : : "r"(to_.element0()) : "memory");
  }
  double bytes() const { return 2.0 * static_cast<double>(bytes_); }

 private:
  GuardedBuffer Place() {
    const TensorType type{{static_cast<int64_t>(bytes_)}, ElementType::kUi8};
    GuardedBuffer buffer(&arena_, type, Layout::RowMajor(type.shape),
                         Side::kTightInFront, 0);
    buffer.Fill(GuardedBuffer::kFillA);
    return buffer;
  }

  size_t bytes_;
  Arena arena_;
  GuardedBuffer from_, to_;
};

BenchJudgement JudgeOnce(BenchCall& bench, const Backend& backend,
                         const Policy& policy, double* oracle_seconds) {
  std::string message;
  int32_t status = ASSAY_OK;
  const auto fault =
      CallGuarded([&] { status = backend.Run(bench.call().abi(), &message); });
  if (fault)
    return {.wrong = fmt::format("crashed with signal {}", fault->signal)};
  if (status != ASSAY_OK)
    return {.wrong = fmt::format("status {} {}", status, message)};
  std::optional<Evaluation> expected;
  std::vector<double> samples;
  do {
    expected.reset();
    samples.push_back(Seconds([&] { expected = bench.Expected(policy); }));
  } while (samples.size() < 3 && samples.back() < kLongEvaluationSeconds);
  *oracle_seconds = Median(samples);
  return bench.Judge(*expected);
}

// Returns whether the backend was right, and so timed.
bool BenchCase(const Case& c, const Backend& backend, const Policy& policy,
               Progress* progress) {
  BenchCall bench(c, Side::kTightInFront);
  double oracle = 0;
  const BenchJudgement judgement = JudgeOnce(bench, backend, policy, &oracle);
  progress->Clear();
  if (!judgement.wrong.empty()) {
    PrintText("{:<40} not measured: {}\n", c.name, judgement.wrong);
    return false;
  }
  HostCopy room(bench.Bytes());
  std::string message;
  const AssayCall& call = bench.call().abi();
  int repeat = 1;
  const auto run = [&] {
    for (int i = 0; i < repeat; ++i) backend.Run(call, &message);
  };
  const auto copy = [&] {
    for (int i = 0; i < repeat; ++i) room.Copy();
  };
  while (Seconds(run) < kMinRoundSeconds && repeat < (1 << 20)) repeat *= 2;
  std::vector<double> op_seconds, copy_seconds;
  double total = 0;
  for (int round = 0; round <= kRounds; ++round) {
    if (round > kLeastRounds && total > kLongCaseSeconds) break;
    const double op_time = Seconds(run), copy_time = Seconds(copy);
    total += op_time;
    if (round == 0) continue;
    op_seconds.push_back(op_time / repeat);
    copy_seconds.push_back(copy_time / repeat);
  }
  const double elements = static_cast<double>(bench.elements());
  const double op_rate =
                   static_cast<double>(bench.Bytes()) / Median(op_seconds),
               copy_rate = room.bytes() / Median(copy_seconds);
  PrintText("{:<40} {:>9} {:>10.1f} {:>10.1f} {:>8.2f} {:>14.0f}{}\n", c.name,
            bench.elements(), op_rate / 1e9, copy_rate / 1e9,
            op_rate / copy_rate, elements / oracle / 1e6, OpenText(judgement));
  std::fflush(stdout);
  return true;
}

// Throws InputError for a case that is not one call that may be repeated.
void RequireBenchable(const Case& c) {
  const std::vector<Op>& body = c.program.main().body;
  if (body.size() != 1 || c.inputs.empty() || FindOp(c.op)->control ||
      ElementCount(body[0].outputs[0].type.tensor().shape) == 0)
    throw InputError(c.where, "is not one op on operands with elements");
  if (!c.alias.empty())
    throw InputError(c.where,
                     "is in place, so that calls after the first have other "
                     "operands");
  RequireConstraints(c);
}

int Bench(const std::vector<std::string>& backends,
          const std::string& policy_name, SuiteFlags flags) {
  if (flags.cases.empty()) {
    for (const std::string& path : DefaultSuite()) {
      if (path.ends_with("conformance"))
        flags.cases = {
            path.substr(0, path.size() - std::strlen("conformance")) + "bench"};
    }
  }
  const std::vector<Case> cases = flags.Read();
  if (cases.empty()) {
    PrintText(stderr,
              "assay: no case of {} matches --op '{}', so nothing was measured "
              "(`assay list cases --cases {}`)\n",
              fmt::join(flags.cases, ", "), fmt::join(flags.ops, "', '"),
              flags.cases.front());
    return kExitNothingJudged;
  }
  for (const Case& c : cases) RequireBenchable(c);
  int exit_code = kExitOk;
  for (const std::string& spec : backends) {
    std::unique_ptr<Backend> backend;
    try {
      backend = Backend::Load(spec);
    } catch (const BackendError& e) {
      PrintText(stderr, "assay: {}\n", e.what());
      exit_code = kExitStart;
      continue;
    }
    const Policy& policy = PolicyFor(policy_name, backend->is_ours());
    if (!backend->is_on_host()) {
      try {
        if (!BenchDevice(*backend, cases, policy) && exit_code == kExitOk)
          exit_code = kExitFindings;
      } catch (const BackendError& e) {
        PrintText(stderr, "assay: {}\n", e.what());
        exit_code = kExitStart;
      }
      continue;
    }
    PrintText(
        "{}, policy {}: median of {} to {}, bytes read and written, memcpy by "
        "one thread\n",
        spec, policy.name(), kLeastRounds, kRounds);
    PrintText("{:<40} {:>9} {:>10} {:>10} {:>8} {:>14}\n", "case", "elements",
              "GB/s", "memcpy", "ratio", "oracle M/s");
    Progress progress("measuring " + spec, static_cast<int64_t>(cases.size()));
    for (const Case& c : cases) {
      const bool right = BenchCase(c, *backend, policy, &progress);
      if (!right && exit_code == kExitOk) exit_code = kExitFindings;
      progress.Step(c.name);
    }
  }
  return exit_code;
}

}  // namespace

void RegisterBench(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "bench", "Judge a backend on large operands, then time it beside memcpy");
  auto backends = std::make_shared<std::vector<std::string>>();
  auto flags = std::make_shared<SuiteFlags>();
  command->add_option("--backend", *backends, "As for run")
      ->type_name("BACKEND");
  auto policy = std::make_shared<std::string>();
  command
      ->add_option("--policy", *policy,
                   "What is accepted where the texts are open, as for run")
      ->type_name("NAME|FILE.json");
  auto workers = std::make_shared<bool>(false);
  command->add_flag("--workers", *workers,
                    "Time the way through a worker instead: small cases a "
                    "second, and a tensor of 1 GB beside memcpy");
  auto regions = std::make_shared<bool>(false);
  command->add_flag("--regions", *regions,
                    "Time the oracle instead, and no backend: how fast it "
                    "applies the functions of map, reduce and sort");
  auto constraints = std::make_shared<bool>(false);
  command->add_flag("--constraints", *constraints,
                    "Time the specification instead, and no backend: how long "
                    "the constraints of a call take");
  flags->AddTo(*command);
  command->callback([=] {
    if (*regions || *constraints) {
      if (*workers || (*regions && *constraints) || !backends->empty() ||
          !policy->empty() || !flags->ToText().empty())
        throw InputError(*regions ? "--regions" : "--constraints",
                         "has its own cases and no backend: leave out "
                         "everything but --op");
      *exit_code =
          *regions ? BenchRegions(flags->ops) : BenchConstraints(flags->ops);
      return;
    }
    if (backends->empty()) throw CLI::RequiredError("--backend");
    if (*workers &&
        !(flags->ToText().empty() && flags->ops.empty() && policy->empty()))
      throw InputError("--workers",
                       "has its own cases: leave out --cases, --op, --memory, "
                       "--policy");
    // An unknown policy is an error before a backend starts.
    if (!policy->empty()) PolicyFor(*policy, false);
    *exit_code =
        *workers ? BenchWorkers(*backends) : Bench(*backends, *policy, *flags);
  });
}

}  // namespace assay
