// This header says where the files that come with the command lie. All of them
// are found from the place of the program that runs, so that a tree works
// wherever it is copied to:
//   PREFIX/bin/       `cmake --install` made this: the files are in lib/,
//                     libexec/ and share/ of PREFIX
//   SOURCE/build/..   this is a build tree that stands to its source tree as it
//                     did when it was made: suite and workers are the source
//                     tree's, as its files change more often than they are
//                     built
//   elsewhere         this is a build tree that was copied alone: the files are
//                     in its share/assay/, which the build fills
#ifndef ASSAY_BACKENDS_HOST_INSTALLATION_H_
#define ASSAY_BACKENDS_HOST_INSTALLATION_H_

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct Installation {
  enum class Kind { kInstalled, kInSourceTree, kCopied };
  Kind kind;
  std::filesystem::path program;       // its folder
  std::filesystem::path suite;         // of conformance/
  std::filesystem::path plugins;       // of NAME.so
  std::filesystem::path python;        // of NAME_worker.py
  std::filesystem::path environments;  // of NAME/bin/python
  std::filesystem::path worker;        // assay-worker
  std::filesystem::path source;        // empty without the source tree
};

// Returns the installation of this program.
const Installation& ThisInstallation();

// Returns the installation of a program in `folder`, which was built in a
// folder from which `to_source` leads to the source tree.
Installation FindInstallation(const std::filesystem::path& folder,
                              const std::filesystem::path& to_source);

// Returns why the plugin `name` is missing: "not built: `cmake ..` builds it".
std::string WhyMissing(const Installation& installation,
                       const std::string& name);

// Returns whether a plugin of this name comes with the sources.
bool IsOurPlugin(const std::string& name);
// Returns all of these names.
const std::vector<std::string>& OurPlugins();

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_INSTALLATION_H_
