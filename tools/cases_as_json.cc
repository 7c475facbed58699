#include "tools/cases_as_json.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cases/read/canonical.h"
#include "cases/read/case_json.h"
#include "cases/variants/layout_variants.h"
#include "spec/digest.h"
#include "spec/error.h"
#include "spec/printable_text.h"
#include "tools/command.h"

namespace assay {
namespace {

// Returns a file with this case alone, or an empty text if JSON cannot say it.
std::string AsFile(const Case& deferred) {
  const Case c = deferred.original ? MakeVariant(deferred) : deferred;
  if (c.chunk > 0 || c.trait || c.verified_text || !WhyNotInJson(c).empty())
    return "";
  const Json json = {{"op", c.op},
                     {"cases", Json::array({CaseWithLiteralsAsJson(
                                   c, c.name.substr(c.name.find('/') + 1))})}};
  const std::string line =
      json.dump(-1, ' ', true, Json::error_handler_t::replace);
  const std::string text = CanonicalJson(c.where, line);
  // A page escapes characters that it must not show, and would not have the
  // JSON any more.
  return EscapeLines(text) == text ? text : line;
}

// Sets the texts of the cases of one op.
void AddCasesOfOp(const RunHeader& header,
                  const std::vector<std::string>& paths, const std::string& op,
                  const std::string& memory,
                  std::map<std::string, std::string>* texts) {
  std::map<std::string, bool> is_unchanged;  // by path
  for (const Case& c : ReadSuite(paths, {ParseBytes(memory), {op}})) {
    const std::string begin = c.name + "@";
    for (auto it = texts->lower_bound(c.name);
         it != texts->end() && it->first.starts_with(c.name); ++it) {
      const bool is_variant = it->first.starts_with(begin);
      if (it->first != c.name && !is_variant) continue;
      const auto [known, is_new] = is_unchanged.emplace(c.file, false);
      if (is_new) known->second = IsFileOfRun(header, c.file, paths);
      if (!known->second) continue;
      if (!is_variant) {
        it->second = AsFile(c);
      } else if (const std::string kind = it->first.substr(begin.size());
                 HasVariant(c, kind)) {
        it->second = AsFile(VariantOf(c, kind));
      }
    }
  }
}

}  // namespace

bool IsFileOfRun(const RunHeader& header, const std::string& file,
                 const std::vector<std::string>& paths) {
  const auto digest = header.files.find(NameInSuite(file, paths));
  return digest != header.files.end() &&
         digest->second == Sha256OfFile(file).substr(0, 16);
}

std::string NameInSuite(const std::string& file,
                        const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  for (const std::string& path : paths) {
    const fs::path relative = fs::path(file).lexically_relative(path);
    if (relative == ".") break;  // a file that was named itself
    if (!relative.empty() && *relative.begin() != "..")
      return (fs::path(path).filename() / relative).lexically_normal().string();
  }
  return fs::path(file).filename().string();
}

CasesAsJson CasesOfSuite(const std::vector<Case>& suite) {
  return [&suite](const std::vector<const Verdict*>& verdicts) {
    std::vector<std::string> texts;
    for (const Verdict* verdict : verdicts)
      texts.push_back(AsFile(suite.at(static_cast<size_t>(verdict->index))));
    return texts;
  };
}

CasesAsJson CasesOfFiles(const RunHeader& header, const std::string& memory) {
  return [=](const std::vector<const Verdict*>& verdicts) {
    std::map<std::string, std::string> texts;  // by name of the case
    std::set<std::string> ops;
    for (const Verdict* verdict : verdicts) {
      texts[verdict->case_name];
      ops.insert(verdict->case_name.substr(0, verdict->case_name.find('/')));
    }
    for (const std::string& op : ops) {
      // What cannot be read, such as a suite of another machine, is not at
      // hand.
      try {
        AddCasesOfOp(header,
                     header.cases_are_named ? header.suite : DefaultSuite(), op,
                     memory, &texts);
      } catch (const InputError&) {
      }
    }
    std::vector<std::string> found;
    for (const Verdict* verdict : verdicts)
      found.push_back(texts.at(verdict->case_name));
    return found;
  };
}

}  // namespace assay
