// The command `assay list` prints the backends, ops, cases, policies and float
// formats that there are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "backends/host/open.h"
#include "cases/variants/layout_variants.h"
#include "reports/print.h"
#include "reports/table.h"
#include "spec/policy.h"
#include "spec/printable_text.h"
#include "spec/types/element.h"
#include "tools/command.h"
#include "tools/list_functions.h"

namespace assay {
namespace {

void ListBackends() {
  for (const auto& [name, reason] : Backend::List())
    PrintText("{:<16} {}\n", name,
              reason.empty() ? "available" : "unavailable: " + reason);
  for (const std::string& name : ListPythonWorkers())
    PrintText("{:<16} a worker in Python\n", "python:" + name);
  PrintText("{:<16} the constraints themselves\n", "spec");
}

void ListOps() {
  PrintText("{:<28} {:>11} {:>8}  {}\n", "op", "constraints", "clauses",
            "source");
  std::vector<std::string> pointwise;
  for (const OpSpec& spec : Ops()) {
    if (!spec.family.empty()) {
      pointwise.push_back(spec.id);
      continue;
    }
    PrintText("{:<28} {:>11} {:>8}  {}, lines {}-{}\n", spec.id,
              spec.constraints.size(), spec.semantics.size(), spec.source,
              spec.first_line, spec.last_line);
  }
  PrintText("\nThe {} pointwise ops share the clauses of `pointwise`: {}\n",
            pointwise.size(), fmt::join(pointwise, " "));
}

void ListCases(const SuiteFlags& flags) { PrintCases(flags.Read()); }

void ListPolicies() {
  for (const std::string& name : Policy::Names())
    PrintText("{:<12} {}\n", name, Policy::Find(name).description());
  std::vector<std::string> head = {"key"};
  for (const std::string& name : Policy::Names()) head.push_back(name);
  TextTable table(head, /*left=*/head.size());
  for (const auto& [key, description] : PolicyKeys()) {
    std::vector<std::string> row = {key};
    for (const std::string& name : Policy::Names())
      row.push_back(Policy::Find(name).Get(key));
    table.Add(std::move(row));
  }
  PrintText("\n{}", table.ToText());
}

// Prints one policy, a shipped one or a file: the values that differ from those
// of the policy that it extends, and the reasons.
void ListPolicy(const std::string& name) {
  const Policy& policy = PolicyFor(name, false);
  PrintText("{}{}{}\n", policy.name(),
            policy.base().empty() ? "" : " extends " + policy.base(),
            policy.sha256().empty() ? "" : ", sha256 " + policy.sha256());
  if (!policy.description().empty())
    PrintText("  {}\n", IndentRest(policy.description()));
  const Policy* const base =
      policy.base().empty() ? nullptr : &Policy::Find(policy.base());
  size_t same = 0;
  for (const auto& [key, meaning] : PolicyKeys()) {
    if (base != nullptr && base->Get(key) == policy.Get(key)) {
      ++same;
      continue;
    }
    PrintText("{}\n  {}\n", PolicyValueText(policy, key), meaning);
  }
  const size_t own =
      policy.budgets().size() - (base != nullptr ? base->budgets().size() : 0);
  for (size_t i = 0; i < own; ++i) {
    const Budget& row = policy.budgets()[i];
    PrintText("budget of {} on {}{}: {}\n  {}\n", fmt::join(row.ops, ", "),
              fmt::join(row.types, ", "),
              row.where.empty() ? "" : ", " + row.WhereText(), row.Text(),
              row.reason);
  }
  if (base != nullptr)
    PrintText("{} keys are as {} has them (`assay list policies`)\n", same,
              policy.base());
}

void ListLayouts() {
  for (const auto kinds : {LayoutVariants(), MetamorphicRelations()}) {
    for (const VariantKind& kind : kinds)
      PrintText("{:<16} {}\n", kind.name, kind.meaning);
    PrintText("\n");
  }
}

std::string NanCodes(const FloatFormat& format) {
  const auto code = [&](uint64_t bits) {
    return FormatBits(format.type, bits);
  };
  const uint64_t nan = format.nan_code(), sign = format.sign_bit();
  switch (format.specials) {
    case FloatFormat::Specials::kIeee: {
      const uint64_t first = format.infinity_code() + 1;
      const uint64_t last = format.magnitude_mask();
      return fmt::format("{} to {}, {} to {}", code(first), code(last),
                         code(sign | first), code(sign | last));
    }
    case FloatFormat::Specials::kOneNan:
      return sign != 0 ? code(nan) + ", " + code(sign | nan) : code(nan);
    case FloatFormat::Specials::kNegativeZeroNan:
      return code(nan);
    case FloatFormat::Specials::kNone:
      break;
  }
  return "none";
}

// Returns the exact value: a decimal, or a formula where that is long.
std::string Largest(const FloatFormat& format) {
  const int exponent = format.max_exponent();
  if (exponent < 16) return FormatValue(format.type, format.max_code());
  if (format.mantissa_bits == 0) return fmt::format("2^{}", exponent);
  return fmt::format("(2 - 2^-{}) * 2^{}", format.mantissa_bits, exponent);
}

// Returns the policy keys that decide results which the format lacks.
std::vector<std::string> KeysOf(const FloatFormat& format) {
  if (!format.has_sign)
    return {"e8m0_tie", "e8m0_zero", "e8m0_negative", "e8m0_overflow",
            "total_order_single_nan"};
  std::vector<std::string> keys;
  if (!format.has_infinity()) keys.push_back("overflow_without_infinity");
  if (!format.has_nan()) keys.push_back("nan_without_nan");
  if (format.specials == FloatFormat::Specials::kNegativeZeroNan)
    keys.push_back("total_order_single_nan");
  return keys;
}

// This prints docs/formats.md.
void ListTypes() {
  PrintText(
      "# Float formats\n\n"
      "The floating-point formats of StableHLO as the oracle reads them; "
      "`complex<f32>` and `complex<f64>` are pairs of them.\n"
      "`assay list types` prints this page.\n\n"
      "| format | bits | exponent, mantissa | bias | smallest subnormal | "
      "smallest normal | largest | infinity | NaN | -0 | what it lacks is "
      "decided by |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<std::string> keys;  // in the order of their first use
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsFloat(info.type)) continue;
    const FloatFormat format = FormatOf(info.type);
    const std::vector<std::string> own = KeysOf(format);
    for (const std::string& key : own) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
    PrintText(
        "| {} | {} | {}, {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        info.name, info.bits, format.exponent_bits, format.mantissa_bits,
        format.bias,
        format.has_subnormals()
            ? fmt::format("2^{}", format.min_exponent() - format.mantissa_bits)
            : "none",
        fmt::format("2^{}", format.min_exponent()), Largest(format),
        format.has_infinity() ? FormatBits(info.type, format.infinity_code())
                              : "none",
        NanCodes(format),
        format.has_negative_zero() ? FormatBits(info.type, format.sign_bit())
                                   : "none",
        fmt::join(own, ", "));
  }
  PrintText("\nThe keys, with the value of policy `assay`:\n\n");
  for (const std::string& key : keys) {
    PrintText("- `{}` = {}. {}\n", key, Policy::Find("assay").Get(key),
              PolicyKeys().at(key));
  }
}

}  // namespace

