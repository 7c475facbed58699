// Numbers of the text: what a literal is in an element type, and how MLIR
// writes an element.
#ifndef ASSAY_SPEC_TEXT_NUMBER_H_
#define ASSAY_SPEC_TEXT_NUMBER_H_

#include <optional>
#include <string>
#include <string_view>

#include "spec/types/element.h"
#include "spec/types/element_type.h"

namespace assay::text {

// The integer of decimal or hexadecimal ("0x..") digits; nullopt if it does not
// fit 64 bits.
std::optional<uint64_t> ParseDigits(std::string_view digits);

// The bits of an integer in an integer type or i1. As in MLIR, types without
// a sign in their name take what their bits can be read as: 255 is an i8, -1.
// nullopt: out of range.
std::optional<ElementBits> IntegerBits(ElementType type, bool is_negative,
                                       uint64_t magnitude);

// The double nearest to a decimal literal, which has no sign.
double ParseDouble(std::string_view literal);

// The bits of the value of a float type that is nearest to `value`: decimal
// literals go by way of double, as in MLIR. Where the type has no infinity or
// no zero, it is what spec/types/float.h delivers.
ElementBits FloatBits(ElementType type, double value);
// Returns whether a finite number is 0, or is no smaller than the least
// positive value of the type and no greater than its greatest one, without its
// sign.
bool IsInRangeOf(ElementType type, double value);
// Returns whether "0x.." are the bits of a float: with a digit for each four of
// them, and none beyond them. Of formats below 8 bits, MLIR writes the digits
// of a byte. `value`: that of the digits.
bool AreBitsOf(ElementType type, std::string_view text, uint64_t value);

// The value of a float's bits.
double FloatValue(ElementType type, ElementBits bits);

// One part of an element as MLIR prints it: "-3", "true", "1.500000e+00",
// "0.333333343", "0x7FC00000".
void AppendElement(ElementType part_type, ElementBits bits, std::string* out);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_NUMBER_H_
