// Patterns are mended as a person would do it, and tried.
#include "cases/read/no_match.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/read/pattern.h"
#include "spec/nearest.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

std::vector<std::string> NamesOf(const CaseNames& cases) {
  std::vector<std::string> names;
  for (const auto& [name, type] : cases) names.push_back(name);
  return names;
}

bool IsName(const std::string& pattern) {
  return pattern.find_first_of("*?[\\:") == std::string::npos;
}

// Returns the mended patterns: if it names an op alone, with the op's cases;
// with anything around the type and around the name; and each of these for the
// nearest ops.
std::vector<std::string> Mended(const std::string& pattern) {
  const size_t colon = std::min(pattern.find(':'), pattern.size());
  const std::string name = pattern.substr(0, colon);
  const std::string type =
      colon == pattern.size() ? "" : pattern.substr(colon + 1);
  const std::string op = name.substr(0, name.find('/'));
  std::vector<std::string> names;
  std::vector<std::string> near = {op};
  for (const std::string& other : Nearest(op, OpIds())) near.push_back(other);
  for (const std::string& one : near) {
    const std::string rest = name.substr(op.size());
    if (rest.empty()) {
      names.push_back(one + "/*");
    } else {
      names.insert(names.end(), {one + rest, one + rest + "*",
                                 one + "/*" + rest.substr(1) + "*"});
    }
  }
  std::vector<std::string> types = {""};
  if (!type.empty())
    types = {":" + type, ":*" + type, ":" + type + "*", ":*" + type + "*"};
  std::vector<std::string> mended;
  for (const std::string& one : names) {
    for (const std::string& of_type : types) mended.push_back(one + of_type);
  }
  return mended;
}

}  // namespace

std::string NoCase(const std::string& name, const CaseNames& cases) {
  return fmt::format("no case '{}'{}; `assay list cases` has all", Cut(name),
                     DidYouMean(name, NamesOf(cases)));
}

std::string NoMatch(const std::string& pattern, const CaseNames& cases) {
  const std::string says = fmt::format("no case matches '{}'", Cut(pattern));
  if (FindOp(pattern) != nullptr)
    return fmt::format("there is no case of '{}' here", pattern);
  if (IsName(pattern)) {
    const std::vector<std::string> near = Nearest(pattern, NamesOf(cases));
    if (!near.empty()) return says + DidYouMean(near);
  }
  for (const std::string& mended : Mended(pattern)) {
    if (mended == pattern || !PatternError(mended).empty()) continue;
    const auto count = std::ranges::count_if(cases, [&](const auto& c) {
      return Matches(mended, c.first, c.second);
    });
    if (count > 0)
      return fmt::format("{} (did you mean {}, of {} cases?)", says,
                         ShellWord(mended), count);
  }
  return says + " (`assay list cases`)";
}

}  // namespace assay