void RegisterList(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "list", "List backends, ops, cases, layouts, policies or types");
  command->require_subcommand(1);
  CLI::App* backends = command->add_subcommand(
      "backends", "Backends that are found, and why others do not load");
  auto with_ops = std::make_shared<bool>(false);
  backends->add_flag("--ops", *with_ops,
                     "The function of each library that computes an op, what "
                     "differs, and why that one");
  backends->callback([=] {
    *with_ops ? ListFunctions() : ListBackends();
    *exit_code = kExitOk;
  });
  command->add_subcommand("ops", "Ops with their constraints and clauses")
      ->callback([=] { ListOps(), *exit_code = kExitOk; });
  CLI::App* cases = command->add_subcommand(
      "cases", "Cases of the suite, with the type of the first input");
  auto flags = std::make_shared<SuiteFlags>();
  flags->AddTo(*cases);
  cases->callback([=] { ListCases(*flags), *exit_code = kExitOk; });
  CLI::App* policies = command->add_subcommand(
      "policies",
      "Policies and the value that each gives to every key, or how one differs "
      "from the one that it extends");
  auto policy = std::make_shared<std::string>();
  AddText(*policies, "POLICY", policy.get(), "",
          "A shipped policy, or a file of your own. Default: a table "
          "of all that are shipped");
  policies->callback([=] {
    policy->empty() ? ListPolicies() : ListPolicy(*policy);
    *exit_code = kExitOk;
  });
  command
      ->add_subcommand("layouts", "Layouts and relations (run --layouts all)")
      ->callback([=] { ListLayouts(), *exit_code = kExitOk; });
  command->add_subcommand("types", "The float formats and what they lack")
      ->callback([=] { ListTypes(), *exit_code = kExitOk; });
}

}  // namespace assay
