// This file selects cases from the command line.
#include "tools/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <unordered_set>

#include "absl/time/time.h"
#include "cases/read/mlir_cases.h"
#include "cases/read/no_match.h"
#include "cases/read/pattern.h"
#include "cases/read/policy_file.h"
#include "cases/run/parallel.h"
#include "cases/run/runner.h"
#include "cases/variants/layout_variants.h"
#include "reports/print.h"
#include "spec/error.h"
#include "spec/nearest.h"
#include "spec/printable_text.h"

namespace assay {

CLI::Validator NotEmpty() {
  return CLI::Validator(
      [](std::string& text) {
        return std::string(text.empty() ? "must not be empty" : "");
      },
      "");
}

const Policy& PolicyFor(const std::string& name, bool is_ours) {
  if (name.empty()) return Policy::Find(is_ours ? "assay" : "stablehlo");
  if (!IsPolicyFile(name)) return Policy::Find(name);
  // A file is read once, so that every backend of a run is judged by the same
  // policy.
  static std::map<std::string, Policy> files;
  auto it = files.find(name);
  if (it == files.end()) it = files.emplace(name, ReadPolicyFile(name)).first;
  return it->second;
}

std::string PolicyValueText(const Policy& policy, const std::string& key) {
  std::string text = fmt::format("{} = {}", key, policy.Get(key));
  if (policy.file().empty()) return text;
  std::vector<std::string> notes;
  const std::string& of_base = Policy::Find(policy.base()).Get(key);
  if (of_base != policy.Get(key))
    notes.push_back(fmt::format("{}: {}", policy.base(), of_base));
  if (const auto reason = policy.reasons().find(key);
      reason != policy.reasons().end())
    notes.push_back(reason->second);
  if (notes.empty()) return text;
  return fmt::format("{} ({})", text, fmt::join(notes, "; "));
}

std::vector<std::string> CommandLine(const CLI::App& command) {
  std::vector<std::string> line = {"assay", command.get_name()};
  // parse_order() lists an option that is given twice two times, each time with
  // all values.
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
        "--memory",
        fmt::format("'{}' is not a size such as 512M or 3G", Cut(text)));
  }
  return value << shift;
}

