// Reasons for which cases were not judged. A backend says of each what it
// declines, with its shape, so a thousand texts may be one reason.
#ifndef ASSAY_REPORTS_REASONS_H_
#define ASSAY_REPORTS_REASONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// Rows of reasons that a page has, and a terminal; the cases of others are
// added up.
inline constexpr size_t kMaxReasons = 12;
inline constexpr size_t kMaxReasonsOnTerminal = 6;

// A reason without the numbers that differ from shape to shape:
// "tensor<..xf32>" for "tensor<2x3xf32>", "[..]" for "[2, 3]" and "..x.." for
// "2x3". From the second level on also "N" for every other number that is no
// part of a word, as "i8" is one, and on the third ".." for names of ops and
// element types.
inline constexpr int kFoldingLevels = 3;
std::string FoldedReason(std::string_view reason, int level);

// Cases by reason, folded as far as is needed for `most` rows; the most
// frequent first.
std::vector<std::pair<int64_t, std::string>> FoldedReasons(
    const std::map<std::string, int64_t>& reasons, size_t most);

}  // namespace assay

#endif  // ASSAY_REPORTS_REASONS_H_
