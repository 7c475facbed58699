// SHA-256, by which a text is recognised: the sentence behind a constraint, the
// suite behind a file of results.
#ifndef ASSAY_SPEC_DIGEST_H_
#define ASSAY_SPEC_DIGEST_H_

#include <string>
#include <string_view>

namespace assay {

// 64 lower-case hexadecimal digits.
std::string Sha256(std::string_view bytes);
// Of a file of any size. Throws InputError if it cannot be read.
std::string Sha256OfFile(const std::string& file);

}  // namespace assay

#endif  // ASSAY_SPEC_DIGEST_H_
