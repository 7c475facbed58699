// Case files have floating-point literals of several forms.
#ifndef ASSAY_CASES_READ_FLOAT_LITERAL_H_
#define ASSAY_CASES_READ_FLOAT_LITERAL_H_

#include <optional>
#include <string>

#include "spec/types/element.h"

namespace assay {

// Returns the bits of a float of the type, from the text of a JSON number
// ("-1.5e-3"), a hex float ("0x1.8p3"), "inf", "-inf" or "nan". Numbers are
// rounded once, from their text. Returns nullopt, with the reason in `*reason`,
// for a number that the type cannot hold even rounded. Precondition:
// IsFloat(type).
std::optional<ElementBits> ParseFloatLiteral(const std::string& text,
                                             ElementType type,
                                             std::string* reason);

}  // namespace assay

#endif  // ASSAY_CASES_READ_FLOAT_LITERAL_H_
