// Programs that were serialized have their text from Python's package jaxlib,
// because the bytecode of MLIR is versioned and nothing but MLIR reads it.
#ifndef ASSAY_TOOLS_ARTIFACT_TEXT_H_
#define ASSAY_TOOLS_ARTIFACT_TEXT_H_

#include <string>

namespace assay {

// Returns the StableHLO text of MLIR bytecode, a portable artifact or what
// jax.export writes. Throws InputError if the file is none of them, and if no
// interpreter of Python has the package.
std::string TextOfArtifact(const std::string& file);

}  // namespace assay

#endif  // ASSAY_TOOLS_ARTIFACT_TEXT_H_
