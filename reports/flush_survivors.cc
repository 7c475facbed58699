#include "reports/flush_survivors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace assay {

void FlushSurvivors::Add(const Verdict& verdict) {
  for (const std::string& text : verdict.flush) {
    const std::optional<FlushObservation> observation =
        FlushObservation::Parse(text);
    if (!observation) continue;  // the reader of results refuses these
    Evidence& evidence = by_subject_[{verdict.backend, observation->subject}];
    if (observation->survivors == 0) {
      if (evidence.unexplained++ == 0)
        evidence.first_unexplained =
            fmt::format("{} {}", verdict.case_name, observation->element);
      continue;
    }
    if ((evidence.survivors & ~observation->survivors) == 0) continue;
    evidence.survivors &= observation->survivors;
    evidence.elements.emplace_back(
        fmt::format("{} {}", verdict.case_name, observation->element),
        observation->survivors);
  }
}

int64_t FlushSurvivors::contradictions() const {
  return std::ranges::count_if(by_subject_, [&](const auto& entry) {
    return entry.second.survivors == 0 && !waived_.contains(entry.first);
  });
}

int64_t FlushSurvivors::ContradictionsOf(const std::string& backend) const {
  return std::ranges::count_if(by_subject_, [&](const auto& entry) {
    return entry.first.first == backend && entry.second.survivors == 0 &&
           !waived_.contains(entry.first);
  });
}

std::set<std::string> FlushSurvivors::Contradicted(
    const std::string& backend) const {
  std::set<std::string> subjects;
  for (const auto& [subject, evidence] : by_subject_) {
    if (subject.first == backend && evidence.survivors == 0)
      subjects.insert(subject.second);
  }
  return subjects;
}

std::string FlushSurvivors::ToText() const {
  std::string text;
  std::map<std::string, int64_t> kept;  // by backend
  for (const auto& [subject, evidence] : by_subject_) {
    const auto& [backend, op] = subject;
    const bool needs_none = (evidence.survivors & 1) != 0;
    if (needs_none && evidence.unexplained == 0) {
      ++kept[backend];
      continue;
    }
    text += fmt::format("Flushing by {}, {}: ", backend, op);
    const char* of = "";
    if (evidence.unexplained > 0) {
      text += fmt::format(
          "no way explains {} result{} of cases that fail, the first {}; ",
          evidence.unexplained, evidence.unexplained == 1 ? "" : "s",
          evidence.first_unexplained);
      of = " of the others";
    }
    if (needs_none) {
      text += fmt::format("none is needed to explain every element{}\n", of);
      continue;
    }
    if (evidence.survivors != 0) {
      text +=
          fmt::format("{} of {} ways explain every element{}: {}\n",
                      std::popcount(evidence.survivors), FlushChoices().size(),
                      of, FlushSetText(evidence.survivors));
      continue;
    }
    // The last element emptied the set. Only those of the other elements are
    // shown that are needed for that.
    text += fmt::format("no one way explains these elements together{}:\n",
                        waived_.contains(subject) ? ", which is known" : "");
    FlushSet left = evidence.elements.back().second;
    auto show = [&](const auto& element) {
      text += fmt::format("  {}\n    agrees with: {}\n", element.first,
                          FlushSetText(element.second));
    };
    show(evidence.elements.back());
    while (left != 0) {
      const auto& best = *std::ranges::max_element(
          evidence.elements, {}, [&](const auto& element) {
            return std::popcount(left & ~element.second);
          });
      show(best);
      left &= best.second;
    }
  }
  const char* const other = text.empty() ? "" : "other ";
  for (const auto& [backend, count] : kept)
    text += fmt::format(
        "Flushing by {}: none is needed to explain {} {}op{} and type{}.\n",
        backend, count, other, count == 1 ? "" : "s", count == 1 ? "" : "s");
  return text;
}

}  // namespace assay
