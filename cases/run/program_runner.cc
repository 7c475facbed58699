#include "cases/run/program_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cases/read/verified_text.h"
#include "cases/run/check_literals.h"
#include "cases/run/reason_to_skip.h"
#include "cases/run/runner.h"
#include "cases/run/within_memory.h"
#include "oracle/control/entry.h"
#include "oracle/control/execute.h"
#include "oracle/control/of_tensors.h"
#include "spec/error.h"

namespace assay {
namespace {

// While the backend compiles a batch, the results of the one before are judged.
constexpr size_t kMostUnderWay = 2;

// A backend is only asked whether the program of the case is valid.
bool IsVerified(const Case& c) { return c.MustBeRefused() || !c.Runs(); }

// Returns whether our reader refuses the text of a call. How many processes
// there are, for one, stands in no op, and text gives some attributes together
// or not at all.
bool IsRefused(const std::string& text) {
  try {
    return RefusalOf({text}, kMostJsonBytes).has_value();
  } catch (const text::NotJudged&) {
    return false;
  }
}

// Cases of one kind have the same ops on the same element types: what a
// compiler refuses of one, it mostly refuses of all.
std::string KindOf(const Case& c) {
  if (IsVerified(c)) return c.name;
  std::string kind;
  const auto add = [&](const ValueType& type) {
    const TensorType* const tensor = type.AsTensor();
    kind += tensor == nullptr ? " ?"
                              : std::string(" ") + Name(tensor->element_type);
  };
  for (const Op& op : c.program.main().body) {
    kind += "," + op.op;
    for (const Op::Operand& operand : op.inputs) add(operand.type);
    for (const Op::Result& result : op.outputs) add(result.type);
  }
  return kind;
}

bool HasLayouts(const Case& c) {
  if (!c.alias.empty() || !c.output_layouts.empty() || c.component_aligned)
    return true;
  return std::ranges::any_of(c.inputs, [](const CaseInput& input) {
    return input.layout.offset != 0 ||
           !input.layout.IsRowMajor(input.data.type.shape);
  });
}

// Returns whether a run ended as it should, so that results are all there is to
// judge.
bool IsClean(const Execution& run) {
  return run.answer.status == CallStatus::kOk && run.guard_violation.empty() &&
         run.input_modified.empty() && !run.answer.environment_changed;
}

}  // namespace

struct ProgramRunner::Member {
  const Case* c;
  int64_t number;  // that `next` gave
  Verdict verdict;
  Values values = {};  // of the function's inputs
  // The function of the case, made of tensors alone; nullptr if the case is not
  // run.
  std::shared_ptr<const Function> function = {};
  std::string text = {};  // of a program that is not run
  Op call = {};           // of the function
  Verdict prepared = {};  // as it was before any run
  // The verdict of a batch of several cases, of which this one failed.
  std::optional<Verdict> together = {};

