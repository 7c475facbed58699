// The catalogue is embedded: the command and the plugin come from one build.
#include "tools/planted_bugs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "spec/error.h"

namespace assay {

extern const char kPlantedBugs[];  // generated from backends/broken/bugs.json

bool PlantedBug::AppliesTo(const std::string& called) const {
  // A pointwise call is made of the op that it is named for.
  constexpr std::string_view kPointwise = "pointwise.";
  std::string_view op = called;
  if (op.starts_with(kPointwise)) op.remove_prefix(kPointwise.size());
  return std::ranges::any_of(ops, [&](const std::string& name) {
    return name == "any" || name == called || name == op;
  });
}

std::vector<PlantedBug> ReadPlantedBugs(const std::vector<std::string>& ids) {
  std::vector<PlantedBug> bugs;
  std::vector<std::string> known;
  for (const auto& json : nlohmann::json::parse(kPlantedBugs)) {
    const auto text = [&](const char* key) { return json.value(key, ""); };
    known.push_back(text("id"));
    bugs.push_back({text("id"), text("family"), text("hook"),
                    json.at("ops").get<std::vector<std::string>>(),
                    text("description"), text("link"), text("equivalent")});
  }
  for (const std::string& id : ids) {
    if (std::ranges::find(known, id) == known.end())
      throw InputError("--bug", fmt::format("no planted bug '{}'; there are {}",
                                            id, fmt::join(known, " ")));
  }
  if (!ids.empty()) {
    std::erase_if(bugs, [&](const PlantedBug& bug) {
      return std::ranges::find(ids, bug.id) == ids.end();
    });
  }
  return bugs;
}

}  // namespace assay
