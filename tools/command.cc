// Selecting cases from the command line.
#include "tools/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "cases/layout_sweep.h"
#include "cases/pattern.h"
#include "cases/runner.h"
#include "spec/error.h"

namespace assay {

CLI::Validator NotEmpty() {
  return CLI::Validator(
      [](std::string& text) {
        return std::string(text.empty() ? "must not be empty" : "");
      },
      "");
}

const Policy& PolicyFor(const std::string& name, bool is_ours) {
  if (!name.empty()) return Policy::Find(name);
  return Policy::Find(is_ours ? "assay" : "stablehlo");
}

std::vector<std::string> CommandLine(const CLI::App& command) {
  std::vector<std::string> line = {"assay", command.get_name()};
  // An option that is given twice is there twice, each time with all values.
  std::set<const CLI::Option*> seen;
  for (const CLI::Option* option : command.parse_order()) {
    if (!seen.insert(option).second) continue;
    if (!option->results().empty()) line.push_back(option->get_name());
    for (const std::string& value : option->results()) line.push_back(value);
  }
  return line;
}

int64_t ParseBytes(const std::string& text) {
  if (text.empty())
    return sysconf(_SC_PHYS_PAGES) / 4 * 3 * sysconf(_SC_PAGE_SIZE);
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const int shift = unit == ""    ? 0
                    : unit == "K" ? 10
                    : unit == "M" ? 20
                    : unit == "G" ? 30
                                  : -1;
  if (error != std::errc() || shift < 0 || value <= 0 ||
      value > (INT64_MAX >> std::max(shift, 0))) {
    throw InputError(
        "--memory", fmt::format("'{}' is not a size such as 512M or 3G", text));
  }
  return value << shift;
}

std::chrono::milliseconds ParseDuration(const std::string& flag,
                                        const std::string& text) {
  constexpr double kLongest = 1e9;  // seconds
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const double seconds = unit == "ms"                ? value / 1000
                         : unit == "s" || unit == "" ? value
                         : unit == "m"               ? value * 60
                         : unit == "h"               ? value * 3600
                                                     : -1;
  if (error != std::errc() || !(seconds >= 0.001 && seconds <= kLongest))
    throw InputError(
        flag,
        fmt::format("'{}' is not a time such as 500ms, 60s or 10m", text));
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

void SuiteFlags::AddLayoutsTo(CLI::App& command) {
  command
      .add_option("--layouts", layouts,
                  "all: every case again in each of the layouts, beside the "
                  "same call in row-major order, and with the relations that "
                  "hold for every function of elements")
      ->check(CLI::IsMember({"none", "all"}))
      ->capture_default_str();
}

void SuiteFlags::AddAfterTo(CLI::App& command) {
  command
      .add_option("--after", after,
                  "Each case in a new process, which is given this case first; "
                  "several, in their order")
      ->check(NotEmpty())
      ->type_name("CASE");
}

void SuiteFlags::AddTo(CLI::App& command) {
  command
      .add_option("--cases", cases,
                  "Case files and folders; exactly what lies under them runs. "
                  "Default: the suite")
      ->type_name("PATH");
  command
      .add_option(
          "--op", ops,
          "Only cases whose op is NAME, or whose name:type matches the pattern")
      ->type_name("NAME|PATTERN");
  command
      .add_option(
          "--memory", memory,
          "What the tensors of a case may take, and a worker beside them, "
          "such as 512M or 3G. "
          "Default: 3/4 of the physical memory")
      ->type_name("BYTES");
}

std::vector<std::string> SuiteFlags::Paths() const {
  return cases.empty() ? DefaultSuite() : cases;
}

std::string SuiteFlags::ToText() const {
  std::string text;
  for (const std::string& path : cases)
    text += fmt::format(" --cases '{}'", path);
  if (!memory.empty()) text += fmt::format(" --memory {}", memory);
  for (const std::string& name : after)
    text += fmt::format(" --after '{}'", name);
  return text;
}

namespace {

// Of names of cases.
std::set<std::string> OpsOf(const std::vector<std::string>& names) {
  std::set<std::string> ops;
  for (const std::string& name : names)
    ops.insert(name.substr(0, name.find('/')));
  return ops;
}

}  // namespace

std::vector<Case> FindEarlier(const std::vector<Case>& suite,
                              const std::vector<std::string>& names) {
  std::vector<Case> earlier;
  for (const std::string& name : names) {
    const size_t at = std::min(name.rfind('@'), name.size());
    const auto c = std::ranges::find(suite, name.substr(0, at), &Case::name);
    if (c == suite.end())
      throw InputError("--after", fmt::format("no case '{}'", name));
    if (c->trait || !c->is_static || c->chunk > 0 || !c->after.empty())
      throw InputError("--after", name + " is no call that runs by itself");
    const std::string kind = name.substr(std::min(at + 1, name.size()));
    const auto is_kind = [&](const SweepKind& k) { return kind == k.name; };
    if (at != name.size() &&
        (!std::ranges::any_of(SweepKinds(), is_kind) || !IsSwept(*c, kind)))
      throw InputError("--after", fmt::format("no case '{}'", name));
    earlier.push_back(MadeEarlier(at == name.size() ? *c : Swept(*c, kind)));
    RequireConstraints(earlier.back());
  }
  return earlier;
}

std::vector<Case> SuiteFlags::Read() const {
  ReadOptions options{ParseBytes(memory), {}};
  bool is_of_some_ops = true;
  for (const std::string& op : ops) {
    const size_t end = op.find_first_of("*?[\\/:");
    if (end == std::string::npos && FindOp(op) == nullptr)
      throw InputError("--op",
                       fmt::format("unknown op '{}' (`assay list ops`)", op));
    // "add/x*" matches names that begin with their op.
    is_of_some_ops &= end == std::string::npos || op[end] == '/';
    options.ops.insert(op.substr(0, end));
  }
  if (!is_of_some_ops) options.ops.clear();
  std::vector<Case> chosen = ReadChosen(options);
  if (after.empty()) return chosen;
  const std::vector<Case> earlier = FindEarlier(
      ReadSuite(Paths(), {options.memory_limit, OpsOf(after)}), after);
  for (Case& c : chosen) {
    if (c.sweeps) c = Made(c);
    if (c.chunk > 0)
      throw InputError("--after",
                       c.name + " is a sweep, judged in many processes");
    c.after = earlier;
  }
  return chosen;
}

std::vector<Case> SuiteFlags::ReadChosen(const ReadOptions& options) const {
  std::vector<Case> suite = ReadSuite(Paths(), options);
  const auto names_layout = [](const std::string& op) {
    return op.find('@') != std::string::npos;
  };
  if (layouts != "none" || std::ranges::any_of(ops, names_layout))
    return WithSweeps(std::move(suite));
  if (ops.empty()) return suite;
  std::erase_if(suite, [&](const Case& c) { return !IsChosen(c); });
  return suite;
}

bool SuiteFlags::IsChosen(const Case& c) const {
  return ops.empty() || std::ranges::any_of(ops, [&](const std::string& op) {
           return op == c.op || Matches(op, c);
         });
}

std::vector<Case> SuiteFlags::WithSweeps(std::vector<Case> suite) const {
  std::vector<Case> chosen;
  const std::vector<SweepKind> kinds = SweepKinds();
  for (Case& c : suite) {
    const bool is_chosen = IsChosen(c);
    std::vector<std::string> swept;
    for (const SweepKind& kind : kinds) {
      const std::string name = c.name + "@" + kind.name;
      const auto names_it = [&](const std::string& op) {
        return Matches(op, name, c.TypeText());
      };
      if ((is_chosen && layouts != "none") ||
          std::ranges::any_of(ops, names_it)) {
        if (IsSwept(c, kind.name)) swept.push_back(kind.name);
      }
    }
    if (swept.empty()) {
      if (is_chosen) chosen.push_back(std::move(c));
      continue;
    }
    const auto base = std::make_shared<const Case>(std::move(c));
    if (is_chosen) chosen.push_back(*base);
    for (const std::string& kind : swept) chosen.push_back(Unmade(base, kind));
  }
  return chosen;
}

namespace {

Case FindWritten(const std::string& argument) {
  ReadOptions options{ParseBytes(""), {}};
  const size_t hash = argument.find(".json#");
  if (hash != std::string::npos || argument.ends_with(".json")) {
    const std::string file =
        argument.substr(0, hash == std::string::npos ? hash : hash + 5);
    std::vector<Case> cases = ReadCaseFile(file, options);
    if (hash != std::string::npos) {
      const std::string id = argument.substr(hash + 6);
      for (Case& c : cases) {
        if (c.name == c.op + "/" + id) return std::move(c);
      }
      throw InputError(file, fmt::format("no case '{}'", id));
    }
    if (cases.size() != 1)
      throw InputError(file, fmt::format("holds {} cases; name one: {}#ID",
                                         cases.size(), file));
    return std::move(cases[0]);
  }
  options.ops = {argument.substr(0, argument.find('/'))};
  for (Case& c : ReadSuite(DefaultSuite(), options)) {
    if (c.name == argument) return std::move(c);
  }
  throw InputError(
      "",
      fmt::format("no case '{}' in the suite (`assay list cases`)", argument));
}

}  // namespace

Case FindCase(const std::string& argument) {
  const size_t at = argument.rfind('@');
  if (at == std::string::npos) return FindWritten(argument);
  const Case c = FindWritten(argument.substr(0, at));
  const std::string kind = argument.substr(at + 1);
  const std::vector<SweepKind> kinds = SweepKinds();
  if (std::ranges::find(kinds, kind, &SweepKind::name) == kinds.end())
    throw InputError(
        "", fmt::format("no layout '{}' (`assay list layouts`)", kind));
  if (!IsSwept(c, kind))
    throw InputError(c.where, fmt::format("the layout '{}' changes nothing of "
                                          "{}",
                                          kind, c.name));
  return Swept(c, kind);
}

}  // namespace assay
