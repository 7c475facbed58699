// Floating-point literals of case files.
#ifndef ASSAY_CASES_READ_FLOAT_LITERAL_H_
#define ASSAY_CASES_READ_FLOAT_LITERAL_H_

#include <optional>
#include <string>

#include "spec/types/element.h"

namespace assay {

// The bits of a float of the type, from the text of a JSON number ("-1.5e-3"),
// a hex float ("0x1.8p3"), "inf", "-inf" or "nan". Numbers are rounded once,
// from their text; one that the type cannot hold, not even rounded, is refused,
// with the reason in `*reason`. Precondition: IsFloat(type).
std::optional<ElementBits> ParseFloatLiteral(const std::string& text,
                                             ElementType type,
                                             std::string* reason);

}  // namespace assay

#endif  // ASSAY_CASES_READ_FLOAT_LITERAL_H_
