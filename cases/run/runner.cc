// The runner decides which backends are asked, and calls the ops in order for
// the cases that are under way. One op is judged in judge_op.cc.
#include "cases/run/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cases/read/json.h"
#include "cases/run/check_literals.h"
#include "cases/run/op_executions.h"
#include "cases/run/program_runner.h"
#include "cases/run/reason_to_skip.h"
#include "cases/run/within_memory.h"
#include "oracle/control/of_tensors.h"
#include "oracle/control/walk.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// For calls from this size on, run B of an op waits for run A, and the next
// case for both, because memory is then worth more than keeping a worker busy.
constexpr int64_t kLargeBytes = int64_t{1} << 20;

void AddReplay(const Policy& policy, const std::string& suite_flags,
               Verdict* verdict) {
  if (!IsJudged(verdict->outcome) || verdict->outcome == Outcome::kPass) return;
  verdict->replay = fmt::format(
      "assay run {} {}{} {}", ShellFlag("--backend", verdict->backend),
      policy.ToFlag(), suite_flags, ShellFlag("--op", verdict->case_name));
  for (const std::string& other : verdict->together)
    verdict->replay += " " + ShellFlag("--op", other);
}

// Returns whether two shapes are the same where both are known.
bool Agree(const Shape& a, const Shape& b) {
  return std::ranges::equal(a, b, [](int64_t m, int64_t n) {
    return m == n || m == kDynamic || n == kDynamic;
  });
}

// The text of the case must be refused, and for a constraint that it is known
// to violate.
void JudgeRefusal(const Case& c, Verdict* verdict) {
  const std::optional<Refusal> refusal =
      RefusalOf(*c.verified_text, kMostJsonBytes);
  const std::string expected =
      c.violates.empty()
          ? "an error is expected in the text"
          : fmt::format("the text violates {}/{}", c.op,
                        fmt::join(c.violates, fmt::format(" or {}/", c.op)));
  if (!refusal) {
    verdict->outcome = Outcome::kAcceptedInvalid;
    verdict->message = expected + ", and is accepted";
  } else {
    if (refusal->op == c.op) verdict->violated = refusal->labels;
    const bool is_known =
        std::ranges::any_of(c.violates, [&](const std::string& label) {
          return std::ranges::find(verdict->violated, label) !=
                 verdict->violated.end();
        });
    if (c.violates.empty() || is_known) return;
    verdict->outcome = Outcome::kFail;
    verdict->message = fmt::format(
        "{}, and is refused for another reason: {}:{}:{}: {}", expected, c.file,
        refusal->location.line, refusal->location.column, refusal->message);
  }
  verdict->basis = "text";
}

// The text of the case must be accepted.
void JudgeAcceptance(const Case& c, Verdict* verdict) {
  const std::optional<Refusal> refusal =
      RefusalOf(*c.verified_text, kMostJsonBytes);
  if (!refusal) return;
  verdict->outcome = Outcome::kRejectedValid;
  verdict->basis = "text";
  if (refusal->op == c.op) verdict->violated = refusal->labels;
  verdict->message = fmt::format("{}:{}:{}: {}", c.file, refusal->location.line,
                                 refusal->location.column, refusal->message);
}

// A case of which the backend executed nothing, or not all, is not judged.
void SkipUnexecuted(const Walk& walk, int64_t fuel, Verdict* verdict) {
  if (walk.was_cut()) {
    OutOfFuel(fuel, verdict);
  } else if (walk.ops() == 0) {
    verdict->outcome = Outcome::kSkipped;
    verdict->message = "no op is executed that a backend runs";
  }
}

}  // namespace

Verdict VerdictOf(const Case& c, const std::string& backend) {
  Verdict verdict;
  verdict.case_name = c.name;
  verdict.op = c.op;
  verdict.type = c.TypeText();
  verdict.backend = backend;
  if (c.trait || c.verified_text) return verdict;
  const Op& op = c.UnderTest();
  if (op.outputs.empty() || !op.outputs.front().type.IsTensor() ||
      !op.FirstType().IsTensor())
    return verdict;
  const ElementType result = op.outputs.front().type.tensor().element_type;
  if (op.FirstType().tensor().element_type != result)
    verdict.result_type = Name(result);
  if (c.variant) verdict.variant = c.variant->layout;
  return verdict;
}

