// From the tree to programs: names for operands, attributes, functions and
// results, as the op's specification has them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "spec/error.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"
#include "spec/text/binder.h"
#include "spec/text/program_text.h"
#include "spec/text/read_attribute.h"

namespace assay {
namespace {

using text::Location;
using text::NotJudged;
using text::ReadType;
using text::Statement;
using text::SyntaxError;

[[noreturn]] void Fail(const std::string& where, const SyntaxError& e) {
  throw InputError(
      fmt::format("{}:{}:{}", where, e.location().line, e.location().column),
      e.message());
}

}  // namespace

namespace {

// What a module says of the processes that execute it.
ProcessCounts CountsOf(const Statement& module) {
  const auto count = [&](const char* name) -> std::optional<int64_t> {
    const text::Attribute* attribute = text::Find(module.attributes, name);
    const auto* number =
        attribute ? attribute->As<text::IntegerAttribute>() : nullptr;
    return number && number->value > 0 ? std::optional<int64_t>(number->value)
                                       : std::nullopt;
  };
  return {count("mhlo.num_replicas"), count("mhlo.num_partitions")};
}

}  // namespace

namespace {

Program BindFunctions(const text::Chunk& tree, Reading reading,
                      std::vector<Violation>* violations) {
  const text::Module module = text::ReadModule(tree.module);
  if (!module.modules.empty())
    throw NotJudged(module.modules[0].statement->location,
                    "a module within a module is not judged",
                    "modules within modules");
  if (!module.others.empty())
    throw NotJudged(module.others[0]->location,
                    fmt::format("'{}' stands outside of any function",
                                Cut(module.others[0]->op)),
                    "ops outside of functions");
  const auto functions = text::FunctionsByName(module);
  const ProcessCounts processes = CountsOf(tree.module);
  Callees callees([&](const std::string& name) -> std::optional<Function> {
    const auto function = functions.find(name);
    if (function == functions.end()) return std::nullopt;
    return Binder(&callees, false, reading, processes, violations)
        .Bind(*function->second);
  });
  Program program;
  for (const text::Function& function : module.functions) {
    const Callees::Found found = callees.Find(function.name);
    if (!found.function)
      throw SyntaxError(function.statement->location, found.reason);
    program.functions.push_back(*found.function);
  }
  if (program.functions.empty())
    throw SyntaxError(tree.module.location, "the program has no function");
  const auto main =
      std::ranges::find(program.functions, "main", &Function::name);
  if (main != program.functions.end())
    std::rotate(program.functions.begin(), main, main + 1);
  return program;
}

}  // namespace

Program BindProgram(const text::Chunk& tree, Reading reading) {
  return BindFunctions(tree, reading, nullptr);
}

std::vector<Violation> VerifyProgram(const text::Chunk& tree) {
  std::vector<Violation> violations;
  BindFunctions(tree, Reading::kVerified, &violations);
  return violations;
}

std::vector<Violation> VerifyStatements(const text::Chunk& tree) {
  std::vector<Violation> violations;
  Callees callees([](const std::string&) { return std::nullopt; });
  Binder binder(&callees, true, Reading::kVerified, {}, &violations);
  for (const Statement& statement : tree.module.regions[0].statements)
    binder.Verify(statement);
  return violations;
}

Program ReadProgram(const std::string& file, const text::ChunkText& chunk,
                    const text::Limits& limits) {
  try {
    return BindProgram(text::ParseChunk(chunk, limits));
  } catch (const SyntaxError& e) {
    Fail(file, e);
  }
}

Function BindRegion(const std::string& name, const text::Region& region,
                    text::Location location) {
  return Binder(nullptr, false, Reading::kJudged)
      .Bind(name, region, "func.return", location);
}

namespace {

Function ReadFunction(const std::string& where, const std::string& name,
                      std::string_view text, const text::Limits& limits,
                      const char* end, Binder binder) {
  try {
    const std::string whole =
        fmt::format("\"assay.region\"() ({{\n{}\n}}) : () -> ()\n", text);
    const text::Chunk tree = text::ParseStatements({whole, 0}, limits);
    const std::vector<Statement>& statements =
        tree.module.regions.front().statements;
    if (statements.size() != 1 || statements[0].regions.size() != 1)
      throw SyntaxError(tree.module.location, "a region is one function");
    return binder.Bind(name, statements[0].regions[0], end, {1, 1});
  } catch (const SyntaxError& e) {
    Fail(where, e);
  }
}

}  // namespace

Function ReadRegion(const std::string& where, const std::string& name,
                    std::string_view text, const text::Limits& limits,
                    Callees* callees) {
  return ReadFunction(where, name, text, limits, "stablehlo.return",
                      Binder(callees, true, Reading::kVerified));
}

Function ReadCallee(const std::string& where, const std::string& name,
                    std::string_view text, const text::Limits& limits,
                    Callees* callees) {
  return ReadFunction(where, name, text, limits, "func.return",
                      Binder(callees, false, Reading::kVerified));
}

ValueType ReadValueType(const std::string& where, std::string_view text) {
  try {
    return ReadType(*text::ParseType(text), {1, 1});
  } catch (const SyntaxError& e) {
    Fail(where, e);
  }
}

}  // namespace assay
