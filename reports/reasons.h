// These are reasons for which cases were not judged. A backend says for each
// case what it declines, with its shape, so a thousand texts may be one reason.
#ifndef ASSAY_REPORTS_REASONS_H_
#define ASSAY_REPORTS_REASONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// A page, and a terminal, has at most this many rows of reasons; the cases of
// other reasons are added up.
inline constexpr size_t kMaxReasons = 12;
inline constexpr size_t kMaxReasonsOnTerminal = 6;

// Returns a reason without the numbers that differ from shape to shape:
// "tensor<..xf32>" for "tensor<2x3xf32>", "[..]" for "[2, 3]" and "..x.." for
// "2x3". From the second level on it also has "N" for every other number that
// is not a part of a word, as "i8" is one, and on the third level ".." for
// names of ops and element types.
inline constexpr int kFoldingLevels = 3;
std::string FoldedReason(std::string_view reason, int level);

// Returns cases by reason, folded as far as is needed for `most` rows, the most
// frequent first.
std::vector<std::pair<int64_t, std::string>> FoldedReasons(
    const std::map<std::string, int64_t>& reasons, size_t most);

}  // namespace assay

#endif  // ASSAY_REPORTS_REASONS_H_
