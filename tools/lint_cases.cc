// This file checks case files. Each case is read by itself, so that one that is
// wrong does not hide the others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cases/case.h"
#include "cases/run/executed_clauses.h"
#include "spec/error.h"
#include "spec/policy.h"
#include "tools/command.h"
#include "tools/lint.h"

namespace assay {

class FileLinter {
 public:
  FileLinter(const LintFile& file, Complaints* complaints)
      : file_(file), complaints_(complaints) {}

  // Returns whether the op is known and the notes can be read, without which no
  // case can.
  bool ReadHeader(int64_t memory) {
    try {
      cases_.emplace(file_.name, file_.json, ReadOptions{memory, {}});
    } catch (const InputError& e) {
      complaints_->AddError(file_.name, e.what());
      return false;
    }
    return true;
  }

  // Every note must explain at least one case.
  void CheckNotes(const std::set<std::string>& used) {
    const auto notes = file_.json.find("notes");
    if (notes == file_.json.end()) return;
    for (const auto& [name, note] : notes->items()) {
      if (used.contains(name)) continue;
      const Json::json_pointer pointer = Json::json_pointer("/notes") / name;
      Complain(pointer.to_string(),
               "no case has this flag; flag one, or remove the note");
    }
  }

  // Returns the cases of element `index`, one or (with `each`) several; none if
  // it cannot be read.
  std::vector<Case> Read(size_t index) {
    try {
      return cases_->Read(index);
    } catch (const InputError& e) {
      complaints_->AddError(file_.name, e.what());
      return {};
    }
  }

  // A case is judged in the suite under this policy.
  static const Policy& PolicyOf(const Case& c) {
    return Policy::Find(c.policy.empty() ? "assay" : c.policy);
  }

  // The false constraints must be those that the case says it violates. Returns
  // whether the oracle may be asked.
  bool CheckViolations(const Case& c, const std::string& pointer) {
    std::vector<std::string> expected = c.violates, found;
    for (const Op& op : c.program.main().body) {
      for (const ConstraintResult& result :
           CheckConstraints(*FindOp(op.op), op, PolicyOf(c))) {
        if (result.truth == Truth::kFalse)
          found.push_back(result.constraint->label);
      }
    }
    std::ranges::sort(expected);
    std::ranges::sort(found);
    if (expected == found) {
      const bool runs = c.Runs() || c.trait;
      if (!runs && !c.covers.empty())
        Complain(pointer + "/covers",
                 c.name + " is not run, so it executes no clause");
      return runs;
    }
    const auto list = [](const std::vector<std::string>& labels) {
      return labels.empty() ? "none"
                            : fmt::format("{}", fmt::join(labels, ", "));
    };
    Complain(pointer + (c.violates.empty() ? "" : "/expect/violates"),
             fmt::format("{} violates {}, and says {}", c.name, list(found),
                         list(expected)));
    return false;
  }

  // The oracle must mark every clause that `covers` names.
  void CheckCovers(const Case& c, const std::string& pointer) {
    if (c.covers.empty()) return;
    const std::set<std::string> executed = ExecutedClauses(c, PolicyOf(c));
    for (size_t i = 0; i < c.covers.size(); ++i) {
      if (executed.contains(c.covers[i])) continue;
      Complain(
          fmt::format("{}/covers/{}", pointer, i),
          fmt::format("{} does not execute {} under policy {}; it executes "
                      "{}",
                      c.name, c.covers[i], PolicyOf(c).name(),
                      executed.empty()
                          ? "nothing"
                          : fmt::format("{}", fmt::join(executed, ", "))));
    }
  }

  void Complain(const std::string& pointer, const std::string& reason) {
    complaints_->Add(file_.name, pointer, reason);
  }

 private:
  const LintFile& file_;
  std::optional<CaseFile> cases_;
  Complaints* complaints_;
};

void CaseLinter::Lint(const LintFile& file) {
  FileLinter linter(file, complaints_);
  std::set<size_t> wrong;  // elements that the schema refuses
  for (const std::string& pointer : CheckSchema(file, complaints_)) {
    constexpr std::string_view kCases = "/cases/";
    if (!pointer.starts_with(kCases)) return;
    wrong.insert(std::stoul(pointer.substr(kCases.size())));
  }
  if (!linter.ReadHeader(memory_)) return;
  std::set<std::string> used_flags;
  const Json& elements = file.json["cases"];
  for (size_t i = 0; i < elements.size(); ++i) {
    if (wrong.contains(i)) continue;
    for (const std::string& flag :
         elements[i].value("flags", std::vector<std::string>()))
      used_flags.insert(flag);
    for (const Case& c : linter.Read(i))
      LintCase(c, fmt::format("/cases/{}", i), &linter);
  }
  if (wrong.empty()) linter.CheckNotes(used_flags);
}

void CaseLinter::LintWalks(const LintFile& file) {
  if (!CheckSchema(file, complaints_).empty()) return;
  static const ReadOptions options{ParseBytes("")};
  FileLinter linter(file, complaints_);
  try {
    for (const Case& c : ParseCases(file.name, file.json, options)) {
      const size_t slash = c.where.rfind('/');
      LintCase(c, "/walks/" + c.where.substr(slash + 1), &linter);
    }
  } catch (const InputError& e) {
    complaints_->AddError(file.name, e.what());
  }
}

void CaseLinter::LintCase(const Case& c, const std::string& pointer,
                          FileLinter* linter) {
  ++cases_;
  const auto [it, is_new] = place_of_.emplace(c.name, c.file + ": " + pointer);
  if (!is_new)
    linter->Complain(pointer + "/id", fmt::format("the case '{}' is also {}",
                                                  c.name, it->second));
  for (size_t i = 0; i < c.after.size(); ++i)
    linter->CheckViolations(c.after[i], fmt::format("{}/after/{}", pointer, i));
  if (linter->CheckViolations(c, pointer)) {
    linter->CheckCovers(c, pointer);
    if (!c.covers.empty()) ++evaluated_;
  }
}

}  // namespace assay
