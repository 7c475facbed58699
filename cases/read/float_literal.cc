// The function strtod of glibc rounds a text of any length correctly, in every
// rounding mode.
#include "cases/read/float_literal.h"

#include <fmt/format.h>

#include <cfenv>
#include <cstdlib>
#include <regex>

namespace assay {
namespace {

double Parse(const std::string& text, int rounding) {
  const int before = std::fegetround();
  std::fesetround(rounding);
  const double value = std::strtod(text.c_str(), nullptr);
  std::fesetround(before);
  return value;
}

// Rounds to odd: of the two neighbours of a number that f64 does not have, it
// returns the one whose last bit is set. Rounding that once more to a format of
// at most 51 bits gives the same as rounding the number itself.
double ParseToOdd(const std::string& text) {
  const double low = Parse(text, FE_DOWNWARD), high = Parse(text, FE_UPWARD);
  return (std::bit_cast<uint64_t>(low) & 1) != 0 ? low : high;
}

template <class T>
std::optional<ElementBits> Encode(const std::string& text,
                                  std::string* reason) {
  const auto refuse = [&](const char* why) -> std::optional<ElementBits> {
    *reason = fmt::format("{}: {} {}", text.substr(0, 80),
                          Name(T::kElementType), why);
    return std::nullopt;
  };
  if (text == "nan") {
    if (!T::kFormat.has_nan()) return refuse("has no NaN");
    return T::Nan().ToBits();
  }
  if (text == "inf" || text == "-inf") {
    if (!T::kFormat.has_infinity()) return refuse("has no infinity");
    return T::Infinity(text[0] == '-').ToBits();
  }
  const bool is_f64 = T::kElementType == ElementType::kF64;
  const Rounded<T> rounded =
      T::Round(is_f64 ? Parse(text, FE_TONEAREST) : ParseToOdd(text));
  switch (rounded.unencodable) {
    case Unencodable::kE8m0Zero:
    case Unencodable::kE8m0TooSmall:
      return refuse("has no zero, and nothing so small");
    case Unencodable::kE8m0Negative:
      return refuse("has no negative values");
    case Unencodable::kE8m0Tie:
      return refuse("has two values that are equally near");
    case Unencodable::kOverflow:
    case Unencodable::kE8m0Overflow:
      return refuse("is exceeded");
    default:
      break;
  }
  if (rounded.value.IsInfinite()) return refuse("is exceeded");
  if (rounded.value.IsZero() && text[0] == '-' &&
      !T::kFormat.has_negative_zero() && rounded.exact)
    return refuse("has no -0");
  return rounded.value.ToBits();
}

}  // namespace

std::optional<ElementBits> ParseFloatLiteral(const std::string& text,
                                             ElementType type,
                                             std::string* reason) {
  static const std::regex kNumber(
      "-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?"
      "|-?0[xX][0-9a-fA-F]+([.][0-9a-fA-F]*)?[pP][+-]?[0-9]+"
      "|-?inf|nan");
  // std::regex recurses once for each character.
  if (text.size() > 2000 || !std::regex_match(text, kNumber)) {
    *reason = fmt::format(
        "'{}' is not a floating-point literal: a number, a hex float "
        "(0x1.8p3), inf, -inf, nan, or a bit pattern of {} digits",
        text.substr(0, 80), (Info(type).bits + 3) / 4);
    return std::nullopt;
  }
  return VisitKinds<kFloats>(
      type, [&]<class T>() { return Encode<T>(text, reason); });
}

}  // namespace assay
