// One table has three forms. The totals leave out equivalent bugs, which
// nothing can kill.
#include "tools/mutants/mutants_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cases/read/json.h"
#include "spec/error.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool IsKilled(const Mutant& mutant) { return mutant.suite->IsKilled(); }
bool IsEquivalent(const Mutant& mutant) {
  return !mutant.bug.equivalent.empty();
}

// Returns what killed a bug that, by its argument, nothing kills.
std::vector<std::string> Refutations(const Mutant& mutant) {
  std::vector<std::string> by;
  if (!IsEquivalent(mutant)) return by;
  if (mutant.suite && IsKilled(mutant)) by.push_back(mutant.suite->by);
  for (const auto& [arm, search] : mutant.searches) {
    if (search.Kills() > 0) by.push_back(search.by.empty() ? arm : search.by);
  }
  return by;
}

// Returns the cases of its kind that do not show a bug of walks.
std::string SurvivedBy(const SuiteResult& suite) {
  std::vector<std::string> cases;
  for (const auto& [op, cell] : suite.ops)
    cases.insert(cases.end(), cell.silent.begin(), cell.silent.end());
  return cases.empty() ? "" : fmt::format(" (by {})", fmt::join(cases, ", "));
}

int64_t Count(const std::vector<Mutant>& mutants, auto predicate) {
  return std::ranges::count_if(mutants, predicate);
}

std::string SoundText(const char* how, const SoundResult& sound) {
  std::vector<std::string> counts;
  int64_t cases = 0;
  for (const auto& [outcome, count] : sound.outcomes) {
    counts.push_back(fmt::format("{} {}", count, Name(outcome)));
    cases += count;
  }
  std::string text = fmt::format("without a bug{}: {} cases, {}\n", how, cases,
                                 fmt::join(counts, ", "));
  for (const std::string& name : sound.failures)
    text += fmt::format("  not passed: {}\n", name);
  return text;
}

}  // namespace

bool SuiteResult::IsKilled() const {
  return cases > 0 && std::ranges::none_of(ops, [](const auto& op) {
           return !op.second.silent.empty();
         });
}

int64_t SoundResult::judged() const {
  int64_t count = 0;
  for (const auto& [outcome, n] : outcomes) count += IsJudged(outcome) ? n : 0;
  return count;
}

Interval WilsonInterval(int64_t hits, int64_t of) {
  constexpr double kZ = 1.959963984540054;  // 97.5 % of the normal distribution
  if (of == 0) return {0, 1};
  const double n = static_cast<double>(of), p = static_cast<double>(hits) / n;
  const double middle = p + kZ * kZ / (2 * n);
  const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  return {std::max(0.0, (middle - half) / scale),
          std::min(1.0, (middle + half) / scale)};
}

bool MutantsReport::IsComplete() const {
  if (!found_on_sound.empty()) return false;
  const bool is_refuted = std::ranges::any_of(
      mutants, [](const Mutant& m) { return !Refutations(m).empty(); });
  if (is_refuted) return false;
  if (!sound) {
    return std::ranges::all_of(mutants, [](const Mutant& mutant) {
      const auto search = mutant.searches.find("fuzz");
      return search == mutant.searches.end() || search->second.IsKilled() ||
             IsEquivalent(mutant);
    });
  }
  if (sound_programs && !sound_programs->failures.empty()) return false;
  return sound->failures.empty() &&
         std::ranges::all_of(mutants, [](const Mutant& mutant) {
           return IsKilled(mutant) || IsEquivalent(mutant);
         });
}

std::vector<std::string> MutantsReport::SearchArms() const {
  std::vector<std::string> arms;
  for (const Mutant& mutant : mutants) {
    for (const auto& [arm, result] : mutant.searches) {
      if (std::ranges::find(arms, arm) == arms.end()) arms.push_back(arm);
    }
  }
  std::ranges::sort(arms, std::ranges::greater());  // fuzz, engine2
  return arms;
}

bool MutantsReport::IsKilledByControl(const Mutant& mutant) const {
  return 2 * mutant.control->kills > control->seeds;
}

std::vector<std::vector<std::string>> MutantsReport::Table() const {
  std::vector<std::vector<std::string>> table = {
      {"bug", "hook", "what it does"}};
  if (sound) {
    for (const char* column : {"suite", "first case", "cases"})
      table[0].push_back(column);
  }
  for (const std::string& arm : SearchArms()) {
    table[0].push_back(arm);
    table[0].push_back("kills");
  }
  if (control) table[0].push_back("control");
  for (const Mutant& mutant : mutants) {
    auto& row = table.emplace_back();
    row = {mutant.bug.id, mutant.bug.hook, mutant.bug.description};
    if (sound) {
      row.push_back(IsKilled(mutant)       ? Name(mutant.suite->how)
                    : IsEquivalent(mutant) ? "equivalent"
                                           : "SURVIVES");
      row.push_back(mutant.suite->by);
      row.push_back(fmt::format(
          "{}{}", mutant.suite->is_all ? "" : ">= ", mutant.suite->cases));
    }
    for (const std::string& arm : SearchArms()) {
      const SearchResult& search = mutant.searches.at(arm);
      row.push_back(search.IsKilled()
                        ? fmt::format("{} {}", search.Median(), search.how)
                        : fmt::format("> {}", search.budget));
      row.push_back(
          fmt::format("{}/{}", search.Kills(), search.executions.size()));
    }
    if (control)
      row.push_back(
          fmt::format("{}/{}", mutant.control->kills, control->seeds));
  }
  return table;
}