std::chrono::milliseconds ParseDuration(const std::string& flag,
                                        const std::string& text) {
  constexpr absl::Duration kLongest = absl::Seconds(1'000'000'000);
  const bool is_number =
      text.find_first_not_of("0123456789.") == std::string::npos;
  absl::Duration time;
  if (!absl::ParseDuration(is_number ? text + "s" : text, &time) ||
      time < absl::Milliseconds(1) || time > kLongest) {
    throw InputError(
        flag,
        fmt::format("'{}' is not a time such as 500ms, 60s or 10m", Cut(text)));
  }
  return absl::ToChronoMilliseconds(time);
}

void AddMemoryTo(CLI::App& command, std::string* memory) {
  command
      .add_option(
          "--memory", *memory,
          "What each of these may take, such as 512M or 3G: the tensors of a "
          "case, the values of a file, results, a worker. "
          "Default: 3/4 of the physical memory")
      ->type_name("BYTES");
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
  AddText(command, "--after", &after, "CASE",
          "Each case in a new process, which is given this case first; "
          "several, in their order");
}

void SuiteFlags::AddTo(CLI::App& command) {
  command
      .add_option("--cases", cases,
                  "Case files (.json, .mlir) and folders; exactly what lies "
                  "under them runs. Default: the suite")
      ->type_name("PATH");
  command
      .add_option(
          "--op", ops,
          "Only cases whose op is NAME, or whose name:type matches the pattern")
      ->type_name("NAME|PATTERN");
  AddMemoryTo(command, &memory);
}

std::vector<std::string> SuiteFlags::Paths() const {
  return cases.empty() ? DefaultSuite() : cases;
}

std::string SuiteFlags::ToText() const {
  std::string text;
  for (const std::string& path : cases)
    text += " " + ShellFlag("--cases", path);
  if (!memory.empty()) text += " " + ShellFlag("--memory", memory);
  for (const std::string& name : after)
    text += " " + ShellFlag("--after", name);
  return text;
}

// These are the values of --op. Those without a special character, of which
// there may be as many as cases, are looked up.
class SuiteFlags::OpPatterns {
 public:
  explicit OpPatterns(const std::vector<std::string>& ops) {
    for (const std::string& op : ops) {
      if (op.find_first_of("*?[\\") == std::string::npos) {
        names_.insert(op);
      } else {
        globs_.push_back(op);
      }
    }
  }

  // Returns whether a case of that name is chosen by its name or its type.
  bool Match(const std::string& name, const std::string& type) const {
    return names_.contains(name) || names_.contains(name + ":" + type) ||
           std::ranges::any_of(globs_, [&](const std::string& glob) {
             return Matches(glob, name, type);
           });
  }
  // Returns whether the case is chosen by its name, its type or its op. Without
  // any value every case is.
  bool Choose(const Case& c) const {
    if (names_.empty() && globs_.empty()) return true;
    return names_.contains(c.op) || Match(c.name, c.TypeText());
  }

 private:
  std::unordered_set<std::string> names_;
  std::vector<std::string> globs_;
};

namespace {

std::vector<std::string> NamesOf(const std::vector<VariantKind>& kinds) {
  std::vector<std::string> names;
  for (const VariantKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

// A deferred variant has no types of its own before it is made.
std::string TypeTextOf(const Case& c) {
  return (c.original ? *c.original : c).TypeText();
}

CaseNames NamesOf(const std::vector<Case>& cases) {
  CaseNames names;
  for (const Case& c : cases) names.emplace_back(c.name, TypeTextOf(c));
  return names;
}

// Returns the ops of cases from the names of the cases.
std::set<std::string> OpsOf(const std::vector<std::string>& names) {
  std::set<std::string> ops;
  for (const std::string& name : names)
    ops.insert(name.substr(0, name.find('/')));
  return ops;
}

}  // namespace

void PrintCases(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    std::string invalid;
    if (!c.violates.empty()) {
      invalid =
          fmt::format("violates {}",
                      fmt::join(c.violates, c.verified_text ? " or " : ", "));
    } else if (c.verified_text) {
      invalid = c.MustBeRefused() ? "must be refused" : "must be accepted";
    }
    PrintText("{:<48} {:<24} {}\n", c.name, TypeTextOf(c), invalid);
  }
}

void RequireOp(const std::string& where, const std::string& name) {
  if (FindOp(name) != nullptr) return;
  throw InputError(where,
                   fmt::format("unknown op '{}'{}; `assay list ops` has all",
                               Cut(name), DidYouMean(name, OpIds())));
}

std::vector<Case> FindEarlier(const std::vector<Case>& suite,
                              const std::vector<std::string>& names) {
  std::vector<Case> earlier;
  for (const std::string& name : names) {
    const size_t at = std::min(name.rfind('@'), name.size());
    const auto c = std::ranges::find(suite, name.substr(0, at), &Case::name);
    if (c == suite.end())
      throw InputError("--after", NoCase(name.substr(0, at), NamesOf(suite)));
    if (c->trait || !c->Runs() || c->chunk > 0 || !c->after.empty())
      throw InputError("--after", name + " is no call that runs by itself");
    const std::string kind = name.substr(std::min(at + 1, name.size()));
    const auto is_kind = [&](const VariantKind& k) { return kind == k.name; };
    if (at != name.size() && (!std::ranges::any_of(VariantKinds(), is_kind) ||
                              !HasVariant(*c, kind)))
      throw InputError("--after", fmt::format("no case '{}'", name));
    earlier.push_back(
        MadeEarlier(at == name.size() ? *c : VariantOf(*c, kind)));
    RequireConstraints(earlier.back());
  }
  return earlier;
}

std::vector<Case> SuiteFlags::Read(int threads,
                                   std::vector<LeftOut>* left_out) const {
  ReadOptions options{ParseBytes(memory), {}, threads};
  bool is_of_some_ops = true;
  for (const std::string& op : ops) {
    const size_t end = op.find_first_of("*?[\\/:");
    if (end == std::string::npos) RequireOp("--op", op);
    if (const std::string wrong = PatternError(op); !wrong.empty())
      throw InputError("--op", fmt::format("'{}': {}", Cut(op), wrong));
    // "add/x*" matches names that begin with their op.
    is_of_some_ops &= end == std::string::npos || op[end] == '/';
    options.ops.insert(op.substr(0, end));
  }
  if (!is_of_some_ops) options.ops.clear();
  std::vector<Case> chosen = ReadChosen(options, left_out);
  RequireMatches(chosen,
                 left_out != nullptr ? *left_out : std::vector<LeftOut>());
  if (after.empty()) return chosen;
  const std::vector<Case> earlier = FindEarlier(
      ReadSuite(Paths(), {options.memory_limit, OpsOf(after), threads}), after);
  for (Case& c : chosen) {
    if (c.original) c = MakeVariant(c);
    if (c.chunk > 0)
      throw InputError("--after",
                       c.name + " is a sweep, judged in many processes");
    c.after = earlier;
  }
  return chosen;
}

std::vector<Case> SuiteFlags::ReadChosen(const ReadOptions& options,
                                         std::vector<LeftOut>* left_out) const {
  std::vector<Case> suite = ReadSuite(Paths(), options, left_out);
  const OpPatterns patterns(ops);
  if (left_out != nullptr && !ops.empty()) {
    std::erase_if(*left_out, [&](const LeftOut& each) {
      return !patterns.Match(each.name, "");
    });
  }
  const auto names_layout = [](const std::string& op) {
    return op.find('@') != std::string::npos;
  };
  if (layouts != "none" || std::ranges::any_of(ops, names_layout))
    return WithVariants(std::move(suite), patterns, options.threads);
  if (ops.empty()) return suite;
  std::erase_if(suite, [&](const Case& c) { return !patterns.Choose(c); });
  return suite;
}

std::vector<Case> SuiteFlags::WithVariants(std::vector<Case> suite,
                                           const OpPatterns& patterns,
                                           int threads) const {
  const std::vector<VariantKind> kinds = VariantKinds();
  // Each case gives itself, if it is chosen, and its layout variants.
  std::vector<std::vector<Case>> chosen_of(suite.size());
  ForEachInParallel(suite.size(), threads, [&](size_t i) {
    Case& c = suite[i];
    const bool is_chosen = patterns.Choose(c);
    std::vector<std::string> variant;
    for (const VariantKind& kind : kinds) {
      const std::string name = c.name + "@" + kind.name;
      if ((is_chosen && layouts != "none") ||
          (!ops.empty() && patterns.Match(name, c.TypeText()))) {
        if (HasVariant(c, kind.name)) variant.push_back(kind.name);
      }
    }
    if (variant.empty()) {
      if (is_chosen) chosen_of[i].push_back(std::move(c));
      return;
    }
    const auto base = std::make_shared<const Case>(std::move(c));
    if (is_chosen) chosen_of[i].push_back(*base);
    for (const std::string& kind : variant)
      chosen_of[i].push_back(DeferredVariant(base, kind));
  });
  size_t count = 0;
  for (const std::vector<Case>& cases : chosen_of) count += cases.size();
  std::vector<Case> chosen;
  chosen.reserve(count);
  for (std::vector<Case>& cases : chosen_of) {
    std::ranges::move(cases, std::back_inserter(chosen));
    cases = {};
  }
  return chosen;
}

namespace {

// Fails if a function that was asked for is left out, with its place and the
// reason.
template <class IsAskedFor>
void RequireRead(const std::vector<LeftOut>& left_out,
                 const IsAskedFor& is_asked_for) {
  const auto it = std::ranges::find_if(left_out, is_asked_for);
  if (it != left_out.end()) throw InputError(it->where, it->reason);
}

}  // namespace

void SuiteFlags::RequireMatches(const std::vector<Case>& chosen,
                                const std::vector<LeftOut>& left_out) const {
  if (ops.empty()) return;
  std::unordered_set<std::string> names;
  for (const Case& c : chosen)
    names.insert({c.op, c.name, c.name + ":" + TypeTextOf(c)});
  for (const std::string& op : ops) {
    const bool matches =
        names.contains(op) || std::ranges::any_of(chosen, [&](const Case& c) {
          return Matches(op, c.name, TypeTextOf(c));
        });
    if (matches) continue;
    RequireRead(left_out, [&](const LeftOut& each) {
      return each.name == op || Matches(op, each.name, "");
    });
    // The cases of all ops are read, because another op may be meant.
    throw InputError(
        "--op",
        NoMatch(op, NamesOf(ReadSuite(Paths(), {ParseBytes(memory), {}}))));
  }
}

namespace {

// Returns the name of the case within its file.
std::string IdOf(const Case& c) { return c.name.substr(c.name.find('/') + 1); }

Case FindWritten(const std::string& argument, const std::string& memory,
                 const std::vector<std::string>& paths) {
  ReadOptions options{ParseBytes(memory), {}};
  std::vector<LeftOut> left_out;
  const size_t hash =
      std::min(argument.find(".json#"), argument.find(".mlir#"));
  if (hash != std::string::npos || argument.ends_with(".json") ||
      IsMlir(argument)) {
    const std::string file =
        argument.substr(0, hash == std::string::npos ? hash : hash + 5);
    std::vector<Case> cases = ReadCaseFile(file, options, &left_out);
    if (hash != std::string::npos) {
      const std::string id = argument.substr(hash + 6);
      for (Case& c : cases) {
        if (IdOf(c) == id) return std::move(c);
      }
      RequireRead(left_out, [&](const LeftOut& each) {
        return each.name.ends_with("/" + id);
      });
      std::vector<std::string> ids;
      for (const Case& c : cases) ids.push_back(IdOf(c));
      throw InputError(
          file, fmt::format("no case '{}'{}", Cut(id), DidYouMean(id, ids)));
    }
    if (cases.empty())
      RequireRead(left_out, [](const LeftOut&) { return true; });
    if (cases.size() != 1)
      throw InputError(file, fmt::format("holds {} cases; name one: {}#ID",
                                         cases.size(), file));
    return std::move(cases[0]);
  }
  options.ops = {argument.substr(0, argument.find('/'))};
  for (Case& c : ReadSuite(paths, options, &left_out)) {
    if (c.name == argument) return std::move(c);
  }
  RequireRead(left_out,
              [&](const LeftOut& each) { return each.name == argument; });
  throw InputError(
      "",
      NoCase(argument, NamesOf(ReadSuite(paths, {ParseBytes(memory), {}}))));
}

}  // namespace

Case FindCase(const std::string& argument, const std::string& memory,
              const std::vector<std::string>& paths) {
  const size_t at = argument.rfind('@');
  // An '@' before a '/' or '#' is part of a path.
  if (at == std::string::npos || argument.ends_with(".json") ||
      IsMlir(argument) || argument.find_first_of("/#", at) != std::string::npos)
    return FindWritten(argument, memory, paths);
  const Case c = FindWritten(argument.substr(0, at), memory, paths);
  const std::string kind = argument.substr(at + 1);
  const std::vector<VariantKind> kinds = VariantKinds();
  if (std::ranges::find(kinds, kind, &VariantKind::name) == kinds.end())
    throw InputError(
        "", fmt::format("no layout '{}'{}; `assay list layouts` has all",
                        Cut(kind), DidYouMean(kind, NamesOf(kinds))));
  if (!HasVariant(c, kind))
    throw InputError(c.where, fmt::format("the layout '{}' changes nothing of "
                                          "{}",
                                          kind, c.name));
  return VariantOf(c, kind);
}

}  // namespace assay
