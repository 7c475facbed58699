// The catalogues are embedded, so that the command and the plugins come from
// one build.
#include "tools/mutants/planted_bugs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "spec/error.h"

namespace assay {

// The build generates these from backends/broken/bugs.json and
// backends/broken/cuda/bugs.json.
extern const char kPlantedBugs[];
extern const char kPlantedCudaBugs[];

std::string BrokenBackend(const std::string& device) {
  return device.empty() ? "broken" : "broken?device=" + device;
}

std::string PlantedBug::Backend() const {
  return BrokenBackend(device) + (device.empty() ? "?" : "&") + "bug=" + id;
}

std::vector<std::string> PlantedDevices() { return {"cuda", "cuda-host"}; }

bool PlantedBug::AppliesTo(const std::string& called) const {
  // A bug of an op also shows in the pointwise calls that are named for it,
  // because they are made of that op.
  constexpr std::string_view kPointwise = "pointwise.";
  std::string_view op = called;
  if (op.starts_with(kPointwise)) op.remove_prefix(kPointwise.size());
  return std::ranges::any_of(ops, [&](const std::string& name) {
    return name == "any" || name == called || name == op;
  });
}

std::vector<PlantedBug> ReadPlantedBugs(const std::vector<std::string>& ids,
                                        const std::string& device) {
  using Texts = std::vector<std::string>;
  std::vector<PlantedBug> bugs;
  Texts known;
  for (const auto& json : nlohmann::json::parse(
           device.empty() ? kPlantedBugs : kPlantedCudaBugs)) {
    if (!device.empty()) {
      const auto devices = json.at("devices").get<Texts>();
      if (std::ranges::find(devices, device) == devices.end()) continue;
    }
    const auto text = [&](const char* key) { return json.value(key, ""); };
    known.push_back(text("id"));
    bugs.push_back({text("id"), text("family"), text("hook"),
                    json.at("ops").get<Texts>(), text("description"),
                    text("link"), text("equivalent"), text("walk"), device,
                    text("granularity") == "program"});
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
