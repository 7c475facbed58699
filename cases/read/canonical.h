// The canonical form of our JSON files, so that a diff shows what changed and
// nothing else.
//
// Two spaces of indentation. An object or array stands on one line if it, with
// its indentation, its key and a comma behind it, fits in 120 columns; else
// each member has a line of its own, except that the numbers, strings and truth
// values of an array fill their lines. Columns are code points. The order of
// keys and the text of numbers stay as they were written.
#ifndef ASSAY_CASES_READ_CANONICAL_H_
#define ASSAY_CASES_READ_CANONICAL_H_

#include <string>

namespace assay {

// Returns the JSON text in canonical form, with a line end behind it. Throws
// InputError that names `file` if the text is not JSON.
std::string CanonicalJson(const std::string& file, const std::string& text);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CANONICAL_H_
