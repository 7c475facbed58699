// A digest is a file in JSON Lines of what the page shows of a run. It is small
// enough for a repository, and has no verdicts.
#ifndef ASSAY_REPORTS_PAGE_DIGEST_H_
#define ASSAY_REPORTS_PAGE_DIGEST_H_

#include <cstddef>
#include <string>

namespace assay {

inline constexpr size_t kMostDigestBytes = 200'000;

// Returns whether the first line of a file says that it is a digest. Throws
// InputError if the file cannot be read.
bool IsDigest(const std::string& file);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_DIGEST_H_
