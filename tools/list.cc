// assay list: the backends, ops, cases and policies that there are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "backends/open.h"
#include "spec/policy.h"
#include "tools/command.h"

namespace assay {
namespace {

void ListBackends() {
  for (const auto& [name, reason] : Backend::List())
    fmt::print("{:<12} {}\n", name, reason.empty() ? "available" : reason);
  for (const std::string& name : ListPythonWorkers())
    fmt::print("{:<12} a worker in Python\n", "python:" + name);
  fmt::print("{:<12} the constraints themselves\n", "spec");
}

void ListOps() {
  fmt::print("{:<28} {:>11} {:>8}  {}\n", "op", "constraints", "clauses",
             "source");
  for (const OpSpec& spec : Ops()) {
    fmt::print("{:<28} {:>11} {:>8}  {}, lines {}-{}\n", spec.id,
               spec.constraints.size(), spec.semantics.size(), spec.source,
               spec.first_line, spec.last_line);
  }
}

void ListCases(const SuiteFlags& flags) {
  for (const Case& c : flags.Read()) {
    fmt::print("{:<48} {:<24} {}\n", c.name, c.TypeText(),
               c.violates.empty()
                   ? ""
                   : fmt::format("violates {}", fmt::join(c.violates, ", ")));
  }
}

void ListPolicies() {
  for (const std::string& name : Policy::Names())
    fmt::print("{:<12} {}\n", name, Policy::Find(name).description());
  fmt::print("\n{:<32}", "key");
  for (const std::string& name : Policy::Names()) fmt::print("{:<18}", name);
  fmt::print("\n");
  for (const auto& [key, description] : PolicyKeys()) {
    fmt::print("{:<32}", key);
    for (const std::string& name : Policy::Names())
      fmt::print("{:<18}", Policy::Find(name).Get(key));
    fmt::print("\n");
  }
}

}  // namespace

void RegisterList(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("list", "List backends, ops, cases or policies");
  command->require_subcommand(1);
  command
      ->add_subcommand("backends",
                       "Backends that are found, and why others do not load")
      ->callback([=] { ListBackends(), *exit_code = kExitOk; });
  command->add_subcommand("ops", "Ops with their constraints and clauses")
      ->callback([=] { ListOps(), *exit_code = kExitOk; });
  CLI::App* cases = command->add_subcommand(
      "cases", "Cases of the suite, with the type of the first input");
  auto flags = std::make_shared<SuiteFlags>();
  flags->AddTo(*cases);
  cases->callback([=] { ListCases(*flags), *exit_code = kExitOk; });
  command
      ->add_subcommand("policies",
                       "Policies and the value that each gives to every key")
      ->callback([=] { ListPolicies(), *exit_code = kExitOk; });
}

}  // namespace assay
