// These functions convert bits to values and text outside of loops.
#include "spec/types/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace assay {
namespace {

// Returns the shortest decimal that rounds to the value in its own format,
// which has fewer digits than an f64 needs. 17 digits identify every f64, and
// with it every value.
template <class T>
std::string FloatText(T value) {
  // The NaN whose code is that of -0 has no sign.
  constexpr bool kHasNegativeNan =
      T::kFormat.specials != FloatFormat::Specials::kNegativeZeroNan;
  if (value.IsNan()) return kHasNegativeNan && value.SignBit() ? "-nan" : "nan";
  const double exact = value.ToDouble();
  if (value.IsInfinite()) return exact < 0 ? "-inf" : "inf";
  if constexpr (T::kIsNative) return fmt::format("{}", value.ToNative());
  for (int digits = 1; digits < 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", exact, digits);
    const auto back = T::Round(std::stod(text));
    if (back.value.ToBits() != value.ToBits() ||
        back.unencodable != Unencodable::kNot)
      continue;
    // This gives 448 and not 4.5e+02, which rounds to the same value.
    const std::string whole = fmt::format("{}", exact);
    return whole.size() <= text.size() ? whole : text;
  }
  return fmt::format("{:.17g}", exact);
}

}  // namespace

// Like the ABI's buffers, this is for little-endian hosts only.
ElementBits LoadBits(ElementType type, const void* element) {
  const ElementBits bits = WithWord(type, [&](auto word) -> ElementBits {
    std::memcpy(&word, element, sizeof(word));
    return word;
  });
  const int width = Info(type).bits;
  // For a boolean the whole byte counts.
  return width >= 8 || IsBoolean(type) ? bits
                                       : bits & ((ElementBits{1} << width) - 1);
}

void StoreBits(ElementType type, ElementBits bits, void* element) {
  WithWord(type, [&](auto word) {
    word = static_cast<decltype(word)>(bits);
    std::memcpy(element, &word, sizeof(word));
  });
}

__int128 ValueOf(ElementType type, ElementBits bits) {
  return VisitKinds<kBooleans | kIntegers>(type, [&]<class T>() -> __int128 {
    return T::FromBits(static_cast<typename T::Bits>(bits)).value();
  });
}

ElementBits BitsOf(ElementType type, __int128 value) {
  ASSAY_CHECK(MinValue(type) <= value && value <= MaxValue(type));
  return static_cast<ElementBits>(value) &
         ((ElementBits{1} << Info(type).bits) - 1);
}

__int128 MinValue(ElementType type) {
  ASSAY_CHECK(IsBoolean(type) || IsInteger(type));
  return IsSignedInteger(type)
             ? -(static_cast<__int128>(1) << (Info(type).bits - 1))
             : 0;
}

__int128 MaxValue(ElementType type) {
  ASSAY_CHECK(IsBoolean(type) || IsInteger(type));
  return (static_cast<__int128>(1)
          << (Info(type).bits - (IsSignedInteger(type) ? 1 : 0))) -
         1;
}

std::string FormatInteger(__int128 value) { return fmt::format("{}", value); }

std::string FormatValue(ElementType type, ElementBits bits) {
  if (IsBoolean(type)) {
    if (bits > 1) return fmt::format("byte {}", bits);
    return bits != 0 ? "true" : "false";
  }
  return VisitKinds<kIntegers | kFloats | kComplexes>(
      type, [&]<class T>() -> std::string {
        const T value = T::FromBits(static_cast<typename T::Bits>(bits));
        if constexpr (T::kKind == ElementKind::kComplex) {
          return fmt::format("[{}, {}]", FloatText(value.real()),
                             FloatText(value.imag()));
        } else if constexpr (T::kKind == ElementKind::kFloat) {
          return FloatText(value);
        } else {
          return FormatInteger(value.value());
        }
      });
}

std::string FormatBits(ElementType type, ElementBits bits) {
  return fmt::format("0x{:0{}x}", bits, std::max(1, (Info(type).bits + 3) / 4));
}

int PartCount(ElementType type) { return IsComplex(type) ? 2 : 1; }

ElementType PartType(ElementType type) {
  if (type == ElementType::kComplexF32) return ElementType::kF32;
  if (type == ElementType::kComplexF64) return ElementType::kF64;
  return type;
}

ElementBits PartOf(ElementType type, ElementBits bits, int part) {
  if (!IsComplex(type)) return bits;
  const int width = Info(PartType(type)).bits;
  return bits >> (part * width) & ((ElementBits{1} << width) - 1);
}

}  // namespace assay