Verdict JudgeConstraints(const Case& c, const Policy& policy,
                         const std::string& suite_flags) {
  if (c.original) {
    Verdict verdict = VerdictOf(*c.original, "spec");
    verdict.case_name = c.name;
    verdict.variant = c.variant->layout;
    verdict.outcome = Outcome::kSkipped;
    verdict.message = "constraints do not depend on layouts";
    return verdict;
  }
  Verdict verdict = VerdictOf(c, "spec");
  if (c.trait && NeedsOtherPolicy(c, policy)) {
    verdict.outcome = Outcome::kSkipped;
    verdict.message = "needs policy " + c.policy;
    return verdict;
  }
  if (c.verified_text) {
    if (c.MustBeRefused()) {
      JudgeRefusal(c, &verdict);
    } else {
      JudgeAcceptance(c, &verdict);
    }
    AddReplay(policy, suite_flags, &verdict);
    return verdict;
  }
  std::vector<std::string> messages;
  for (const Op& op : c.program.main().body) {
    const OpSpec& spec = *FindOp(op.op);
    for (const ConstraintResult& result : CheckConstraints(spec, op, policy)) {
      if (result.truth != Truth::kFalse) continue;
      verdict.violated.push_back(result.constraint->label);
      messages.push_back(fmt::format("{}/{} is false: {}", spec.id,
                                     result.constraint->label, result.Text()));
    }
    if (!c.violates.empty() || c.trait) continue;
    const std::vector<InferredType> inferred = InferResultTypes(spec, op);
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const TensorType* type = op.outputs[i].type.AsTensor();
      const InferredType* of = FindInferred(inferred, op, i);
      if (type == nullptr || of == nullptr) continue;
      const bool shape_agrees = !of->shape || Agree(*of->shape, type->shape);
      if (shape_agrees &&
          (!of->element_type || of->element_type == type->element_type))
        continue;
      verdict.outcome = Outcome::kFail;
      messages.push_back(fmt::format("the inferred type of {} is not {}",
                                     ResultName(op, i), type->ToString()));
    }
  }
  if (c.trait) JudgeTrait(*c.trait, policy, &verdict, &messages);
  std::vector<std::string> expected = c.violates, actual = verdict.violated;
  std::ranges::sort(expected);
  std::ranges::sort(actual);
  if (expected != actual) {
    verdict.outcome = expected.empty() ? Outcome::kRejectedValid
                      : actual.empty() ? Outcome::kAcceptedInvalid
                                       : Outcome::kFail;
    if (!expected.empty())
      messages.push_back(
          fmt::format("the case violates {}", fmt::join(expected, ", ")));
  }
  if (verdict.outcome != Outcome::kPass) {
    verdict.basis = "text";
    verdict.message = fmt::format("{}", fmt::join(messages, "\n  "));
  } else if (c.violates.empty() && !c.trait) {
    verdict.message = Undecided(c, policy);
    if (!verdict.message.empty()) verdict.outcome = Outcome::kSkipped;
  }
  AddReplay(policy, suite_flags, &verdict);
  return verdict;
}

void AddSuspect(const std::string& name, Verdict* verdict) {
  verdict->message += fmt::format(
      "\n  the process may have been broken by a call before; the last was of "
      "{}",
      name);
}

void RequireConstraints(const Case& c) {
  for (const Case& earlier : c.after) RequireConstraints(earlier);
  if (!c.Runs() || c.original) return;
  for (const Op& op : c.program.main().body) {
    for (const ConstraintResult& result :
         CheckConstraints(*FindOp(op.op), op)) {
      if (result.truth != Truth::kFalse) continue;
      throw InputError(
          c.where,
          fmt::format("{} violates {}/{} and does not say so: {}", c.name,
                      op.op, result.constraint->label, result.Text()));
    }
  }
}

// An Active is a case under way.
struct Runner::Active {
  const Case* c;
  int64_t number;  // that `next` gave
  Verdict verdict;
  Values values;
  std::shared_ptr<const Function> main = {};  // of tensors alone
  std::optional<Walk> walk = {};              // through it
  std::optional<OpExecutions> op;
  std::optional<Turn> ended = {};    // the call that ended its process
  std::list<Active>::iterator self;  // in active_
};

