// The tokens of formulas: words, numbers, operators and brackets. The parser
// reads them, and who changes a formula changes one of them.
#ifndef ASSAY_SPEC_FORMULA_FORMULA_TOKEN_H_
#define ASSAY_SPEC_FORMULA_FORMULA_TOKEN_H_

#include <cstddef>
#include <string_view>

namespace assay {

// Returns the first position at or behind `from` that is no white space.
size_t SkipSpace(std::string_view text, size_t from);
// Returns the end of the token that begins at `start`, or `start` if none does.
size_t EndOfToken(std::string_view text, size_t start);

}  // namespace assay

#endif  // ASSAY_SPEC_FORMULA_FORMULA_TOKEN_H_
