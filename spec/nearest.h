// The name that a person may have meant: a message about one that does not
// exist proposes it.
#ifndef ASSAY_SPEC_NEAREST_H_
#define ASSAY_SPEC_NEAREST_H_

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Of `names` the one that the fewest insertions, deletions, replacements and
// swaps of neighbours make of `word`, the first of several; empty if that is
// more than a third of the word.
std::string Nearest(std::string_view word,
                    const std::vector<std::string>& names);

// " (did you mean 'NAME'?)", or nothing where no name is near.
std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& names);

}  // namespace assay

#endif  // ASSAY_SPEC_NEAREST_H_