Runner::Runner(Executor* executor, const Policy& policy,
               std::string suite_flags, int64_t evaluated_bytes)
    : executor_(executor),
      policy_(policy),
      suite_flags_(std::move(suite_flags)),
      evaluated_bytes_(evaluated_bytes) {}

Runner::~Runner() = default;

Verdict Runner::Run(const Case& c) {
  Verdict verdict;
  const Case* next = &c;
  Run([&](int64_t*) { return std::exchange(next, nullptr); },
      [&](int64_t, Verdict v) { verdict = std::move(v); });
  return verdict;
}

void Runner::Run(const NextCase& next, const TakeVerdict& done,
                 const std::atomic<bool>* stop) {
  const std::vector<Way> ways = WaysOf(*executor_);
  if (ways.size() > 1) return RunInWays(ways, next, done, stop);
  if (!ways[0].is_whole) return RunCalls(next, done, stop);
  ProgramRunner runner(executor_, policy_, evaluated_bytes_, ways[0]);
  RunPrograms(&runner, next, done, stop);
}

void Runner::RunPrograms(ProgramRunner* runner, const NextCase& next,
                         const TakeVerdict& done,
                         const std::atomic<bool>* stop) {
  decided_ = {};
  runner->Run(
      next,
      [&](int64_t number, Verdict verdict) {
        AddReplay(policy_, suite_flags_, &verdict);
        done(number, std::move(verdict));
      },
      stop);
}

void Runner::RunCalls(const NextCase& next, const TakeVerdict& done,
                      const std::atomic<bool>* stop) {
  bool has_next = true;
  const Case* c = nullptr;  // is next
  int64_t number = 0;
  const auto finish = [&](Active* active) {
    AddReplay(policy_, suite_flags_, &active->verdict);
    done(active->number, std::move(active->verdict));
    const bool was_alone = alone_ == active;
    active_.erase(active->self);
    if (!was_alone) return;
    alone_ = nullptr;
    executor_->Renew();
  };
  while (stop == nullptr || !*stop) {
    while (has_next && !large_ && !alone_ &&
           submitted_.size() < executor_->window()) {
      if (c == nullptr) c = next(&number);
      has_next = c != nullptr;
      if (!has_next || (!c->after.empty() && !active_.empty())) break;
      Active& active = active_.emplace_front();
      active.self = active_.begin();
      active.c = c;
      active.number = number;
      active.verdict = VerdictOf(*c, executor_->info().spec);
      decided_ = {&active, OpExecutions::Kind::kA};
      if (!c->after.empty()) alone_ = &active;
      c = nullptr;
      const bool is_under_way =
          WithinMemory(*active.c, [&] { return Start(&active); });
      if (!is_under_way) finish(&active);
    }
    if (submitted_.empty()) break;
    if (Active* decided = TakeAnswer()) finish(decided);
  }
}

// Calls the three steps of a case. Returns false when the verdict is decided.
bool Runner::Start(Active* active) {
  const Case& c = *active->c;
  ASSAY_CHECK(c.chunk == 0);
  const std::string reason = ReasonToSkip(c, executor_->info(), policy_);
  if (!reason.empty()) {
    active->verdict.outcome = Outcome::kSkipped;
    active->verdict.message = reason;
    return false;
  }
  active->values = InputsOf(c);
  if (!CheckLiterals(c, active->values, policy_, &active->verdict))
    return false;
  if (!c.after.empty() && !RunEarlier(active)) return false;
  active->main = OfTensors(c.program.main());
  active->walk.emplace(*active->main, &active->values, executor_->how().fuel);
  return StartOp(active);
}

// Every earlier case is judged to the end and its verdict dropped, unless the
// calls behind it would go to another process.
bool Runner::RunEarlier(Active* active) {
  Verdict& verdict = active->verdict;
  if (!executor_->Renew()) {
    verdict.outcome = Outcome::kSkipped;
    verdict.message = "comes after calls in a process of its own";
    return false;
  }
  for (const Case& earlier : active->c->after) {
    const Verdict before =
        Runner(executor_, policy_, "", evaluated_bytes_).Run(earlier);
    if (before.outcome != Outcome::kSkipped && !EndsProcess(before.outcome))
      continue;
    verdict.outcome = before.outcome;
    verdict.basis = before.basis;
    verdict.message =
        fmt::format("before it, {}: {}", earlier.name, before.message);
    return false;
  }
  return true;
}

