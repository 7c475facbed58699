#include "cases/accumulation/backend_summation.h"

#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "cases/run/whole_program.h"
#include "spec/error.h"
#include "spec/printable_text.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

// More calls wait for an answer than the backend works on, so that it never
// waits; each has its operands in memory.
constexpr size_t kMostCallsUnderWay = 64;

// A call whose process ended with another call is made again so often.
constexpr int kMostTrials = 3;

Function FunctionOf(const SumProbe& probe, ElementType type, int64_t n) {
  const std::string text = probe.text(Name(type), n);
  return BindProgram(text::ParseChunk({text}), Reading::kVerified).main();
}

std::string Said(const std::string& what, const std::string& message) {
  if (message.empty()) return what;
  return fmt::format("{}: {}", what, Cut(message));
}

// Throws NoSum unless the call was answered and kept to its memory.
void RequireResult(const Execution& execution) {
  using Why = NoSum::Why;
  const std::string& message = execution.answer.message;
  switch (execution.answer.status) {
    case CallStatus::kOk:
      break;
    case CallStatus::kUnsupported:
      throw NoSum(Why::kDeclined, Said("declined", message));
    case CallStatus::kInvalid:
      throw NoSum(Why::kFailed, Said("refused as invalid", message));
    case CallStatus::kCrash:
      throw NoSum(Why::kFailed, Said("crash", message));
    case CallStatus::kTimeout:
      throw NoSum(Why::kFailed, Said("timeout", message));
    case CallStatus::kMemory:
      throw NoSum(Why::kFailed, Said("memory", message));
    default:
      throw NoSum(Why::kFailed, Said("error", message));
  }
  if (!execution.guard_violation.empty())
    throw NoSum(Why::kFailed,
                Said("guard_violation", execution.guard_violation));
  if (!execution.input_modified.empty())
    throw NoSum(Why::kFailed, Said("input_modified", execution.input_modified));
}

}  // namespace

BackendSummation::BackendSummation(Executor* executor, const SumProbe& probe,
                                   ElementType type, int32_t n)
    : Summation(type, n, probe.HasFactors(), !probe.HasFactors()),
      executor_(executor),
      probe_(probe),
      function_(FunctionOf(probe, type, n)) {
  if (executor->RunsCalls()) return;
  if (!executor->RunsPrograms())
    throw NoSum(NoSum::Why::kDeclined,
                "declined: it runs neither calls nor programs");
  program_ = MakeEntryProgram({&function_});
}

Tensor BackendSummation::Fill(
    size_t operand, double rest,
    const std::vector<std::pair<int32_t, double>>& numbers) {
  const TensorType& type = function_.inputs[operand].type.tensor();
  const auto [it, is_new] = filled_.try_emplace({operand, rest}, type);
  Tensor& all = it->second;
  if (is_new) {
    const ElementBits bits = text::FloatBits(this->type(), rest);
    for (int64_t i = 0; i < all.size(); ++i) all.SetBits(i, bits);
  }
  Tensor tensor = all;
  if (numbers.empty()) return tensor;
  tensor.Unshare();
  const int64_t inner = operand == 0 ? probe_.x_inner : probe_.w_inner;
  const int64_t outer = tensor.size() / (n() * inner);
  for (const auto& [term, number] : numbers) {
    const ElementBits bits = text::FloatBits(this->type(), number);
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < inner; ++i)
        tensor.SetBits((o * n() + term) * inner + i, bits);
    }
  }
  return tensor;
}

CallWithLayouts BackendSummation::Place(const SumTerms& terms) {
  CallWithLayouts call;
  call.op = &function_.body[0];
  call.inputs.push_back(Fill(0, terms.rest, terms.numbers));
  call.inputs.push_back(has_factors() ? Fill(1, 1, terms.factors)
                                      : Fill(1, terms.init, {}));
  for (const Tensor& input : call.inputs)
    call.layouts.push_back(Layout::RowMajor(input.type().shape));
  for (const Op::Result& output : call.op->outputs) {
    call.output_layouts.push_back(Layout::RowMajor(output.type.tensor().shape));
  }
  call.alias.resize(call.op->outputs.size());
  call.is_sampled = true;
  return call;
}

double BackendSummation::Result(const Execution& execution) {
  RequireResult(execution);
  const Tensor& result = execution.outputs[0];
  for (int64_t i = 1; i < result.size(); ++i)
    sums_differ_ |= result.Bits(i) != result.Bits(0);
  return text::FloatValue(type(), result.Bits(0));
}

std::vector<double> BackendSummation::Sums(std::span<const SumTerms> calls) {
  struct UnderWay {
    size_t number;
    int trials;
    CallWithLayouts call;
    Execution execution;
  };
  std::vector<double> sums(calls.size());
  std::deque<UnderWay> under_way;
  std::optional<NoSum> failure;
  const size_t most = std::min(executor_->window(), kMostCallsUnderWay);
  const auto submit = [&](UnderWay* one) {
    one->execution = Execution();
    one->execution.Submit(executor_, one->call, Side::kTightBehind,
                          program_ ? &*program_ : nullptr);
  };
  size_t next = 0;
  while (!under_way.empty() || (next < calls.size() && !failure)) {
    while (next < calls.size() && !failure && under_way.size() < most) {
      under_way.push_back({next, 1, Place(calls[next]), {}});
      submit(&under_way.back());
      ++next;
    }
    Answer answer = executor_->Next();
    UnderWay one = std::move(under_way.front());
    under_way.pop_front();
    const bool is_lost = answer.status == CallStatus::kLost;
    one.execution.Take(std::move(answer), one.call);
    if (is_lost && !failure && one.trials < kMostTrials) {
      ++one.trials;
      under_way.push_back(std::move(one));
      submit(&under_way.back());
      continue;
    }
    ++calls_;
    count_();
    try {
      sums[one.number] = Result(one.execution);
    } catch (const NoSum& e) {
      if (!failure) failure = e;
    }
  }
  if (failure) throw *failure;
  return sums;
}

}  // namespace assay
