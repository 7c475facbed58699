// This file checks op files and policies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cases/read/json_schema.h"
#include "cases/read/policy_file.h"
#include "reports/print.h"
#include "spec/digest.h"
#include "spec/embedded.h"
#include "spec/error.h"
#include "spec/formula/formula_check.h"
#include "spec/nearest.h"
#include "spec/op_spec.h"
#include "spec/policy.h"
#include "spec/printable_text.h"
#include "spec/sentence.h"
#include "spec/text/form_table.h"
#include "tools/lint.h"

namespace assay {
namespace {

JsonSchema EmbeddedSchema(std::string_view path) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.path == path)
      return JsonSchema(std::string(path),
                        ParseJson(std::string(path), std::string(file.text)));
  }
  CheckFailed("the schema is embedded", __FILE__, __LINE__);
}

const JsonSchema& SchemaOf(FileKind kind) {
  static const JsonSchema op = EmbeddedSchema("spec/op.schema.json");
  static const JsonSchema cases(
      "cases/case.schema.json",
      ParseJson("cases/case.schema.json", kCaseSchema));
  static const JsonSchema walks(
      "cases/walks.schema.json",
      ParseJson("cases/walks.schema.json", kWalksSchema));
  static const JsonSchema encodings =
      EmbeddedSchema("spec/encodings.schema.json");
  static const JsonSchema elements =
      EmbeddedSchema("spec/elements.schema.json");
  static const JsonSchema pointwise =
      EmbeddedSchema("spec/pointwise/pointwise.schema.json");
  static const JsonSchema forms = EmbeddedSchema("spec/text/forms.schema.json");
  return kind == FileKind::kOp          ? op
         : kind == FileKind::kTextForms ? forms
         : kind == FileKind::kPointwise ? pointwise
         : kind == FileKind::kWalks     ? walks
         : kind == FileKind::kEncodings ? encodings
         : kind == FileKind::kElements  ? elements
                                        : cases;
}

// An open clause must name an existing policy key that decides it, unless its
// file says how it is judged; a constraint may name a key, which must exist,
// too.
void CheckClauses(const LintFile& file, const OpSpec& spec,
                  Complaints* complaints) {
  for (const ConstraintSpec& constraint : spec.constraints) {
    if (!constraint.policy.empty() && !PolicyKeys().contains(constraint.policy))
      complaints->Add(
          file.name, fmt::format("/constraints/{}/policy", constraint.label),
          fmt::format("policy.schema.json has no key '{}'", constraint.policy));
  }
  for (const ClauseSpec& clause : spec.semantics) {
    const std::string pointer = "/semantics/" + clause.label;
    if (clause.policy.empty()) {
      if (clause.status != "defined" && clause.judged.empty() &&
          spec.unjudged.empty())
        complaints->Add(
            file.name, pointer,
            fmt::format("the clause is {}, so it needs a \"policy\": the key "
                        "that decides it",
                        clause.status));
    } else if (!PolicyKeys().contains(clause.policy)) {
      complaints->Add(
          file.name, pointer + "/policy",
          fmt::format("policy.schema.json has no key '{}'", clause.policy));
    } else if (clause.status == "defined") {
      complaints->Add(file.name, pointer + "/policy",
                      "a defined clause leaves nothing for a policy to decide");
    }
  }
}

// The SHA-256 of each constraint's sentence; empty if the constraint is ours.
using HashesByLabel = std::vector<std::pair<std::string, std::string>>;

// Whose sentences are compared, and where they stand.
struct SentencePlace {
  std::string file;
  std::string pointer;  // of what has "constraints"
  std::string id;
};

void CompareSentences(const SentencePlace& place, const HashesByLabel& hashes,
                      const std::map<std::string, std::string>& sentences,
                      SentenceCounts* counts, Complaints* complaints) {
  const std::string constraints = place.pointer + "/constraints";
  int64_t matching = 0, changed = 0, missing = 0, added = 0;
  for (const auto& [label, sha256] : hashes) {
    const std::string pointer = constraints + "/" + label;
    if (!sentences.contains(label)) {
      if (sha256.empty()) continue;  // The constraint is ours.
      ++missing;
      complaints->Add(place.file, pointer,
                      fmt::format("the text has no ({}) here; remove the "
                                  "constraint, or give it its new label",
                                  label));
    } else if (const std::string& sentence = sentences.at(label);
               Sha256(sentence) != sha256) {
      ++changed;
      complaints->Add(
          place.file, pointer + "/sha256",
          fmt::format("({}) is now \"{}\"; read it, and give the formula that "
                      "says it the hash {}",
                      label, sentence, Sha256(sentence)));
    } else {
      ++matching;
    }
  }
  for (const auto& [label, sentence] : sentences) {
    if (std::ranges::find(hashes, label, &HashesByLabel::value_type::first) !=
        hashes.end())
      continue;
    ++added;
    complaints->Add(
        place.file, constraints,
        fmt::format("({}) of the text is not here: \"{}\"", label, sentence));
  }
  PrintText("{}: {} match, {} changed, {} not in the text, {} only in it\n",
            place.id, matching, changed, missing, added);
  counts->matching += matching;
  counts->changed += changed;
  counts->missing += missing;
  counts->added += added;
}

}  // namespace

std::vector<JsonSchema::Violation> CaseViolations(const Json& json) {
  return SchemaOf(FileKind::kCases).Check(json);
}

