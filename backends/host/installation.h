// Where the files that come with the command lie. All of them are found from
// the place of the program that runs, so that a tree works wherever it is
// copied to:
//   PREFIX/bin/       what `cmake --install` made: lib/, libexec/ and share/ of
//                     PREFIX
//   SOURCE/build/..   a build tree that stands to its source tree as it did
//                     when it was made: suite and workers are the source
//                     tree's, as its files change more often than they are
//                     built
//   elsewhere         a build tree that was copied alone: share/assay/ in it,
//                     which the build fills
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

// The one of this program.
const Installation& ThisInstallation();

// The one of a program in `folder`, which was built in a folder from which
// `to_source` leads to the source tree.
Installation FindInstallation(const std::filesystem::path& folder,
                              const std::filesystem::path& to_source);

// What is the matter with the plugin `name`, which is not there: "not built:
// `cmake ..` builds it".
std::string WhyMissing(const Installation& installation,
                       const std::string& name);

// Whether a plugin of this name is one that comes with the sources.
bool IsOurPlugin(const std::string& name);
// All of these names.
const std::vector<std::string>& OurPlugins();

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_INSTALLATION_H_