bool Runner::StartOp(Active* active) {
  const Op* op = active->walk->Next();
  if (op == nullptr) {
    SkipUnexecuted(*active->walk, executor_->how().fuel, &active->verdict);
    return false;
  }
  active->op.emplace(*active->c, *op, *active->walk->values(),
                     active->walk->IsAtTop());
  const bool is_large = active->op->Bytes() >= kLargeBytes;
  if (is_large) large_ = active;
  Submit(active, OpExecutions::Kind::kA);
  if (is_large) return true;
  if (active->c->runs_twice) Submit(active, OpExecutions::Kind::kB);
  if (active->c->variant) Submit(active, OpExecutions::Kind::kBase);
  return true;
}

bool Runner::FinishOp(Active* active) {
  if (large_ == active) large_ = nullptr;
  if (!JudgeOp(&*active->op, policy_, evaluated_bytes_, active->walk->values(),
               &active->verdict))
    return false;
  return StartOp(active);
}

void Runner::Submit(Active* active, OpExecutions::Kind kind) {
  active->op->Submit(executor_, kind);
  Turn& turn = submitted_.emplace_back(Turn{active, kind});
  Remember(&turn);
}

void Runner::Remember(Turn* turn) {
  if (executor_->process() != process_) {
    process_ = executor_->process();
    history_before_ = std::exchange(history_, {});
  }
  std::vector<int64_t>& numbers = history_.numbers;
  turn->process = process_;
  turn->before = history_.forgotten + numbers.size();
  const int64_t number = turn->active->number;
  if (!numbers.empty() && numbers.back() == number) return;
  if (numbers.size() == 2 * kMostRemembered) {
    numbers.erase(numbers.begin(), numbers.begin() + kMostRemembered);
    history_.forgotten += kMostRemembered;
  }
  numbers.push_back(number);
}

Runner::Past Runner::PastOf() const {
  if (past_of_calls_) return *past_of_calls_;
  if (decided_.active == nullptr) return {};
  const std::optional<Turn>& ended = decided_.active->ended;
  const Turn& turn = ended ? *ended : decided_;
  Past past;
  past.ended = ended.has_value();
  const History& history =
      turn.process == process_ ? history_ : history_before_;
  if (turn.process < process_ - 1 || turn.before < history.forgotten)
    return past;
  const size_t count = turn.before - history.forgotten;
  const size_t kept = std::min(count, kMostRemembered);
  const auto end = history.numbers.begin() + static_cast<std::ptrdiff_t>(count);
  past.cases.assign(end - static_cast<std::ptrdiff_t>(kept), end);
  std::erase(past.cases, decided_.active->number);
  return past;
}

Runner::Active* Runner::TakeAnswer() {
  Answer answer = executor_->Next();
  const Turn turn = submitted_.front();
  submitted_.pop_front();
  decided_ = turn;
  Active* const active = turn.active;
  OpExecutions& run = *active->op;
  const bool is_a = turn.kind == OpExecutions::Kind::kA;
  const auto a_decides = [&] {
    return run.a.done() && (run.a.died() || run.a.declined());
  };
  const auto b_died = [&] { return run.b.done() && run.b.died(); };
  const bool is_needed =
      is_a ||
      !(a_decides() || (turn.kind == OpExecutions::Kind::kBase && b_died()));
  if (answer.status == CallStatus::kLost && is_needed) {
    Submit(active, turn.kind);
    return nullptr;
  }
  if (answer.ended_process && !active->ended) active->ended = turn;
  run.Of(turn.kind).Take(
      std::move(answer),
      turn.kind == OpExecutions::Kind::kBase ? run.base_call : run.call);
  // If the answer of run A was lost, run A comes after the others.
  if (!run.a.done() || (run.has_b && !run.b.done()) ||
      (run.has_base && !run.base.done()))
    return nullptr;
  if (a_decides()) {
    run.has_b = run.has_base = false;
  } else if (run.has_b && b_died()) {
    run.has_base = false;
  } else if (!run.has_b && active->c->runs_twice) {
    Submit(active, OpExecutions::Kind::kB);
    return nullptr;
  } else if (!run.has_base && active->c->variant) {
    Submit(active, OpExecutions::Kind::kBase);
    return nullptr;
  }
  const bool goes_on =
      WithinMemory(*active->c, [&] { return FinishOp(active); });
  return goes_on ? nullptr : active;
}

}  // namespace assay
