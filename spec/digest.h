// A SHA-256 digest identifies a text: the sentence behind a constraint, or the
// suite behind a file of results.
#ifndef ASSAY_SPEC_DIGEST_H_
#define ASSAY_SPEC_DIGEST_H_

#include <string>
#include <string_view>

namespace assay {

// Returns 64 lower-case hexadecimal digits.
std::string Sha256(std::string_view bytes);
// Returns the digest of a file of any size. Throws InputError if it cannot be
// read.
std::string Sha256OfFile(const std::string& file);

}  // namespace assay

#endif  // ASSAY_SPEC_DIGEST_H_