std::vector<std::string> CheckSchema(const LintFile& file,
                                     Complaints* complaints) {
  if (file.kind == FileKind::kSchema) {
    try {
      JsonSchema(file.name, file.json);
    } catch (const InputError& e) {
      complaints->AddError(file.name, e.what());
      return {""};
    }
    return {};
  }
  std::vector<std::string> pointers;
  for (const auto& [pointer, reason] :
       file.kind == FileKind::kCases ? file.violations
       : file.kind == FileKind::kPolicy
           ? PolicyViolations(file.json)
           : SchemaOf(file.kind).Check(file.json)) {
    complaints->Add(file.name, pointer, "against the schema: " + reason);
    pointers.push_back(pointer);
  }
  return pointers;
}

void LintOp(const LintFile& file, Complaints* complaints) {
  OpSpec spec;
  try {
    spec = ParseOpSpec(file.name, file.text);
    if (spec.source == "stablehlo") {
      text::ReadOpForm(spec);
    } else if (spec.text) {
      complaints->Add(file.name, "/text",
                      "StableHLO writes the ops of its own document alone");
    }
  } catch (const InputError& e) {
    complaints->AddError(file.name, e.what());
    return;
  }
  const std::string stem = std::filesystem::path(file.name).stem().string();
  if (stem != spec.id)
    complaints->Add(
        file.name, "/op",
        fmt::format("the file of '{}' is {}.json", spec.id, spec.id));
  for (const auto& [pointer, reason] : CheckTypes(spec))
    complaints->Add(file.name, pointer, reason);
  CheckClauses(file, spec, complaints);
}

void LintTextForms(const LintFile& file, Complaints* complaints) {
  for (const auto& [name, entry] : file.json.at("ops").items()) {
    constexpr std::string_view kDialect = "stablehlo.";
    if (!name.starts_with(kDialect)) continue;
    const OpSpec* spec = FindOp(std::string_view(name).substr(kDialect.size()));
    if (spec != nullptr && spec->source == "stablehlo")
      complaints->Add(file.name, "/ops/" + name,
                      fmt::format("the op has an op file, {}, and its form "
                                  "stands there alone",
                                  spec->file));
  }
}

void LintPolicy(const LintFile& file, Complaints* complaints) {
  std::vector<Budget> budgets;
  try {
    const auto json = nlohmann::json::parse(file.text);
    budgets =
        ParseBudgets(file.name, json.value("budgets", nlohmann::json::array()));
  } catch (const InputError& e) {
    complaints->AddError(file.name, e.what());
  }
  for (size_t i = 0; i < budgets.size(); ++i) {
    for (const std::string& op : budgets[i].ops) {
      const std::string complaint = BudgetComplaint(budgets[i], op);
      if (!complaint.empty())
        complaints->Add(file.name, fmt::format("/budgets/{}/ops", i),
                        complaint);
    }
  }
  const auto base = file.json.find("extends");
  if (base == file.json.end()) return;
  const std::vector<std::string> names = Policy::Names();
  const std::string name = base->get<std::string>();
  if (std::ranges::find(names, name) == names.end())
    complaints->Add(
        file.name, "/extends",
        fmt::format("there is no policy \"{}\"{}; there are: {}", Cut(name),
                    DidYouMean(name, names), fmt::join(names, ", ")));
}

void LintElements(const LintFile& file, Complaints* complaints) {
  for (const auto& [id, element] : file.json.items()) {
    for (const auto& [label, constraint] : element.at("constraints").items()) {
      const auto formula = constraint.find("formula");
      if (formula == constraint.end()) continue;
      try {
        Formula::Parse(formula->get<std::string>());
      } catch (const FormulaError& e) {
        complaints->Add(file.name,
                        fmt::format("/{}/constraints/{}/formula", id, label),
                        e.what());
      }
    }
  }
}

void LintSentences(const LintFile& file, const std::string& text,
                   SentenceCounts* counts, Complaints* complaints) {
  const OpSpec spec = ParseOpSpec(file.name, file.text);
  if (spec.source != "stablehlo") {
    ++counts->other_sources;
    return;
  }
  ++counts->ops;
  HashesByLabel hashes;
  for (const ConstraintSpec& constraint : spec.constraints)
    hashes.emplace_back(constraint.label, constraint.sha256);
  const auto sentences = ConstraintSentences(text, spec.id);
  if (!sentences) {
    complaints->Add(file.name, "/op",
                    fmt::format("the text has no section '### {}'", spec.id));
    counts->missing += std::ranges::count_if(
        hashes, [](const auto& hash) { return !hash.second.empty(); });
    return;
  }
  CompareSentences({file.name, "", spec.id}, hashes, *sentences, counts,
                   complaints);
  LintSemantics(spec, file.name, text, counts, complaints);
}

void LintElementSentences(const LintFile& file, const std::string& text,
                          SentenceCounts* counts, Complaints* complaints) {
  for (const auto& [id, element] : file.json.items()) {
    ++counts->elements;
    HashesByLabel hashes;
    for (const auto& [label, constraint] : element.at("constraints").items())
      hashes.emplace_back(label, constraint.at("sha256").get<std::string>());
    const auto title = element.at("spec").at("title").get<std::string>();
    const auto sentences = TitledConstraintSentences(text, title);
    if (sentences) {
      CompareSentences({file.name, "/" + id, id}, hashes, *sentences, counts,
                       complaints);
    } else {
      complaints->Add(file.name, fmt::format("/{}/spec/title", id),
                      fmt::format("the text has no paragraph '**{}**'", title));
      counts->missing += static_cast<int64_t>(hashes.size());
    }
  }
}

}  // namespace assay
