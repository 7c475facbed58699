// One op on one backend: two calls on guarded buffers, and what applies to them
// in order of precedence.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include <algorithm>
#include <cstring>

#include "cases/abi_call.h"
#include "cases/guarded_call.h"
#include "cases/runner.h"

namespace assay {

// One call on one placement of the buffers.
struct Runner::CallResult {
  int32_t status = ASSAY_OK;
  std::string message;
  std::optional<Fault> fault;
  std::string
      guard_violation;  // which buffer, and what happened to its surroundings
  std::string input_modified;
  bool environment_changed = false;
  std::vector<Tensor> outputs;
};

namespace {

// Layouts of the operands of an op: those of the case for its inputs, row-major
// for what an op produced.
std::vector<Layout> LayoutsOf(const Case& c, const Op& op) {
  std::vector<Layout> layouts;
  const std::vector<TypedName>& inputs = c.program.main().inputs;
  for (const Op::Operand& operand : op.inputs) {
    const auto it = std::ranges::find(inputs, operand.value, &TypedName::name);
    layouts.push_back(
        it == inputs.end()
            ? Layout::RowMajor(operand.type.shape)
            : c.inputs[static_cast<size_t>(it - inputs.begin())].layout);
  }
  return layouts;
}

// A result as an operand: backends may leave anything in the high bits of
// sub-byte outputs, and expect 0 there on input.
Tensor WithoutHighBits(Tensor tensor) {
  const int bits = Info(tensor.element_type()).bits;
  if (bits == 1 || bits >= 8) return tensor;
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.SetBits(i, tensor.Bits(i));
  return tensor;
}

// Where the operands lay, of those that did not lie in row-major order.
std::string LayoutText(const Op& op, const std::vector<Layout>& layouts) {
  std::string text;
  for (size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].IsRowMajor(op.inputs[i].type.shape)) continue;
    text += fmt::format("\n  {}: strides [{}], offset {}", op.inputs[i].name,
                        fmt::join(layouts[i].strides, ", "), layouts[i].offset);
  }
  return text;
}

std::vector<std::string> Labels(const OpSpec& spec, uint64_t marks) {
  std::vector<std::string> labels;
  for (const ClauseSpec& clause : spec.semantics) {
    if (marks >> clause.number & 1) labels.push_back(clause.label);
  }
  return labels;
}

// Elements that still hold the fill of both runs.
int64_t CountNotWritten(const Tensor& a, const Tensor& b) {
  const size_t element = static_cast<size_t>(Info(a.element_type()).bytes);
  const auto holds = [&](const Tensor& t, int64_t i, std::byte fill) {
    const std::byte* at = t.data() + static_cast<size_t>(i) * element;
    return std::all_of(at, at + element,
                       [&](std::byte v) { return v == fill; });
  };
  int64_t count = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    if (holds(a, i, GuardedBuffer::kFillA) &&
        holds(b, i, GuardedBuffer::kFillB))
      ++count;
  }
  return count;
}

// Elements whose value differs between the runs; the high bits of sub-byte
// types do not count.
int64_t CountDifferent(const Tensor& a, const Tensor& b) {
  if (std::memcmp(a.data(), b.data(),
                  static_cast<size_t>(a.type().ByteSize())) == 0)
    return 0;
  int64_t count = 0;
  for (int64_t i = 0; i < a.size(); ++i) count += a.Bits(i) != b.Bits(i);
  return count;
}

// What applies to a call, collected in order of precedence.
class Findings {
 public:
  void Add(Outcome outcome, std::string basis, std::string message) {
    if (outcomes_.empty()) {
      basis_ = std::move(basis);
      message_ = std::move(message);
    } else {
      message_ += "\n  also " + std::string(Name(outcome)) + ": " + message;
    }
    if (std::ranges::find(outcomes_, outcome) == outcomes_.end())
      outcomes_.push_back(outcome);
  }
  bool empty() const { return outcomes_.empty(); }
  void MoveTo(Verdict* verdict) {
    verdict->outcome = outcomes_.front();
    verdict->also.assign(outcomes_.begin() + 1, outcomes_.end());
    verdict->basis = std::move(basis_);
    verdict->message = std::move(message_);
  }

 private:
  std::vector<Outcome> outcomes_;
  std::string basis_, message_;
};

}  // namespace