std::string MutantsReport::SuiteSummary() const {
  const int64_t killed = Count(mutants, IsKilled);
  const int64_t equivalent = Count(mutants, [](const Mutant& mutant) {
    return IsEquivalent(mutant) && !IsKilled(mutant);
  });
  return fmt::format(
      "suite: {} of {} killed, {} equivalent, {} survive", killed,
      mutants.size(), equivalent,
      static_cast<int64_t>(mutants.size()) - killed - equivalent);
}

std::string MutantsReport::Walks() const {
  std::vector<WalkResult> results;
  for (const Mutant& mutant : mutants) {
    if (mutant.suite && !mutant.suite->ops.empty())
      results.push_back(
          {mutant.bug.walk, mutant.bug.description, mutant.suite->ops});
  }
  return WalkTable(results, walk_gaps);
}

// The medians are over the bugs that were killed; the interval is that of the
// rate of killed bugs.
std::string MutantsReport::SearchSummary(const std::string& arm) const {
  int64_t killed = 0, killable = 0;
  std::vector<int64_t> medians;
  std::vector<std::string> survivors;
  int64_t budget = 0;
  size_t seeds = 0;
  for (const Mutant& mutant : mutants) {
    if (IsEquivalent(mutant)) continue;
    const SearchResult& search = mutant.searches.at(arm);
    budget = search.budget;
    seeds = search.executions.size();
    ++killable;
    killed += search.IsKilled();
    if (search.IsKilled()) {
      medians.push_back(search.Median());
    } else {
      survivors.push_back(
          fmt::format("{} ({}/{})", mutant.bug.id, search.Kills(), seeds));
    }
  }
  std::ranges::sort(medians);
  const Interval interval = WilsonInterval(killed, killable);
  const auto quantile = [&](size_t percent) {
    return medians.empty() ? 0 : medians[(medians.size() - 1) * percent / 100];
  };
  return fmt::format(
      "{}: {} of {} killed within {} cases, in the median of {} seeds ({:.0f} "
      "%, Wilson 95 % interval {:.0f} to {:.0f} %); cases to a kill: median "
      "{}, 90 % {}, most {}{}",
      arm, killed, killable, budget, seeds,
      killable == 0
          ? 0.0
          : 100.0 * static_cast<double>(killed) / static_cast<double>(killable),
      100 * interval.low, 100 * interval.high, quantile(50), quantile(90),
      quantile(100),
      survivors.empty() ? ""
                        : fmt::format("\n  survivors (seeds that killed): {}",
                                      fmt::join(survivors, ", ")));
}

std::string MutantsReport::ControlSummary() const {
  int64_t killed = 0, killable = 0;
  for (const Mutant& mutant : mutants) {
    if (IsEquivalent(mutant)) continue;
    ++killable;
    killed += IsKilledByControl(mutant);
  }
  const Interval interval = WilsonInterval(killed, killable);
  return fmt::format(
      "control, {}: {} of {} killed ({:.0f} %, Wilson 95 % interval {:.0f} to "
      "{:.0f} %)",
      control->closeness, killed, killable,
      killable == 0
          ? 0.0
          : 100.0 * static_cast<double>(killed) / static_cast<double>(killable),
      100 * interval.low, 100 * interval.high);
}

