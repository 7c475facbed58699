// The specification's data files are embedded in the binary at build time:
// `assay` needs no other file to know what an op is.
#ifndef ASSAY_SPEC_EMBEDDED_H_
#define ASSAY_SPEC_EMBEDDED_H_

#include <span>
#include <string_view>

namespace assay {

struct EmbeddedFile {
  std::string_view path;  // in the source tree: "spec/ops/add.json"
  std::string_view text;
};

// Returns spec/ops/*.json, spec/policies/*.json and the schemas, sorted by
// path.
std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace assay

#endif  // ASSAY_SPEC_EMBEDDED_H_
