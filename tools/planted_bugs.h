// The catalogue of backends/broken: which bugs can be planted, and in what.
#ifndef ASSAY_TOOLS_PLANTED_BUGS_H_
#define ASSAY_TOOLS_PLANTED_BUGS_H_

#include <string>
#include <vector>

namespace assay {

struct PlantedBug {
  std::string id;
  std::string family;
  std::string hook;              // the part of the kernel that it replaces
  std::vector<std::string> ops;  // that it can show on; "any" is every op
  std::string description;
  std::string link;        // where it was found in the wild; may be empty
  std::string equivalent;  // why no call can show it; empty if one can

  bool AppliesTo(const std::string& op) const;
  std::string Backend() const { return "broken?bug=" + id; }
};

// All of them in the order of the catalogue, or those of `ids`. Throws
// InputError for an id that is not in the catalogue.
std::vector<PlantedBug> ReadPlantedBugs(const std::vector<std::string>& ids);

}  // namespace assay

#endif  // ASSAY_TOOLS_PLANTED_BUGS_H_