std::string MutantsReport::ToText() const {
  std::string text;
  std::vector<size_t> widths;
  const auto table = Table();
  // The description is in the catalogue and would not fit a terminal.
  constexpr size_t kDescription = 2;
  for (const auto& row : table) {
    widths.resize(row.size());
    for (size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], row[k].size());
  }
  for (const auto& row : table) {
    std::string line;
    for (size_t k = 0; k < row.size(); ++k) {
      if (k != kDescription) line += fmt::format("{:<{}}  ", row[k], widths[k]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  text += "\n";
  for (const Mutant& mutant : mutants) {
    if (IsEquivalent(mutant))
      text += fmt::format("equivalent {}: {}\n", mutant.bug.id,
                          mutant.bug.equivalent);
    for (const std::string& by : Refutations(mutant))
      text += fmt::format("  refuted by {}\n", by);
    if (sound && !IsKilled(mutant) && !IsEquivalent(mutant))
      text += fmt::format("survives {}: {}{}\n", mutant.bug.id,
                          mutant.bug.description, SurvivedBy(*mutant.suite));
  }
  if (sound) {
    text += SoundText("", *sound);
    if (sound_programs)
      text += SoundText(" as whole programs", *sound_programs);
    text += Walks() + SuiteSummary() + "\n";
  }
  for (const std::string& arm : SearchArms()) text += SearchSummary(arm) + "\n";
  for (const std::string& found : found_on_sound)
    text += fmt::format("  without a bug: {}\n", found);
  if (control) {
    text += fmt::format(
        "{}\n  {} calls a seed, killed if more than half of {} seeds kill; {} "
        "elements compared, {} not (the policy accepts any value)\n",
        ControlSummary(), control->calls, control->seeds, control->compared,
        control->open);
  }
  return text;
}

std::string MutantsReport::ToMarkdown() const {
  const auto table = Table();
  std::string text = "# Planted bugs\n\n";
  for (size_t r = 0; r < table.size(); ++r) {
    std::vector<std::string> cells;
    for (const std::string& cell : table[r]) {
      std::string& escaped = cells.emplace_back();
      for (const char c : cell) {
        if (c == '|') escaped += '\\';
        escaped += c;
      }
    }
    text += fmt::format("| {} |\n", fmt::join(cells, " | "));
    if (r == 0) {
      text += "|";
      for (size_t k = 0; k < cells.size(); ++k) text += "---|";
      text += "\n";
    }
  }
  for (const Mutant& mutant : mutants) {
    if (IsEquivalent(mutant))
      text += fmt::format("\n{} is equivalent: {}\n", mutant.bug.id,
                          mutant.bug.equivalent);
  }
  if (const std::string walks = sound ? Walks() : ""; !walks.empty())
    text += fmt::format("\n```\n{}```\n", walks);
  if (sound) text += fmt::format("\n{}\n", SuiteSummary());
  for (const std::string& arm : SearchArms())
    text += fmt::format("\n{}\n", SearchSummary(arm));
  if (control) text += fmt::format("\n{}\n", ControlSummary());
  return text;
}

std::string MutantsReport::ToJsonLines(
    const std::vector<std::string>& command,
    const std::vector<std::string>& suite) const {
  std::string lines;
  const auto add = [&](const Json& json) { lines += json.dump() + "\n"; };
  Json head = {{"kind", "mutants"}, {"format", 1}, {"assay", ASSAY_VERSION}};
  head["command"] = command;
  head["suite"] = {{"paths", suite}, {"cases", cases}};
  if (sound) {
    for (const auto& [outcome, count] : sound->outcomes)
      head["without_a_bug"][Name(outcome)] = count;
  }
  if (sound_programs) {
    for (const auto& [outcome, count] : sound_programs->outcomes)
      head["programs_without_a_bug"][Name(outcome)] = count;
  }
  add(head);
  for (const Mutant& mutant : mutants) {
    Json json = {{"kind", "mutant"}, {"bug", mutant.bug.id}};
    json["family"] = mutant.bug.family;
    json["hook"] = mutant.bug.hook;
    if (IsEquivalent(mutant)) json["equivalent"] = mutant.bug.equivalent;
    if (sound) {
      Json line = json;
      line["arm"] = "suite";
      line["killed"] = IsKilled(mutant);
      line["clauses"] = mutant.suite->clauses;
      if (IsKilled(mutant)) {
        line["by"] = mutant.suite->by;
        line["how"] = Name(mutant.suite->how);
      }
      line["cases"] = mutant.suite->cases;
      if (!mutant.suite->ops.empty()) {
        line["walk"] = mutant.bug.walk;
        for (const auto& [op, cell] : mutant.suite->ops)
          line["ops"][op] = {{"cases", cell.cases}, {"silent", cell.silent}};
      }
      add(line);
    }
    for (const std::string& arm : SearchArms()) {
      const SearchResult& search = mutant.searches.at(arm);
      Json line = json;
      line["arm"] = arm;
      line["killed"] = search.IsKilled();
      line["clauses"] = Json::array();
      if (!search.by.empty()) line["by"] = search.by;
      if (!search.how.empty()) line["how"] = search.how;
      line["budget"] = search.budget;
      line["kills"] = search.Kills();
      line["seeds"] = search.executions.size();
      line["executions"] = search.executions;
      add(line);
    }
    if (control) {
      Json line = json;
      line["arm"] = "control";
      line["closeness"] = control->closeness;
      line["killed"] = IsKilledByControl(mutant);
      line["clauses"] = Json::array();
      if (mutant.control->kills > 0) {
        line["by"] = mutant.control->first.by;
        line["how"] = mutant.control->first.how;
      }
      line["kills"] = mutant.control->kills;
      line["seeds"] = control->seeds;
      add(line);
    }
  }
  return lines;
}

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), partial_(path_ + ".partial") {
  if (path_.empty()) return;
  // The rename at the end would replace a device or a pipe.
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_regular_file(path_, error))
    throw InputError(path_, "is not a regular file");
  stream_.open(partial_, std::ios::binary);
  if (!stream_)
    throw InputError(
        path_, fmt::format("cannot be written: {}", std::strerror(errno)));
}

OutputFile::~OutputFile() {
  std::error_code error;
  if (stream_.is_open()) fs::remove(partial_, error);
}

void OutputFile::Write(const std::string& content) {
  if (path_.empty()) return;
  stream_ << content << std::flush;
  if (!stream_ || std::rename(partial_.c_str(), path_.c_str()) != 0)
    throw InputError(
        path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  stream_.close();
}

}  // namespace assay
