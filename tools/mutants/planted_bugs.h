// The catalogues of backends/broken say which bugs can be planted, and in what.
#ifndef ASSAY_TOOLS_MUTANTS_PLANTED_BUGS_H_
#define ASSAY_TOOLS_MUTANTS_PLANTED_BUGS_H_

#include <string>
#include <vector>

#include "backends/host/executor.h"

namespace assay {

// Returns the backend without a bug: the kernel of backends/broken or, with a
// `device`, the kernels of backends/cuda with hooks.
std::string BrokenBackend(const std::string& device);

struct PlantedBug {
  std::string id;
  std::string family;
  std::string hook;              // the part of the kernel that it replaces
  std::vector<std::string> ops;  // that it can show on; "any" is every op
  std::string description;
  std::string link;        // where it was found in the wild; may be empty
  std::string equivalent;  // why no call can show it; empty if one can
  std::string walk;  // the kind of walks (cases/variants/walks.h) that it is of
  std::string device;  // of the kernels; empty: those of backends/broken
  // Shows on whole programs, whose ops are right one by one.
  bool is_of_programs = false;

  bool AppliesTo(const std::string& op) const;
  std::string Backend() const;
  // How a backend with the bug is asked: op by op, unless programs show it.
  Granularity Runs() const {
    return is_of_programs ? Granularity::kProgram : Granularity::kOp;
  }
};

// Returns the devices that have bugs of their own.
std::vector<std::string> PlantedDevices();

// Returns the bugs that show on the device in the order of its catalogue: all,
// or those of `ids`. Throws InputError for an id that is not one of them.
std::vector<PlantedBug> ReadPlantedBugs(const std::vector<std::string>& ids,
                                        const std::string& device);

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_PLANTED_BUGS_H_
