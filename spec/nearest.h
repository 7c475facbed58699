// These functions guess what a person meant by a name that does not exist.
#ifndef ASSAY_SPEC_NEAREST_H_
#define ASSAY_SPEC_NEAREST_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Returns the names nearest to `text`, at most `most`: those that begin with
// it, those that differ from it by few letters (inserted, left out, replaced by
// another or exchanged with a neighbor), and those that contain it. The result
// is empty if none is near.
std::vector<std::string> Nearest(std::string_view text,
                                 const std::vector<std::string>& names,
                                 size_t most = 3);

// Returns " (did you mean 'a' or 'b'?)", or an empty text if there are no
// names.
std::string DidYouMean(const std::vector<std::string>& names);
std::string DidYouMean(std::string_view text,
                       const std::vector<std::string>& names);

}  // namespace assay

#endif  // ASSAY_SPEC_NEAREST_H_
