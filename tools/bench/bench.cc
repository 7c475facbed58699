// The command `assay bench` judges first, then measures time.
//
// An elementwise kernel is limited by memory bandwidth, so every row stands
// beside a memcpy that moves as many bytes in the same run. Machines are noisy:
// the two alternate call by call, which no benchmark library does for us, and
// medians are compared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <optional>

#include "backends/host/abi_call.h"
#include "backends/host/guarded_call.h"
#include "backends/host/loader.h"
#include "cases/run/memory.h"
#include "cases/run/runner.h"
#include "oracle/judge.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "spec/error.h"
#include "tools/bench/bench_constraints.h"
#include "tools/bench/bench_device.h"
#include "tools/bench/bench_regions.h"
#include "tools/bench/bench_workers.h"
#include "tools/bench/timing.h"
#include "tools/command.h"

namespace assay {
namespace {

// Rounds of (op, memcpy) follow a warm-up round; a round repeats a small op
// until it lasts long enough to be timed.
constexpr int kRounds = 15;
constexpr double kMinRoundSeconds = 2e-4;

// These are the bytes that an op reads and writes, with room for a memcpy of as
// many.
struct Operands {
  explicit Operands(const Case& c)
      : op(c.program.main().body.at(0)), call(op.op) {
    call.AddMembers(op);
    for (const CaseInput& input : c.inputs) {
      inputs.push_back(input.data.Materialise());
      GuardedBuffer& buffer = Place(input.data.type);
      buffer.Write(inputs.back());
      call.AddInput(input.data.type, RowMajorStrides(input.data.type.shape),
                    buffer.element0());
    }
    const TensorType& type = op.outputs[0].type;
    call.AddOutput(type, RowMajorStrides(type.shape), Place(type).element0());
    bytes = type.ByteSize();
    for (const Tensor& input : inputs) bytes += input.type().ByteSize();
    copy_bytes = static_cast<size_t>(bytes / 2);
    const TensorType copy{{static_cast<int64_t>(copy_bytes)},
                          ElementType::kUi8};
    from = Place(copy).element0();
    to = Place(copy).element0();
  }
  GuardedBuffer& Place(const TensorType& type) {
    GuardedBuffer& buffer = buffers.emplace_back(
        &arena, type, Layout::RowMajor(type.shape), Side::kTightInFront, 0);
    buffer.Fill(GuardedBuffer::kFillA);
    return buffer;
  }
  const GuardedBuffer& Result() const { return buffers[inputs.size()]; }

  const Op& op;
  AbiCall call;
  std::vector<Tensor> inputs;
  Arena arena;
  std::deque<GuardedBuffer> buffers;  // inputs, the result, those of memcpy
  std::byte *from, *to;
  int64_t bytes = 0;
  size_t copy_bytes = 0;
};

// Returns "" if the result of one call is right, else the reason why the case
// is not timed.
std::string JudgeOnce(Operands& operands, const Backend& backend,
                      const Policy& policy, double* oracle_seconds) {
  std::string message;
  int32_t status = ASSAY_OK;
  const auto fault =
      CallGuarded([&] { status = backend.Run(operands.call.abi(), &message); });
  if (fault) return fmt::format("crashed with signal {}", fault->signal);
  if (status != ASSAY_OK) return fmt::format("status {} {}", status, message);
  for (const auto& buffer : operands.buffers) {
    const std::string violation = buffer.CheckGuards();
    if (!violation.empty()) return violation;
  }
  std::optional<Evaluation> evaluation;
  std::vector<double> oracle_samples;
  for (int round = 0; round < 3; ++round) {
    evaluation.reset();
    oracle_samples.push_back(Seconds([&] {
      evaluation = Evaluate(operands.op, operands.inputs, policy, Marks::kNone);
    }));
  }
  *oracle_seconds = Median(oracle_samples);
  const Judgement judgement =
      Judge(evaluation->outputs[0], operands.Result().Read());
  if (judgement.ok()) return "";
  return fmt::format("{} of {} elements are wrong", judgement.failed,
                     judgement.elements);
}

// Returns whether the backend was right, and so timed.
bool BenchCase(const Case& c, const Backend& backend, const Policy& policy,
               Progress* progress) {
  Operands operands(c);
  double oracle = 0;
  const std::string wrong = JudgeOnce(operands, backend, policy, &oracle);
  progress->Clear();
  if (!wrong.empty()) {
    PrintText("{:<40} not measured: {}\n", c.name, wrong);
    return false;
  }
  std::string message;
  const AssayCall& call = operands.call.abi();
  int repeat = 1;
  const auto run = [&] {
    for (int i = 0; i < repeat; ++i) backend.Run(call, &message);
  };
  const auto copy = [&] {
    for (int i = 0; i < repeat; ++i) {
      std::memcpy(operands.to, operands.from, operands.copy_bytes);
      __asm__ __volatile__("" : : "r"(operands.to) : "memory");
    }
  };
  while (Seconds(run) < kMinRoundSeconds && repeat < (1 << 20)) repeat *= 2;
  std::vector<double> op_seconds, copy_seconds;
  for (int round = 0; round <= kRounds; ++round) {
    const double op_time = Seconds(run), copy_time = Seconds(copy);
    if (round == 0) continue;
    op_seconds.push_back(op_time / repeat);
    copy_seconds.push_back(copy_time / repeat);
  }
  const double bytes = static_cast<double>(operands.bytes);
  const int64_t elements =
      *ElementCount(operands.op.outputs[0].type.tensor().shape);
  const double op_rate = bytes / Median(op_seconds),
               copy_rate = 2.0 * static_cast<double>(operands.copy_bytes) /
                           Median(copy_seconds);
  PrintText("{:<40} {:>9} {:>10.1f} {:>10.1f} {:>8.2f} {:>14.0f}\n", c.name,
            elements, op_rate / 1e9, copy_rate / 1e9, op_rate / copy_rate,
            static_cast<double>(elements) / oracle / 1e6);
  std::fflush(stdout);
  return true;
}

int Bench(const std::vector<std::string>& backends, SuiteFlags flags) {
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
  const Policy& policy = Policy::Find("assay");
  for (const Case& c : cases) {
    if (c.program.main().body.size() != 1 || c.inputs.empty() ||
        FindOp(c.op)->control ||
        ElementCount(c.program.main().body[0].outputs[0].type.tensor().shape) ==
            0)
      throw InputError(c.where, "is not one op on operands with elements");
    RequireConstraints(c);
  }
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
    PrintText("{}: one thread, median of {}, bytes read and written\n", spec,
              kRounds);
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
          !flags->ToText().empty())
        throw InputError(*regions ? "--regions" : "--constraints",
                         "has its own cases and no backend: leave out "
                         "everything but --op");
      *exit_code =
          *regions ? BenchRegions(flags->ops) : BenchConstraints(flags->ops);
      return;
    }
    if (backends->empty()) throw CLI::RequiredError("--backend");
    if (*workers && !(flags->ToText().empty() && flags->ops.empty()))
      throw InputError("--workers",
                       "has its own cases: leave out --cases, --op, --memory");
    *exit_code = *workers ? BenchWorkers(*backends) : Bench(*backends, *flags);
  });
}

}  // namespace assay