bool Runner::RunOp(const Case& c, const Op& op, Values* values,
                   Verdict* verdict) {
  const OpSpec& spec = *FindOp(op.op);
  std::vector<Tensor> inputs;
  for (const Op::Operand& operand : op.inputs)
    inputs.push_back(values->at(operand.value));
  const std::vector<Layout> layouts = LayoutsOf(c, op);
  CallResult a = Call(op, inputs, layouts, Side::kTightBehind);
  // Declining is no licence to touch what is not the backend's.
  const bool declined = !a.fault && a.status == ASSAY_UNSUPPORTED;
  if (declined && a.guard_violation.empty() && a.input_modified.empty() &&
      !a.environment_changed) {
    verdict->outcome = Outcome::kUnsupported;
    verdict->message = a.message;
    return false;
  }
  CallResult b;
  if (!a.fault && !declined) b = Call(op, inputs, layouts, Side::kTightInFront);

  Findings findings;
  const auto each = [&](auto report) {
    report(a, "A");
    report(b, "B");
  };
  each([&](const CallResult& r, const char* run) {
    if (r.fault && r.guard_violation.empty()) {
      findings.Add(
          Outcome::kCrash, "contract",
          r.fault->signal == 0
              ? fmt::format("run {}: an exception left the call", run)
              : fmt::format("run {}: signal {} ({})", run, r.fault->signal,
                            strsignal(r.fault->signal)));
    }
  });
  each([&](const CallResult& r, const char* run) {
    if (!r.guard_violation.empty())
      findings.Add(Outcome::kGuardViolation, "contract",
                   fmt::format("run {}: {}", run, r.guard_violation));
  });
  each([&](const CallResult& r, const char* run) {
    if (!r.input_modified.empty())
      findings.Add(Outcome::kInputModified, "contract",
                   fmt::format("run {}: {}", run, r.input_modified));
  });
  each([&](const CallResult& r, const char* run) {
    if (r.environment_changed) {
      findings.Add(Outcome::kEnvironmentChanged, "contract",
                   fmt::format("run {}: rounding mode, flush flags or "
                               "exception masks were left changed",
                               run));
    }
  });
  each([&](const CallResult& r, const char* run) {
    if (r.fault || r.status == ASSAY_OK || r.status == ASSAY_UNSUPPORTED)
      return;
    if (r.status == ASSAY_INVALID) {
      findings.Add(
          Outcome::kRejectedValid, "text",
          fmt::format("run {}: the backend calls a valid call invalid: {}", run,
                      r.message));
    } else {
      findings.Add(
          Outcome::kError, "contract",
          fmt::format("run {}: status {}: {}", run, r.status, r.message));
    }
  });
  if (!declined && !b.fault && b.status == ASSAY_UNSUPPORTED)
    findings.Add(Outcome::kError, "contract",
                 "run B: declined a call that run A answered");
  const bool complete =
      !a.fault && !b.fault && a.status == ASSAY_OK && b.status == ASSAY_OK;
  if (complete) {
    const Evaluation evaluation =
        Evaluate(op, inputs, policy_, Marks::kCounted);
    for (const std::string& label : Labels(spec, evaluation.marks)) {
      if (op.op == c.op &&
          std::ranges::find(verdict->covered, label) == verdict->covered.end())
        verdict->covered.push_back(label);
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const Tensor& actual = a.outputs[i];
      const int64_t not_written = CountNotWritten(actual, b.outputs[i]);
      if (not_written > 0) {
        findings.Add(
            Outcome::kNotWritten, "contract",
            fmt::format("{} of {} elements of {} still hold the fill",
                        not_written, actual.size(), op.outputs[i].name));
      } else if (const int64_t different = CountDifferent(actual, b.outputs[i]);
                 different > 0) {
        findings.Add(
            Outcome::kNondeterministic, "contract",
            fmt::format("{} of {} elements of {} differ between runs A and B",
                        different, actual.size(), op.outputs[i].name));
      }
      const Judgement judgement = Judge(evaluation.outputs[i], actual);
      verdict->elements += judgement.elements;
      verdict->open += judgement.open;
      if (!judgement.ok()) {
        const Basis basis =
            BasisOf(spec, op, inputs, policy_, judgement.first_failed, &actual);
        for (const ClauseSpec* clause : basis.clauses)
          verdict->clauses.push_back(spec.id + "/" + clause->label);
        findings.Add(Outcome::kFail, basis.text,
                     Explain(spec, op, inputs, policy_, evaluation.outputs[i],
                             actual, judgement) +
                         LayoutText(op, layouts));
      }
      (*values)[op.outputs[i].value] = WithoutHighBits(actual);
    }
  }
  if (findings.empty()) return true;
  findings.MoveTo(verdict);
  return false;
}

Runner::CallResult Runner::Call(const Op& op, const std::vector<Tensor>& inputs,
                                const std::vector<Layout>& layouts, Side side) {
  while (buffers_.size() < op.inputs.size() + op.outputs.size())
    buffers_.emplace_back();
  const size_t over_read = static_cast<size_t>(backend_->abi().over_read_bytes);
  const std::byte fill = side == Side::kTightBehind ? GuardedBuffer::kFillA
                                                    : GuardedBuffer::kFillB;
  AbiCall call(op);
  for (size_t i = 0; i < inputs.size(); ++i) {
    buffers_[i].Place(inputs[i].type(), layouts[i], side, over_read, fill);
    buffers_[i].Write(inputs[i]);
    call.AddInput(inputs[i].type(), layouts[i].strides, buffers_[i].element0());
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    GuardedBuffer& buffer = buffers_[inputs.size() + i];
    const TensorType& type = op.outputs[i].type;
    buffer.Place(type, Layout::RowMajor(type.shape), side, over_read, fill);
    call.AddOutput(type, RowMajorStrides(type.shape), buffer.element0());
  }

  CallResult result;
  const FloatEnvironment before = FloatEnvironment::Current();
  result.fault = CallGuarded(
      [&] { result.status = backend_->Run(call.abi(), &result.message); });
  result.environment_changed =
      !result.fault && before != FloatEnvironment::Current();
  before.Restore();

  const auto name = [&](size_t i) {
    return i < inputs.size() ? op.inputs[i].name
                             : op.outputs[i - inputs.size()].name;
  };
  for (size_t i = 0; i < inputs.size() + op.outputs.size(); ++i) {
    if (result.fault) {
      const auto place = buffers_[i].Describe(result.fault->address);
      if (place)
        result.guard_violation = fmt::format("{}: touched {}", name(i), *place);
    } else if (const std::string violation = buffers_[i].CheckGuards();
               !violation.empty() && result.guard_violation.empty()) {
      result.guard_violation = name(i) + ": " + violation;
    }
  }
  if (result.fault) return result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor now = buffers_[i].Read();
    if (std::memcmp(now.data(), inputs[i].data(),
                    static_cast<size_t>(now.type().ByteSize())) != 0) {
      result.input_modified = name(i) + " was changed";
    }
  }
  if (result.status == ASSAY_OK) {
    for (size_t i = 0; i < op.outputs.size(); ++i)
      result.outputs.push_back(buffers_[inputs.size() + i].Read());
  }
  return result;
}

}  // namespace assay