  // A program of one op, whose results are all returned, is judged as that op.
  const Op& Judged() const {
    const std::vector<Op>& body = function->body;
    if (body.size() != 1 || FindOp(body[0].op)->control) return call;
    const bool returns_all =
        std::ranges::equal(body[0].outputs, function->results, {},
                           &Op::Result::value, &TypedName::name);
    return returns_all ? body[0] : call;
  }
  int64_t Bytes() const {
    int64_t bytes = 0;
    for (const auto& [name, value] : values) bytes += value.byte_size();
    for (const Op& op : function->body) {
      for (const Op::Result& result : op.outputs)
        bytes += result.type.tensor().ByteSize();
    }
    return bytes;
  }
};

struct ProgramRunner::Batch {
  std::vector<std::shared_ptr<Member>> members;
  EntryProgram program;
  Op op;  // takes all inputs and gives all results
  CallWithLayouts call;
  Execution a, b;
  bool is_again = false;  // `a` is of the first compilation, `b` of this one
  int unanswered = 0;
};

ProgramRunner::ProgramRunner(Executor* executor, const Policy& policy,
                             int64_t evaluated_bytes, const Way& way,
                             Compiled* compiled)
    : executor_(executor),
      policy_(policy),
      evaluated_bytes_(evaluated_bytes),
      way_(way),
      compiled_(compiled) {}

ProgramRunner::~ProgramRunner() = default;

void ProgramRunner::Run(const NextCase& next, const TakeVerdict& done,
                        const std::atomic<bool>* stop) {
  has_next_ = true;
  while (stop == nullptr || !*stop) {
    while (batches_.size() < kMostUnderWay) {
      if (waiting_.empty()) Collect(next, done);
      if (waiting_.empty()) break;
      Submit(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    if (turns_.empty()) return;
    TakeAnswer(done);
  }
}

// Returns false when the verdict is decided.
bool ProgramRunner::Prepare(Member* member) {
  const Case& c = *member->c;
  Verdict& verdict = member->verdict;
  const std::string reason = ReasonToSkipProgram(c, executor_->info(), policy_);
  if (!reason.empty()) {
    verdict.outcome = Outcome::kSkipped;
    verdict.message = reason;
    return false;
  }
  if (IsVerified(c)) {
    member->text = c.verified_text ? c.verified_text->text
                                   : TextToVerify(c.program.main());
    if (c.verified_text || IsRefused(member->text) == c.MustBeRefused())
      return true;
    verdict.outcome = Outcome::kSkipped;
    verdict.message =
        c.MustBeRefused()
            ? "StableHLO text does not say what violates the constraint"
            : "StableHLO text has no such call";
    return false;
  }
  verdict.packed = HasLayouts(c);
  Values inputs = InputsOf(c);
  if (way_.has_constants) {
    int64_t bytes = 0;
    for (const auto& [name, value] : inputs) bytes += value.byte_size();
    if (bytes > kMostConstantBytes) {
      verdict.outcome = Outcome::kSkipped;
      verdict.message = fmt::format(
          "its operands have {} bytes, and constants of a program at most {}",
          bytes, kMostConstantBytes);
      return false;
    }
  }
  if (!CheckLiterals(c, inputs, policy_, &verdict)) return false;
  member->prepared = verdict;
  member->function = OfTensors(c.program.main());
  member->call = CallOf(member->function);
  for (const TypedName& input : c.program.main().inputs) {
    for (const TypedName& tensor : TensorsOf(input))
      member->values[tensor.name] = inputs.at(tensor.name);
  }
  if (!HasLoop(*member->function)) return true;
  // A backend would be taken for one that hangs.
  Walk::Values values = member->values;
  const int64_t fuel = executor_->how().fuel;
  if (Execute(*member->function, policy_, fuel, &values)) return true;
  OutOfFuel(fuel, &verdict);
  return false;
}

// Takes cases until they make a batch, or there are no more.
void ProgramRunner::Collect(const NextCase& next, const TakeVerdict& done) {
  std::vector<std::shared_ptr<Member>> members;
  const int64_t most_bytes =
      way_.has_constants ? kMostConstantBytes : kMostBytes;
  int64_t bytes = 0;
  while (has_next_ && members.size() < kMostTogether && bytes < most_bytes) {
    int64_t number = 0;
    const Case* const c = next(&number);
    has_next_ = c != nullptr;
    if (!has_next_) break;
    auto member = std::make_shared<Member>(
        Member{c, number, VerdictOf(*c, executor_->info().spec)});
    if (!Prepare(member.get())) {
      done(number, std::move(member->verdict));
    } else if (IsVerified(*c) || refused_.contains(KindOf(*c))) {
      waiting_.push_back(MakeBatch({std::move(member)}));
    } else {
      bytes += member->Bytes();
      members.push_back(std::move(member));
    }
    if (waiting_.size() >= kMostTogether) break;
  }
  if (!members.empty()) waiting_.push_back(MakeBatch(std::move(members)));
}

std::unique_ptr<ProgramRunner::Batch> ProgramRunner::MakeBatch(
    std::vector<std::shared_ptr<Member>> members) const {
  auto batch = std::make_unique<Batch>();
  batch->members = std::move(members);
  if (IsVerified(*batch->members[0]->c)) {
    // It is compiled, and not run.
    batch->program.text = batch->members[0]->text;
    batch->op = CallOf(std::make_shared<const Function>());
    batch->call.op = &batch->op;
    return batch;
  }
  std::vector<const Function*> functions;
  std::vector<Tensor> operands;
  for (const auto& member : batch->members) {
    functions.push_back(&member->c->program.main());
    const Op& call = member->call;
    for (const Op::Operand& operand : call.inputs) {
      operands.push_back(member->values.at(operand.value));
    }
    for (const Op::Result& result : call.outputs) {
      batch->call.output_layouts.push_back(
          Layout::RowMajor(result.type.tensor().shape));
    }
  }
  if (way_.has_constants) {
    batch->program = MakeEntryProgram(functions, operands);
  } else {
    batch->program = MakeEntryProgram(functions);
    for (const Tensor& operand : operands)
      batch->call.layouts.push_back(Layout::RowMajor(operand.type().shape));
    batch->call.inputs = std::move(operands);
  }
  batch->op = CallOf(batch->program.function);
  batch->call.op = &batch->op;
  batch->call.alias.resize(batch->op.outputs.size());
  return batch;
}

void ProgramRunner::Submit(std::unique_ptr<Batch> batch) {
  Batch* const submitted = batches_.emplace_back(std::move(batch)).get();
  if (compiled_ != nullptr && way_.compile > 1) {
    const auto before = compiled_->find(KeyOf(*submitted));
    if (before != compiled_->end()) {
      submitted->a = Execution::Of(before->second);
      submitted->is_again = true;
      return SubmitRun(submitted, true);
    }
  }
  SubmitRun(submitted, false);
  const bool runs_twice =
      std::ranges::any_of(submitted->members, [](const auto& member) {
        return member->c->runs_twice && !IsVerified(*member->c);
      });
  if (runs_twice) SubmitRun(submitted, true);
}

ProgramRunner::Compiled::key_type ProgramRunner::KeyOf(
    const Batch& batch) const {
  std::vector<int64_t> numbers;
  for (const auto& member : batch.members) numbers.push_back(member->number);
  return {way_.has_constants, std::move(numbers)};
}

void ProgramRunner::SubmitRun(Batch* batch, bool is_b) {
  (is_b ? batch->b : batch->a)
      .Submit(executor_, batch->call,
              is_b ? Side::kTightInFront : Side::kTightBehind, &batch->program);
  turns_.push_back({batch, is_b});
  ++batch->unanswered;
}

void ProgramRunner::TakeAnswer(const TakeVerdict& done) {
  Answer answer = executor_->Next();
  const Turn turn = turns_.front();
  turns_.pop_front();
  Batch* const batch = turn.batch;
  --batch->unanswered;
  Execution& run = turn.is_b ? batch->b : batch->a;
  // If run A did not end well, nobody asks for run B.
  const bool is_needed = !turn.is_b || !batch->a.done() || IsClean(batch->a);
  if (answer.status == CallStatus::kLost && is_needed)
    return SubmitRun(batch, turn.is_b);
  run.Take(std::move(answer), batch->call);
  if (batch->unanswered > 0) return;
  Finish(batch, done);
  std::erase_if(batches_,
                [&](const auto& each) { return each.get() == batch; });
}

void ProgramRunner::Finish(Batch* batch, const TakeVerdict& done) {
  auto& members = batch->members;
  const bool is_clean =
      IsClean(batch->a) && (!batch->b.done() || IsClean(batch->b));
  if (!is_clean && members.size() > 1) {
    const auto middle =
        members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2);
    waiting_.push_front(MakeBatch({middle, members.end()}));
    waiting_.push_front(MakeBatch({members.begin(), middle}));
    return;
  }
  if (!is_clean) refused_.insert(KindOf(*members[0]->c));
  if (is_clean && compiled_ != nullptr && way_.compile == 1)
    compiled_->emplace(KeyOf(*batch), batch->a.outputs);
  // Whoever takes a verdict may free its case at once.
  std::vector<std::string> names;
  for (const auto& member : members) names.push_back(member->c->name);
  size_t output = 0;
  for (const auto& member : members) {
    WithinMemory(*member->c, [&] { JudgeMember(batch, output, member.get()); });
    output += member->call.outputs.size();
    Verdict& verdict = member->verdict;
    if (members.size() > 1 && IsJudged(verdict.outcome) &&
        verdict.outcome != Outcome::kPass) {
      member->together = std::exchange(verdict, member->prepared);
      member->together->together = names;
      std::erase(member->together->together, member->c->name);
      waiting_.push_back(MakeBatch({member}));
      continue;
    }
    if (member->together && verdict.outcome == Outcome::kPass) {
      verdict = std::move(*member->together);
      verdict.message += fmt::format(
          "\n  it passes alone, and fails in one program with {} others",
          verdict.together.size());
    }
    done(member->number, std::move(verdict));
  }
}

void ProgramRunner::JudgeMember(Batch* batch, size_t first_output,
                                Member* member) {
  Values values = member->values;
  const Op& op = member->function ? member->Judged() : batch->op;
  const auto of_member = [&](const Execution& run) {
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < op.outputs.size() && !run.outputs.empty(); ++i)
      outputs.push_back(run.outputs[first_output + i]);
    return outputs;
  };
  OpExecutions executions(*member->c, op, values, of_member(batch->a),
                          of_member(batch->b));
  executions.has_b =
      (member->c->runs_twice || batch->is_again) && batch->b.done();
  if (batch->is_again) {
    executions.name_of_a = "compile 1";
    executions.name_of_b = fmt::format("compile {}", way_.compile);
  }
  if (batch->members.size() == 1) {
    executions.a = std::move(batch->a);
    executions.b = std::move(batch->b);
    if (!IsClean(executions.a)) executions.has_b = false;
  }
  JudgeOp(&executions, policy_, evaluated_bytes_, &values, &member->verdict);
}

}  // namespace assay
