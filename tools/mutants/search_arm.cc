#include "tools/mutants/search_arm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <regex>
#include <thread>

#include "cases/read/pattern.h"
#include "fuzz/campaign/campaign.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// A planted hang never ends, so a short limit is enough.
constexpr std::chrono::milliseconds kTimeout(1000);

CampaignOptions OptionsFor(const std::string& backend,
                           Granularity granularity) {
  CampaignOptions options;
  options.backend = backend;
  options.policy = &Policy::Find("assay");
  options.open.limits.timeout = kTimeout;
  options.open.how.granularity = granularity;
  options.jobs = JobsOn(backend);
  // Every case runs twice, because some bugs show in run B only.
  options.run_b_every = 1;
  return options;
}

}  // namespace

int JobsOn(const std::string& backend) {
  constexpr int kMostOnGpu = 4;
  const int processors =
      static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const bool is_on_gpu = backend.ends_with("device=cuda") ||
                         backend.find("device=cuda&") != std::string::npos;
  return is_on_gpu ? std::min(processors, kMostOnGpu) : processors;
}

int SearchResult::Kills() const {
  return static_cast<int>(std::ranges::count_if(
      executions, [&](int64_t n) { return n <= budget; }));
}

int64_t SearchResult::Median() const {
  std::vector<int64_t> sorted = executions;
  std::ranges::sort(sorted);
  return sorted.at(sorted.size() / 2);
}

SearchArm::SearchArm(std::string sound, std::vector<std::string> ops, int seeds,
                     int64_t budget, std::string engine2)
    : sound_(std::move(sound)),
      ops_(std::move(ops)),
      seeds_(seeds),
      budget_(budget),
      engine2_(std::move(engine2)) {}

Generator* SearchArm::GeneratorOf(const std::vector<std::string>& ops,
                                  bool is_of_programs) {
  std::unique_ptr<Generator>& generator = generators_[{ops, is_of_programs}];
  if (!generator) {
    DrawOptions draw;
    if (is_of_programs) draw.percent_programs = kPercentOfPrograms;
    draw.ops = ops;
    draw.only_pointwise_violations = true;
    generator = std::make_unique<Generator>(draw);
  }
  return generator.get();
}

std::vector<std::string> SearchArm::OpsOf(const PlantedBug& bug) const {
  std::vector<std::string> ops;
  for (const OpSpec& spec : Ops()) {
    const bool is_chosen =
        ops_.empty() ||
        std::ranges::any_of(ops_, [&](const std::string& pattern) {
          return Matches(pattern, spec.id, "");
        });
    // Only a backend of programs sees an op that controls others, and a program
    // needs the other ops, too.
    if (spec.executable && (!spec.control || bug.is_of_programs) && is_chosen &&
        (bug.is_of_programs || bug.AppliesTo(spec.id)))
      ops.push_back(spec.id);
  }
  return ops;
}

SearchResult SearchArm::Search(const PlantedBug& bug) {
  SearchResult result;
  result.budget = budget_;
  for (int seed = 1; seed <= seeds_; ++seed)
    result.executions.push_back(
        SearchOnce(bug, static_cast<uint64_t>(seed), &result));
  return result;
}

int64_t SearchArm::SearchOnce(const PlantedBug& bug, uint64_t seed,
                              SearchResult* result) {
  const std::vector<std::string> ops = OpsOf(bug);
  if (ops.empty()) return budget_ + 1;
  if (!engine2_.empty()) return RunEngine2(bug, seed, result);
  CampaignOptions options = OptionsFor(bug.Backend(), bug.Runs());
  options.seed = seed;
  options.count = static_cast<uint64_t>(budget_);
  options.most_findings = 1;
  CampaignState state;
  Campaign(options, GeneratorOf(ops, bug.is_of_programs))
      .Run(
          &state, [](const Finding&) {}, [](const CampaignState&) {});
  const Finding* first = nullptr;
  for (const auto& [signature, finding] : state.findings) {
    if (first == nullptr || finding.index < first->index) first = &finding;
  }
  if (first == nullptr) return budget_ + 1;
  if (result->by.empty()) {
    result->by = first->case_name;
    result->how = Name(first->outcome);
  }
  return static_cast<int64_t>(first->index) + 1;
}

std::vector<std::string> SearchArm::SearchSound() {
  if (!engine2_.empty()) return {};
  CampaignOptions options = OptionsFor(sound_, Granularity::kOp);
  options.count = static_cast<uint64_t>(budget_);
  CampaignState state;
  Campaign(options, GeneratorOf(ops_, false))
      .Run(
          &state, [](const Finding&) {}, [](const CampaignState&) {});
  std::vector<std::string> found;
  for (const auto& [signature, finding] : state.findings)
    found.push_back(finding.case_name + ": " + signature);
  return found;
}

int64_t SearchArm::RunEngine2(const PlantedBug& bug, uint64_t seed,
                              SearchResult* result) const {
  const std::string command = fmt::format(
      "ASSAY_FUZZ_BACKEND={} ASSAY_FUZZ_OPS={} ASSAY_FUZZ_STOP=1 "
      "{} -seed={} -runs={} -timeout=5 -detect_leaks=0 -print_funcs=0 "
      "-exact_artifact_path=/dev/null 2>&1",
      ShellWord(bug.Backend()),
      ShellWord(fmt::format("{}", fmt::join(OpsOf(bug), ","))),
      ShellPath(engine2_), seed, budget_);
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw InputError(engine2_, "cannot be started");
  std::string output;
  char buffer[4096];
  for (size_t size; (size = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    output.append(buffer, size);
    // The lines that matter are at the end.
    if (output.size() > 1 << 20) output.erase(0, 1 << 19);
  }
  const int status = pclose(pipe);
  std::smatch match;
  const bool is_killed = std::regex_search(
      output, match, std::regex("assay: killed after ([0-9]+) executions"));
  if (is_killed) {
    if (result->how.empty()) result->how = "fail";
    return std::min(std::stoll(match[1]), static_cast<long long>(budget_));
  }
  if (status == 0) return budget_ + 1;
  // A planted crash or hang ends the process, and libFuzzer says where it was.
  const std::regex at("#([0-9]+)");
  int64_t last = 1;
  for (std::sregex_iterator it(output.begin(), output.end(), at), end;
       it != end; ++it)
    last = std::stoll((*it)[1]);
  if (output.find("libFuzzer: ") == std::string::npos &&
      output.find("Sanitizer") == std::string::npos)
    throw InputError(
        engine2_,
        "did not run: " + output.substr(output.size() -
                                        std::min<size_t>(output.size(), 300)));
  if (result->how.empty())
    result->how =
        output.find("timeout") != std::string::npos ? "timeout" : "crash";
  return std::min(last, budget_);
}

}  // namespace assay
