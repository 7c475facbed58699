// What a person may have meant by a name that there is not.
#ifndef ASSAY_SPEC_NEAREST_H_
#define ASSAY_SPEC_NEAREST_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The names nearest to `text`, at most `most`: those that begin with it, those
// that differ from it by few letters (inserted, left out, exchanged with
// another or with a neighbour), those that have it within. Empty if none is
// near.
std::vector<std::string> Nearest(std::string_view text,
                                 const std::vector<std::string>& names,
                                 size_t most = 3);

// " (did you mean 'a' or 'b'?)"; empty without any.
std::string DidYouMean(const std::vector<std::string>& names);
std::string DidYouMean(std::string_view text,
                       const std::vector<std::string>& names);

}  // namespace assay

#endif  // ASSAY_SPEC_NEAREST_H_
