#include "cases/run/earlier_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "cases/run/runner.h"
#include "spec/printable_text.h"

namespace assay {

Verdict EarlierCalls::Judge(const Case& c) {
  executor_->Renew();
  return Runner(executor_, policy_).Run(c);
}

bool EarlierCalls::Fails(const std::vector<Case>& after) {
  tell_(fmt::format("{} after {} of the calls before it", case_.name,
                    after.size()));
  case_.after = after;
  const Outcome outcome = Judge(case_).outcome;
  return outcome == outcome_ || (EndsProcess(outcome) && EndsProcess(outcome_));
}

Dependence EarlierCalls::Search(const Case& c, Outcome outcome,
                                const std::vector<int64_t>& numbers,
                                const MakeEarlierCase& make,
                                Clock::time_point end) {
  Dependence found;
  case_ = c;
  case_.runs_twice = true;
  outcome_ = outcome;
  end_ = end;
  tell_(case_.name + " alone");
  found.alone = Judge(case_).outcome;
  if (found.alone == Outcome::kPass) {
    // Each case is taken once, where its first call was.
    std::vector<int64_t> distinct;
    std::unordered_set<int64_t> seen;
    for (const int64_t number : numbers) {
      if (seen.insert(number).second) distinct.push_back(number);
    }
    std::vector<Case> latest;  // the latest comes first
    size_t wanted = 1;
    for (size_t i = distinct.size(); i > 0 && !IsOver(); --i) {
      if (auto one = make(distinct[i - 1])) latest.push_back(std::move(*one));
      if (latest.size() < wanted && i > 1) continue;
      wanted *= 2;
      found.earlier = latest.size();
      if (latest.empty()) continue;
      std::vector<Case> after(latest.rbegin(), latest.rend());
      if (!Fails(after)) continue;
      found.after = Reduce(std::move(after));
      break;
    }
    found.is_complete = !IsOver();
  }
  executor_->Renew();
  return found;
}

// Delta debugging tries parts alone, and all but a part, in ever smaller parts.
std::vector<Case> EarlierCalls::Reduce(std::vector<Case> after) {
  for (size_t parts = 2; after.size() > 1 && !IsOver();) {
    const size_t size = (after.size() + parts - 1) / parts;
    std::optional<std::vector<Case>> less;
    bool is_part = false;
    // The last cases are the likeliest to matter.
    for (size_t end = after.size(); end > 0 && !less && !IsOver();
         end -= std::min(size, end)) {
      const auto from = after.begin() +
                        static_cast<std::ptrdiff_t>(end - std::min(size, end));
      const auto to = after.begin() + static_cast<std::ptrdiff_t>(end);
      std::vector<Case> part(from, to);
      std::vector<Case> rest(after.begin(), from);
      rest.insert(rest.end(), to, after.end());
      if (Fails(part)) {
        less = std::move(part);
        is_part = true;
      } else if (parts > 2 && Fails(rest)) {
        less = std::move(rest);
      }
    }
    if (less) {
      after = std::move(*less);
      parts = is_part ? 2 : std::max<size_t>(parts - 1, 2);
    } else if (size == 1) {
      break;
    } else {
      parts = std::min(2 * parts, after.size());
    }
  }
  return after;
}

std::string TextOf(const Dependence& dependence) {
  if (dependence.alone != Outcome::kPass) return "";
  if (dependence.earlier == 0)
    return "\n  is not the same each time: alone, in a new process, it passes, "
           "and its process had been given no case before";
  std::string text =
      "\n  depends on earlier calls: alone, in a new process, it passes";
  if (dependence.after.empty()) {
    return text + fmt::format(
                      "; it did not fail again after {} case(s) that its "
                      "process had been given before{}",
                      dependence.earlier,
                      dependence.is_complete ? "" : ", and the time was over");
  }
  text += fmt::format("; it fails after{}",
                      dependence.is_complete
                          ? ""
                          : ", in what was left when the time was over,");
  for (const Case& c : dependence.after) text += "\n    " + c.name;
  return text;
}

void JudgeAgain::Take(const Case& c, const std::vector<int64_t>& numbers,
                      const MakeEarlierCase& make, Verdict* verdict) {
  if (!IsJudged(verdict->outcome) || verdict->outcome == Outcome::kPass ||
      verdict->outcome == Outcome::kOracleSuspect || !c.after.empty() ||
      c.window)
    return;
  const std::lock_guard lock(mutex_);
  const std::string signature = fmt::format(
      "{} {} {}", verdict->op, verdict->type, Name(verdict->outcome));
  if (is_lost_ || judged_ >= options_.most || spent_ >= options_.time ||
      judged_of_[signature] >= options_.most_of_each)
    return;
  ++judged_;
  ++judged_of_[signature];
  const auto begin = EarlierCalls::Clock::now();
  try {
    if (!executor_) executor_ = options_.open();
    EarlierCalls search(executor_.get(), policy_, options_.tell);
    const Dependence found = search.Search(c, verdict->outcome, numbers, make,
                                           begin + options_.time - spent_);
    verdict->alone = found.alone;
    verdict->message += TextOf(found);
    for (const Case& before : found.after) {
      verdict->after.push_back(before.name);
      verdict->replay += " " + ShellFlag("--after", before.name);
    }
  } catch (const BackendError&) {
    is_lost_ = true;
    executor_.reset();
  }
  spent_ += std::chrono::duration_cast<std::chrono::milliseconds>(
      EarlierCalls::Clock::now() - begin);
}

}  // namespace assay
