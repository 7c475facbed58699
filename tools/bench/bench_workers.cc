// The command `assay bench --workers` measures the cost of judging through a
// worker.
//
// For small cases, a thousand different `add` calls of one to eight elements
// are judged again and again as a run judges them, with both runs, guards and
// the oracle. For a large tensor, the time that 1 GB takes to a worker and back
// stands beside the memcpy of as many bytes. Nothing is timed that was not
// judged right first.
#include "tools/bench/bench_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/host/open.h"
#include "cases/run/session.h"
#include "reports/print.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr int kWorkerRounds = 7;
constexpr int kSmallCases = 1000;
constexpr int kRepeat = 50;
constexpr int64_t kLargeBytes = int64_t{1} << 30;

std::vector<Case> SmallCases() {
  const std::string json = R"({"op": "add", "cases": [{"id": "a{n}_{seed}",
    "each": {"n": [1, 2, 3, 4, 5, 6, 7, 8], "seed": [SEEDS]},
    "inputs": {"lhs": {"type": "tensor<{n}xi32>", "draw": {"seed": 1, "profile": "uniform"}},
               "rhs": {"type": "tensor<{n}xi32>", "draw": {"seed": 2, "profile": "boundary"}}}}]})";
  std::string seeds = "0";
  for (int seed = 1; seed < kSmallCases / 8; ++seed)
    seeds += fmt::format(", {}", seed);
  std::string text = json;
  text.replace(text.find("SEEDS"), 5, seeds);
  return ParseCases("bench", ParseJson("bench", text), {});
}

struct Small {
  double rate = 0;  // cases a second
  int64_t declined = 0;
  std::string wrong;  // the first case that neither passed nor was declined
};

Small MeasureSmall(const std::string& backend, const std::vector<Case>& suite) {
  std::vector<size_t> cases;
  for (int i = 0; i < kRepeat; ++i) {
    for (size_t c = 0; c < suite.size(); ++c) cases.push_back(c);
  }
  Small small;
  const auto open = [&] { return OpenBackend(backend, {}); };
  std::unique_ptr<Executor> executor = open();
  const double seconds = Seconds([&] {
    JudgeSuite(suite, cases, Policy::Find("assay"), std::move(executor), open,
               {}, [&](const Verdict& verdict) {
                 if (verdict.outcome == Outcome::kUnsupported) {
                   ++small.declined;
                 } else if (verdict.outcome != Outcome::kPass) {
                   small.wrong =
                       fmt::format("{}: {}: {}", verdict.case_name,
                                   Name(verdict.outcome), verdict.message);
                 }
               });
  });
  small.rate = static_cast<double>(cases.size()) / seconds;
  return small;
}

bool BenchSmall(const std::string& backend, const std::vector<Case>& suite) {
  std::vector<double> rates;
  Small small;
  for (int round = 0; round < kWorkerRounds; ++round) {
    small = MeasureSmall(backend, suite);
    if (!small.wrong.empty()) {
      PrintText("{:<13} not measured: {}\n", "small cases", small.wrong);
      return false;
    }
    rates.push_back(small.rate);
  }
  PrintText("{:<13} {:.0f} cases/s, two calls each{}\n", "small cases",
            Median(rates),
            small.declined > 0 ? "; declined, so nothing was computed" : "");
  return true;
}

// A tensor of one gigabyte goes to the worker, through `not`, and back. The
// copies to the worker and back are compared with the memcpy of two gigabytes;
// the call itself is measured by itself.
class LargeTrip {
 public:
  explicit LargeTrip(Executor* executor)
      : executor_(executor),
        type_{{kLargeBytes / 8}, ElementType::kI64},
        operand_(type_),
        result_(type_) {
    std::memset(operand_.data(), 0x5c, kLargeBytes);
    std::memset(result_.data(), 1, kLargeBytes);
    op_.op = "not";
    in_ = executor->arena().Acquire(kLargeBytes);
    out_ = executor->arena().Acquire(kLargeBytes);
  }
  ~LargeTrip() {
    executor_->arena().Release(in_);
    executor_->arena().Release(out_);
  }
  LargeTrip(const LargeTrip&) = delete;
  LargeTrip& operator=(const LargeTrip&) = delete;

  // The times are in seconds.
  struct Times {
    double in, call, out;
  };
  Times Go() {
    const Strides strides = {1};
    PlacedCall call{&op_,
                    {{&type_, &strides, in_, in_.data}},
                    {{&type_, &strides, out_, out_.data}}};
    Times times;
    times.in =
        Seconds([&] { std::memcpy(in_.data, operand_.data(), kLargeBytes); });
    times.call = Seconds([&] {
      executor_->Submit(call);
      answer_ = executor_->Next();
    });
    times.out =
        Seconds([&] { std::memcpy(result_.data(), out_.data, kLargeBytes); });
    return times;
  }
  double Memcpy() {
    return Seconds(
        [&] { std::memcpy(result_.data(), operand_.data(), kLargeBytes); });
  }
  bool declined() const { return answer_.status == CallStatus::kUnsupported; }
  // Returns "" if the result of the last trip is right.
  std::string Wrong() const {
    if (answer_.status != CallStatus::kOk)
      return "not: " + (answer_.message.empty() ? "failed" : answer_.message);
    for (int64_t i = 0; i < result_.size(); ++i) {
      // Bits() returns an integer that is wider than an element.
      const auto is = static_cast<uint64_t>(result_.Bits(i));
      const auto of = static_cast<uint64_t>(operand_.Bits(i));
      if (is != ~of)
        return fmt::format("element {} is {:016x}, of {:016x}", i, is, of);
    }
    return "";
  }

 private:
  Executor* executor_;
  TensorType type_;
  Tensor operand_, result_;
  Op op_;
  Slot in_, out_;
  Answer answer_;
};

bool BenchLarge(const std::string& backend) {
  const std::unique_ptr<Executor> worker = OpenBackend(backend, {});
  LargeTrip trip(worker.get());
  trip.Go();  // touches every page, in both processes
  const std::string wrong = trip.Wrong();
  if (!wrong.empty()) {
    PrintText("{:<13} not measured: {}\n", "1 GB tensor", wrong);
    return false;
  }
  std::vector<double> moved, copied, calls;
  for (int round = 0; round < kWorkerRounds; ++round) {
    const LargeTrip::Times times = trip.Go();
    moved.push_back(times.in + times.out);
    calls.push_back(times.call);
    copied.push_back(2 * trip.Memcpy());
  }
  const double bytes = 2.0 * kLargeBytes;
  PrintText(
      "{:<13} {:.1f} GB/s to the worker and back, memcpy {:.1f} GB/s, ratio "
      "{:.2f}; the call itself {:.2f} s\n",
      "1 GB tensor", bytes / Median(moved) / 1e9, bytes / Median(copied) / 1e9,
      Median(copied) / Median(moved), Median(calls));
  return true;
}

}  // namespace

ExitCode BenchWorkers(const std::vector<std::string>& backends) {
  const std::vector<Case> suite = SmallCases();
  ExitCode exit_code = kExitOk;
  for (const std::string& backend : backends) {
    try {
      PrintText("{}: through a worker, median of {}\n", backend, kWorkerRounds);
      const bool small_is_right = BenchSmall(backend, suite);
      std::fflush(stdout);
      if (!BenchLarge(backend) || !small_is_right) exit_code = kExitFindings;
    } catch (const BackendError& e) {
      PrintText(stderr, "assay: {}\n", e.what());
      exit_code = kExitStart;
    }
  }
  return exit_code;
}

}  // namespace assay
