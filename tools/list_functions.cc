// The command `assay list backends --ops` prints by which function each library
// behind a Python worker computes an op.
#include "tools/list_functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "backends/host/installation.h"
#include "cases/read/json.h"
#include "reports/print.h"
#include "reports/table.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

// Returns "numpy.fmod", then what differs and why, or "none: " and the reason.
std::string EntryText(const JsonView& entry) {
  entry.RequireObject({"function", "differs", "clauses", "why", "none"});
  if (const auto none = entry.Find("none")) return "none: " + none->String();
  std::string text = entry.At("function").String();
  for (const char* field : {"differs", "why"}) {
    if (const auto more = entry.Find(field)) text += "; " + more->String();
  }
  return text;
}

}  // namespace

void ListFunctions() {
  const std::string file = ThisInstallation().python / "functions.json";
  const Json json = ReadJsonFile(file);
  const JsonView table(json, file);
  TextTable lines({"op", "backend", "function"}, /*left=*/3);
  std::set<std::string> ops;
  for (const auto& [op, row] : table.Members()) {
    for (const auto& [library, entry] : row.Members())
      lines.Add({ops.insert(op).second ? op : "", "python:" + library,
                 EntryText(entry)});
  }
  std::vector<std::string> without;
  for (const OpSpec& spec : Ops()) {
    if (spec.family.empty() && !ops.contains(spec.id))
      without.push_back(spec.id);
  }
  PrintText(
      "{}\nNo library is called for these ops, because `assay` runs them "
      "itself or does not judge them: {}\n"
      "Backends that are not named take whole programs, or say of each call "
      "whether they have it.\n",
      lines.ToText(), fmt::join(without, " "));
}

}  // namespace assay
